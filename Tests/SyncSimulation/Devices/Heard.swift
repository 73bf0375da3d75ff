// Reads from answers what a device hears about a queue, and which operations the device may let go of then.

import ClientStore
import ClientSync
import ModelTypes
import SyncProtocol
import SyncServer
import WireFormat

/// The statement of one answer about one queue.
struct Heard {
  var queue: QueueID
  /// The server's history and the queue's epoch when it answered.
  var history: HistoryID
  var epoch: EpochID?
  /// The server's time of the answer, in milliseconds since 1970.
  var time: Int64
  var what: What
  /// The queues that the home queue names; empty unless this is the last page of a home queue.
  var named: Set<QueueID> = []

  enum What {
    case isMember
    /// The user is a member, and nothing of the queue is missing behind this page.
    case isUpToDate
    /// The user is a member and has to load the queue again.
    case loadsAgain
    case isNoMember
    case isAbsent
    /// The queue has ended, for everybody and for ever.
    case hasEnded
  }
}

extension Heard {
  /// The statements of an answer, one for each queue. A refused commit makes none, because the client then asks for a
  /// page and goes by that.
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
      // An answer may leave out the last queues; the others come in the order of the request.
      return zip(delta.places, json["data"]["delta"].elements).compactMap { asked, answer in
        guard let time = answer["time"].integer else { return nil }
        var heard = Self(of: asked.queue, at: time, answer["page"]["epoch"], served, server)
        heard.read(answer, served, server)
        return heard
      }
    case .changed: return []
    }
  }

  private init(
    of queue: PlainID, at time: Int64, _ epoch: PlainJSON, _ served: ServedRequest, _ server: SimulatedServer
  ) {
    (self.queue, self.time, history, what) = (QueueID(queue), time, server.name, .isMember)
    self.epoch = epoch.id.map { EpochID($0) } ?? server.history.state.queues[self.queue]?.row?.epoch
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
    guard let head, queue == QueueID(served.asker.home) else { return }
    named = server.history.state.queues[queue]?.named(at: head) ?? []
  }
}

extension QueueHistory {
  /// The queues that a home queue named when this revision was its head.
  fileprivate func named(at head: Int64) -> Set<QueueID> {
    let live = states.values.compactMap { states in states.last { $0.revision <= head }?.live }
    let memberships = live.filter { $0.type == QueueMembership.type }
    return Set(memberships.compactMap { try? QueueMembership(content: $0.content).queue })
  }
}

extension Device {
  /// Notes an answer that arrives. The client uses it only if its request named the history that the client still
  /// knows.
  func hear(_ answer: TransportAnswer, to exchange: Exchange) {
    guard let history = answer.history, record.hear(history, named: exchange.named) else { return }
    for heard in exchange.heard {
      if exchange.deltas.isEmpty { hear(heard) } else { hear(ofPage: heard) { self.hear($0) } }
    }
  }

  /// Notes what one answer says about one queue. A store keeps applied operations for 7 days of the server's time while
  /// its user is a member. It may let go of an operation only if the history of the answer has its outcome, and
  /// - the outcome is more than 7 days older than a page behind which nothing is missing, or than a reset, or
  /// - its user is no member any more. That counts in the history in which the device last heard that the user is a
  ///   member, or once the membership was awaited for 7 days; or
  /// - the queue has ended. The device still keeps an end that its own user has performed.
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
      // An owner's device creates the queue again, as if it had never read it.
      if role(in: heard.queue) == QueueRole.owner { record.unborn.insert(heard.queue) }
    case .hasEnded:
      countEnd(heard.queue)
      record.awaitedSince[heard.queue] = nil
      record.letGo(outcomes(of: heard).map(\.operation).filter { world.operations[$0]?.isEnd != true })
      for id in world.albums.first(where: { $0.queue == heard.queue })?.photos ?? [] { record.captionsSeen[id] = nil }
    case .isNoMember:
      noteUntold(heard)
      let isOverdue = record.isOverdue(heard)
      // A crash may have lost what the device heard last. It then waits although it need not.
      record.await(heard)
      let outcomes = outcomes(of: heard)
      if let known = record.membershipHistory(of: heard.queue), known != heard.history, !isOverdue {
        // Operations that the present history has applied are in it, even if the membership never comes back.
        record.letGo(outcomes.filter { $0.status == .applied }.map(\.operation))
        return
      }
      record.letGo(outcomes.map(\.operation))
      for id in world.albums.first(where: { $0.queue == heard.queue })?.photos ?? [] { record.captionsSeen[id] = nil }
    }
  }

  /// Notes operations that are refused before the device has heard of the membership: they are reported, even if it
  /// hears of it later.
  private func noteUntold(_ heard: Heard) {
    guard let store, record.memberIn[heard.queue] == nil, role(in: heard.queue) == nil else { return }
    record.untold.formUnion(store.pendingOperations.filter { $0.queue == heard.queue }.map(\.id))
  }

  /// The user's role, as the device knows it.
  private func role(in queue: QueueID) -> QueueRole? {
    (try? life?.rows.readRoles())?[queue].flatMap { QueueRole(number: Int32(truncatingIfNeeded: $0)) }
  }

  private func countEnd(_ queue: QueueID) {
    world.count("ends heard")
    let pending = store?.pendingOperations.filter { $0.queue == queue } ?? []
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
  /// Notes an answer's history, and returns whether the client uses an answer to a request that named the history
  /// `named`.
  mutating func hear(_ answered: HistoryID, named: HistoryID?) -> Bool {
    if history == named { history = answered }
    return history == answered && (named == nil || named == answered)
  }

  mutating func noteMember(_ heard: Heard) {
    memberIn[heard.queue] = heard.history
    awaitedSince[heard.queue] = nil
    unborn.remove(heard.queue)
    for queue in heard.named { namedIn[queue] = heard.history }
  }

  /// The server's history in which the device last heard that its user is a member: by answers about the queue, or by
  /// the home queue if the device has not read the queue or has to create it again.
  func membershipHistory(of queue: QueueID) -> HistoryID? {
    guard let memberIn = memberIn[queue] else { return namedIn[queue] }
    return unborn.contains(queue) ? namedIn[queue] ?? memberIn : memberIn
  }

  fileprivate mutating func await(_ heard: Heard) {
    if awaitedSince[heard.queue] == nil { awaitedSince[heard.queue] = heard.time }
  }

  /// Whether the membership was awaited for more than 7 days. Also true if the server's clock was set back by that
  /// much, since nobody knows then how long it was.
  fileprivate func isOverdue(_ heard: Heard) -> Bool {
    guard let since = awaitedSince[heard.queue] else { return false }
    return abs(heard.time - since) > Device.retiredMilliseconds
  }
}
