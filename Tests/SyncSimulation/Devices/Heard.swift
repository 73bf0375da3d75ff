// What answers tell a device of a queue, and what it may let go of then.

import ClientStore
import ClientSync
import ModelTypes
import SyncProtocol
import SyncServer
import WireFormat

/// What the server has said of one queue.
struct Heard {
  var queue: UUIDValue
  /// The server's history, and the queue's, when it answered.
  var history: UUIDValue
  var epoch: UUIDValue?
  /// The server's clock.
  var time: Int64
  var what: What
  /// Of a home queue of which nothing is missing: the queues that it names.
  var named: Set<UUIDValue> = []

  enum What {
    case isMember
    /// A member, and nothing of the queue is missing behind this page.
    case isUpToDate
    /// A member, who has to load the queue again.
    case loadsAgain
    case isNoMember
    case isAbsent
    /// For everybody, and for ever.
    case hasEnded
  }
}

extension Heard {
  /// What an answer says of queues. A refused commit says nothing: the client asks for a page then, and goes by that.
  static func all(in body: [UInt8], to served: ServedRequest, of server: SimulatedServer) -> [Self] {
    guard served.refusal == nil, case .request(let request) = served.call, let json = PlainJSON(reading: body) else {
      return []
    }
    switch request {
    case .commits(let commits):
      return commits.compactMap { commit in
        let queue = commit.place.queue
        guard let decision = served.decisions[queue], decision["refusal"].isNull, let time = served.times.max() else {
          return nil
        }
        return Self(of: queue, at: time, decision["decided"]["epoch"], served, server)
      }
    case .delta(let delta):
      // As many of them as are answered, in their order.
      return zip(delta.places, json["data"]["delta"].elements).compactMap { asked, answer in
        guard let time = answer["time"].integer else { return nil }
        var heard = Self(of: asked.queue, at: time, answer["page"]["epoch"], served, server)
        heard.read(answer, served, server)
        return heard
      }
    case .changed, .changedAll: return []
    }
  }

  private init(
    of queue: PlainID, at time: Int64, _ epoch: PlainJSON, _ served: ServedRequest, _ server: SimulatedServer
  ) {
    (self.queue, self.time, history, what) = (UUIDValue(queue), time, server.name, .isMember)
    self.epoch = epoch.id.map { UUIDValue($0) } ?? server.history.state.queues[self.queue]?.row?.epoch
  }

  private mutating func read(_ answer: PlainJSON, _ served: ServedRequest, _ server: SimulatedServer) {
    let head = answer["page"]["end"].isNull ? nil : answer["page"]["head"].integer
    switch answer["refusal"]["reason"] {
    case .words("REVOKED"): what = .isNoMember
    case .words("ABSENT"): what = .isAbsent
    case .words("ENDED"): what = .hasEnded
    case .words("RESET"): what = .loadsAgain
    default: what = head == nil ? .isMember : .isUpToDate
    }
    guard let head, queue == SyncID.homeQueue(ofUser: UUIDValue(served.user)) else { return }
    named = server.history.state.queues[queue]?.named(at: head) ?? []
  }
}

extension QueueHistory {
  /// The queues that a home queue named when this was its head.
  fileprivate func named(at head: Int64) -> Set<UUIDValue> {
    let live = states.values.compactMap { states in states.last { $0.revision <= head }?.live }
    let memberships = live.filter { $0.type == QueueMembership.type }
    return Set(memberships.compactMap { try? QueueMembership(content: $0.content).queue })
  }
}

extension Device {
  /// An answer arrives. The client uses it only if its request named the history that the client still knows.
  func hear(_ answer: TransportAnswer, to exchange: Exchange) {
    guard let history = answer.history, record.hear(history, named: exchange.named) else { return }
    for heard in exchange.heard {
      if exchange.deltas.isEmpty { hear(heard) } else { hear(ofPage: heard) { self.hear($0) } }
    }
  }

  /// A store keeps what was applied for 7 days of the server's time, and for as long as its user is a member. It may let
  /// go of an operation only where the history that it is told of has the outcome, and
  /// - that is more than 7 days older than the server's time of a page behind which nothing is missing, or of a reset, or
  /// - its user is no member any more. That counts under the history in which the device last heard that the user is a
  ///   member, or once the membership was awaited for 7 days; or
  /// - the queue has ended. An end that its user has performed stays all the same.
  private func hear(_ heard: Heard) {
    switch heard.what {
    case .isMember, .isUpToDate, .loadsAgain:
      record.noteMember(heard)
      guard heard.what != .isMember, world.serverClockWasSet else { return }
      let old = outcomes(of: heard).filter { $0.time.millisecondsSince1970 < heard.time - Self.retiredMilliseconds }
      record.letGo(old.map(\.operation))
    case .isAbsent:
      noteUntold(heard)
      record.await(heard)
      // The device of an owner gives birth to it again, as if it had never read it.
      if role(in: heard.queue) == QueueRole.owner { record.unborn.insert(heard.queue) }
    case .hasEnded:
      countEnd(heard.queue)
      record.awaitedSince[heard.queue] = nil
      record.letGo(outcomes(of: heard).map(\.operation).filter { world.operations[$0]?.isEnd != true })
      for id in world.albums.first(where: { $0.queue == heard.queue })?.photos ?? [] { record.captionsSeen[id] = nil }
    case .isNoMember:
      noteUntold(heard)
      let isOverdue = record.isOverdue(heard)
      // A crash may have lost what the device heard last: then it waits where it need not.
      record.await(heard)
      let outcomes = outcomes(of: heard)
      if let known = record.membershipHistory(of: heard.queue), known != heard.history, !isOverdue {
        // What the history that there is now has applied is in it, whatever becomes of the membership.
        record.letGo(outcomes.filter { $0.status == .applied }.map(\.operation))
        return
      }
      record.letGo(outcomes.map(\.operation))
      for id in world.albums.first(where: { $0.queue == heard.queue })?.photos ?? [] { record.captionsSeen[id] = nil }
    }
  }

  /// What is refused before the device has heard that its user is a member is reported, whatever it hears later.
  private func noteUntold(_ heard: Heard) {
    guard let store, record.memberIn[heard.queue] == nil, role(in: heard.queue) == nil else { return }
    record.untold.formUnion(store.outbox.filter { $0.queue?.rawValue == heard.queue }.map(\.id))
  }

  /// As the device knows it.
  private func role(in queue: UUIDValue) -> QueueRole? {
    (try? life?.rows.readRoles())?[queue].flatMap { QueueRole(number: Int32(truncatingIfNeeded: $0)) }
  }

  private func countEnd(_ queue: UUIDValue) {
    world.count("ends heard")
    let pending = store?.outbox.filter { $0.queue?.rawValue == queue } ?? []
    let isOwn = pending.contains { world.operations[$0.id]?.isEnd == true }
    if isOwn { world.count("ends heard with an own end under way") }
    if pending.count > (isOwn ? 1 : 0) { world.count("ends heard with other work under way") }
  }

  private func outcomes(of heard: Heard) -> [OperationOutcome] {
    let history = world.server.history.history(of: heard.queue, epoch: heard.epoch)
    let lost = world.takenBack.values.filter { world.operations[$0.operation]?.queue == heard.queue }
    return (history?.outcomes.values).map { Array($0) + lost } ?? lost
  }

  fileprivate static let retiredMilliseconds: Int64 = 7 * 86_400_000
}

extension DeviceRecord {
  /// Whether an answer to a request that named a history of the server is of use.
  mutating func hear(_ answered: UUIDValue, named: UUIDValue?) -> Bool {
    if history == named { history = answered }
    return history == answered && (named == nil || named == answered)
  }

  mutating func noteMember(_ heard: Heard) {
    memberIn[heard.queue] = heard.history
    awaitedSince[heard.queue] = nil
    unborn.remove(heard.queue)
    for queue in heard.named { namedIn[queue] = heard.history }
  }

  /// The server's history in which the device last heard that its user is a member: by answers about the queue, or by the
  /// home queue where the device has not read the queue.
  func membershipHistory(of queue: UUIDValue) -> UUIDValue? {
    guard let memberIn = memberIn[queue] else { return namedIn[queue] }
    return unborn.contains(queue) ? namedIn[queue] ?? memberIn : memberIn
  }

  fileprivate mutating func await(_ heard: Heard) {
    if awaitedSince[heard.queue] == nil { awaitedSince[heard.queue] = heard.time }
  }

  /// Also where the server's clock was set back meanwhile, so that nobody knows how long it was.
  fileprivate func isOverdue(_ heard: Heard) -> Bool {
    guard let since = awaitedSince[heard.queue] else { return false }
    return abs(heard.time - since) > Device.retiredMilliseconds
  }
}
