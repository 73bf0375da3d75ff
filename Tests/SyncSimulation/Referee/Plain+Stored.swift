// The server's stored values as those of the model, and a comparison of a whole database with it.

import SyncProtocol
import SyncServer
import WireFormat

extension PlainID {
  init(_ id: UUIDValue) { self.init(high: id.high, low: id.low) }
  init<Object>(_ id: ObjectID<Object>) { self.init(id.rawValue) }
}

extension ObjectID {
  init(_ id: PlainID) { self.init(UUIDValue(id)) }
}

extension UUIDValue {
  init(_ id: PlainID) { self.init(high: id.high, low: id.low) }
}

extension PlainRow {
  init(_ queue: StoredQueue) {
    self.init(
      schema: queue.schema, head: queue.head, floor: queue.floor,
      retention: queue.retention.millisecondsSince1970,
      digest: PlainDigest(live: queue.digest.live, sum: queue.digest.sum), isEnded: queue.isEnded,
      newest: queue.newest.millisecondsSince1970)
  }
}

extension PlainMember {
  init(_ membership: StoredMembership) {
    let role: PlainRole =
      switch membership.role {
      case .owner: .owner
      case .writer: .writer
      case .reader: .reader
      }
    self.init(
      role: role, grant: PlainID(membership.grant), by: PlainID(membership.by),
      since: membership.since.millisecondsSince1970)
  }
}

extension PlainObject {
  init(_ object: ObjectState) {
    self.init(
      revision: object.revision,
      live: object.live.map { live in
        PlainLive(
          type: live.type, content: live.content, newestBy: live.newestBy, createdBy: PlainID(live.system.createdBy),
          createdAt: live.system.createdAt.millisecondsSince1970, updatedAt: live.system.updatedAt.millisecondsSince1970
        )
      })
  }
}

extension PlainOutcome {
  init(_ outcome: OperationOutcome) {
    let status: Status =
      switch outcome.status {
      case .applied: .applied
      case .noEffect: .noEffect
      case .voided: .voided
      case .unknown: .unknown
      case .rejected(let code): .rejected(code)
      }
    self.init(
      status: status, at: outcome.at, time: outcome.time.millisecondsSince1970, attempt: Int64(outcome.attempt))
  }
}

extension PlainDuty {
  init(_ duty: HomeDuty) { self.init(user: PlainID(duty.user), queue: PlainID(duty.queue), head: duty.head) }
}

extension QueueSnapshot {
  /// The hashes of all files of a queue.
  fileprivate func files(in queue: QueueID) throws -> [[UInt8]] {
    try files(after: FileKey(queue: queue, hash: .zero), limit: .max).filter { $0.place.queue == queue }
      .map(\.place.hash.bytes)
  }
}

extension Referee {
  /// Describes where a whole database differs from the model; nil if nowhere.
  func differenceOfAll(in snapshot: any QueueSnapshot) throws -> String? {
    let time = try snapshot.newestTime().millisecondsSince1970
    if time != model.notedTime { return "is the time \(time), not \(model.notedTime)" }
    let queues = try snapshot.queues(after: nil, limit: .max)
    if Set(queues.map { PlainID($0.id) }) != Set(model.queues.keys) {
      return "are \(queues.count) queues, not \(model.queues.count)"
    }
    for (id, row) in queues {
      guard let queue = model.queues[PlainID(id)] else { continue }
      if PlainRow(row) != queue.row { return "\(id.short) is \(PlainRow(row)), not \(queue.row)" }
      let members = Dictionary(
        uniqueKeysWithValues: try snapshot.members(of: id).map { (PlainID($0), PlainMember($1)) })
      if members != queue.members {
        return "\(id.short) has members \(members), not \(queue.members)"
      }
      let objects = Dictionary(
        uniqueKeysWithValues: try snapshot.changes(in: id).objects.map { (PlainID($0.id), PlainObject($0)) })
      let marks = try snapshot.marks(of: id).reversed().map(PlainMark.init)
      if marks != queue.marks { return "\(id.short) has marks \(marks), not \(queue.marks)" }

      let hashes = Set(try snapshot.files(in: id)).union(queue.files.rows.keys)
      if let difference = try difference(ofFiles: hashes, queue.files, in: id, snapshot) { return difference }

      for (member, _) in model.queues.values.flatMap({ $0.members.map { ($0.key, $0.value) } }) {
        if try snapshot.wasMember(UserID(member), of: id) != queue.former.contains(member) {
          return "\(id.short) is not clear about \(member), who may have been a member"
        }
      }
      // Those of a queue that has ended go later.
      if row.isEnded { continue }
      let wrong = Set(objects.keys).union(queue.objects.keys).filter { objects[$0] != queue.objects[$0] }.min()
      if let wrong { return "\(id.short) has \(wrong): \(words(objects[wrong])), not \(words(queue.objects[wrong]))" }
    }
    for user in Set(model.queues.values.flatMap { $0.files.rows.values.map(\.by) }) {
      let unfinished = try snapshot.unfinishedBytes { _, part in PlainID(part.by) == user }
      let bytes = try snapshot.fileBytes(broughtBy: UserID(user)) - unfinished
      let expected = model.queues.values.reduce(0) { $0 + $1.files.bytes(of: user) }
      if bytes != expected { return "\(user) has brought \(bytes) bytes, not \(expected)" }
    }
    let outcomes = try snapshot.outcomes(after: 0, limit: .max)
    let count = model.queues.values.reduce(0) { $0 + $1.outcomes.count }
    if outcomes.count != count { return "are \(outcomes.count) outcomes, not \(count)" }
    for key in outcomes {
      let expected = model.queues[PlainID(key.queue)]?.outcomes[PlainID(key.operation)]
      let found = try snapshot.outcomes(of: [key.operation], in: key.queue).first.map(PlainOutcome.init)
      if found != expected { return "\(key.operation) is \(words(found)), not \(words(expected))" }
    }
    let duties = Set(try snapshot.duties(after: nil, limit: .max).map(PlainDuty.init))
    return duties == model.duties ? nil : "duties are \(duties), not \(model.duties)"
  }
}
