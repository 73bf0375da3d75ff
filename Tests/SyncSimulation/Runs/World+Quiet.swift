// The end of a run, without faults: everything must come to rest, soon and for good.

import ClientStore
import SyncProtocol
import SyncServer
import WireFormat

extension RecordWriter {
  /// The content of a photo that has its album and an owner, and nothing else.
  static func photo(in album: QueueID) -> [UInt8] {
    var content = RecordWriter(capacity: 32)
    content.uuid(1, album.rawValue)
    content.string(2, "owner")
    return content.bytes
  }
}

extension World {
  /// Enough for retries that back off, and for a poll that was lost. Nothing may take longer.
  private static let patienceMinutes: Int64 = 30

  func becomeQuiet() throws {
    trace("the faults stop")
    try settleMembers()
    let begin = time.now
    while time.now - begin < Self.patienceMinutes * 60_000 {
      try pass(5_000)
      for device in devices { answerInvitations(on: device, acceptsAll: true) }
      if isSilent, time.now - begin > 5 * 60_000 { try stir() }
      // After a silent restore, operations come again with late copies of requests. Damaged operations that had been
      // sent may still come for the first time.
      let isAllThere = !isSilent && devices.allSatisfy(\.record.damaged.isEmpty)
      if isAtRest, isAllThere || time.now - begin > SimulatedNetwork.longestDelay {
        return try stayAtRest()
      }
    }
    throw Violation("no rest: \(unrest)")
  }

  /// Starts everybody, and makes them members of the common queues who may write. If the plan leaves members out, those
  /// who are out stay out.
  private func settleMembers() throws {
    if !server.isRunning { try server.start() }
    try endOldApps()
    for device in devices {
      device.hasExpiredToken = false
      start(device)
      device.resume()
      device.setNetwork(isExpensive: false)
    }
    for (app, queue) in apps.flatMap({ app in [(app, app.photos), (app, app.inbox)] }) {
      let followers = users(of: app)
        .filter { !plan.leavesMembersOut || server.history.isMember($0, of: queue) }
      try changeMembers(
        of: queue,
        OperationChanges(members: followers.map { .follow($0) } + followers.map { .role($0, .writer) }))
    }
  }

  /// Changes every queue once, because devices notice a silent restore at the next change of a queue.
  private func stir() throws {
    guard !isStirred else { return }
    isStirred = true
    trace("somebody changes every queue")
    for (id, queue) in server.history.state.queues.sorted(by: { $0.key < $1.key }) {
      guard let member = queue.members.filter({ $0.value.role != .reader }).keys.min() else { continue }
      let photo = try PatchBuilder().patch(filling: RecordWriter.photo(in: id))
      let change = ObjectChange(randomID(in: id), .create(type: Photo.modelName, photo))
      try commit(OperationChanges(objects: [change]), to: id, by: member)
    }
  }

  private var isAtRest: Bool { unrest.isEmpty }

  /// Describes what is still to come; empty at rest.
  private var unrest: String {
    guard let storage = server.storage else { return "the server is down" }
    let duties = try? storage.stored { try $0.duties(after: nil, limit: 1).count }
    if duties != 0 { return "a home queue is not up to date" }
    for device in devices {
      guard let store = device.store else { return "\(device.name) is down" }
      if let item = store.pendingOperations.first {
        let name = operations[item.id]?.name ?? "?"
        let place = item.queue.map { ", in \($0.short), which is \(store.place(of: $0).load)" } ?? ""
        let outcome = item.outcome.map { "\($0.status)" } ?? "no outcome"
        return "\(device.name) still has \(name), \(item.state), \(outcome)\(place)"
      }
      if let invitation = (try? store.invitations())?.first {
        return "\(device.name) asks about \(invitation.queue.short)"
      }
      if let difference = oracles.difference(of: device) { return difference }
      if let unrest = unrestOfFiles(device) { return unrest }
      // The server may have lost what they show, and then their operations are sent again.
      if let old = store.places.first(where: { $0.value.load == .loaded && $0.value.history != server.name }) {
        return "\(device.name) shows \(old.key.short) of a former history"
      }
      // A load may have paused. Its later requests would be too many for a device at rest.
      if store.places.values.contains(where: { $0.load == .reloading }) { return "\(device.name) loads a queue again" }
    }
    return ""
  }

  /// Checks that nothing changes at rest, and that each device sends few requests. Throws a `Violation` otherwise.
  private func stayAtRest() throws {
    if plan.faults.contains(.signals) { try showToEverybody() }
    let heads = server.history.state.queues.mapValues(\.row?.head)
    for device in devices { (device.requests, device.fileRequests) = (0, 0) }
    try pass(Self.restMinutes * 60_000)
    let changed = server.history.state.queues.filter { $0.value.row?.head != heads[$0.key] }.keys.sorted()
    if !changed.isEmpty { throw Violation("no rest: the server changes \(changed.map(\.short))") }
    for device in devices where device.requests > Self.restRequests || device.fileRequests > Self.restFileRequests {
      let requests = "\(device.requests) requests, and \(device.fileRequests) of files,"
      throw Violation("no rest: \(device.name) sent \(requests) in \(Self.restMinutes) minutes")
    }
    if !isAtRest { throw Violation("no rest: \(unrest)") }
  }

  private static let restMinutes: Int64 = 3
  /// In `restMinutes`. A long poll takes 50 seconds or so.
  private static let restRequests = 12
  /// In `restMinutes`. Files that nobody has are asked for now and then, each by its own clock, and by each `syncOnce`.
  private static let restFileRequests = 60
}
