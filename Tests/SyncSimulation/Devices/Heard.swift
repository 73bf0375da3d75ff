// What answers tell a device of a queue, and what it may let go of then.

import ClientSync
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

  enum What {
    case isMember
    /// A member, and nothing of the queue is missing behind this page.
    case isUpToDate
    case isNoMember
    case isAbsent
    /// For everybody, and for ever.
    case hasEnded
  }
}

extension Heard {
  /// Nil where the answer says nothing of a queue.
  init?(_ served: ServedRequest, of server: SimulatedServer) {
    guard served.refusal == nil, case .request(let request) = served.call, let time = served.times.max() else {
      return nil
    }
    let asked: PlainAsked
    let refusal: PlainJSON
    var isLast = false
    switch request {
    case .commit(let commit):
      // After a refused commit the client asks for a page, and goes by that.
      guard let decision = served.decision, decision["refusal"].isNull else { return nil }
      (asked, refusal, epoch) = (commit.place, .null, decision["decided"]["epoch"].id.map { UUIDValue($0) })
    case .delta(let delta):
      guard let place = delta.places.first else { return nil }
      asked = place
      if case .answered(let json)? = served.pages.first?.result {
        (refusal, isLast) = (json["refusal"], !json["page"]["end"].isNull)
        epoch = json["page"]["epoch"].id.map { UUIDValue($0) }
      } else if !place.queue.mayBeAsked(by: served.user) {
        refusal = PlainRefusal.absent.json([:], retention: nil)
      } else {
        return nil
      }
    case .changed: return nil
    }
    switch refusal["reason"] {
    case .words("REVOKED"): what = .isNoMember
    case .words("ABSENT"): what = .isAbsent
    case .words("ENDED"): what = .hasEnded
    default: what = isLast ? .isUpToDate : .isMember
    }
    (queue, history) = (UUIDValue(asked.queue), server.name)
    self.time = time
    if epoch == nil { epoch = server.history.state.queues[queue]?.row?.epoch }
  }
}

extension Device {
  /// An answer arrives. The client uses it only if its request named the history that the client still knows.
  func hear(_ answer: TransportAnswer, to exchange: Exchange) {
    guard let history = answer.history, record.hear(history, named: exchange.named), let heard = exchange.heard else {
      return
    }
    hear(heard)
  }

  /// A store keeps what was applied for 7 days of the server's time, and for as long as its user is a member. It may let
  /// go of an operation only where the history that it is told of has the outcome, and
  /// - that is more than 7 days older than the server's time of a page behind which nothing is missing, or
  /// - its user is no member any more. That counts under the history in which the user was last a member, or once the
  ///   membership was awaited for 7 days; or
  /// - the queue has ended. An end that its user has performed stays all the same.
  private func hear(_ heard: Heard) {
    switch heard.what {
    case .isMember, .isUpToDate:
      record.memberIn[heard.queue] = heard.history
      record.awaitedSince[heard.queue] = nil
      guard heard.what == .isUpToDate, world.serverClockWasSet else { return }
      let old = outcomes(of: heard).filter { $0.time.millisecondsSince1970 < heard.time - Self.tailMilliseconds }
      record.letGo(old.map(\.operation))
    case .isAbsent: record.await(heard)
    case .hasEnded:
      record.awaitedSince[heard.queue] = nil
      // Also of a history before that, in which it was seen to be applied: the end takes all of that.
      let seen = record.confirmed.filter { $0.value.0 == heard.queue }.keys
      record.letGo((outcomes(of: heard).map(\.operation) + seen).filter { world.operations[$0]?.isEnd != true })
      for id in world.albums.first(where: { $0.queue == heard.queue })?.photos ?? [] { record.captionsSeen[id] = nil }
    case .isNoMember:
      let isOverdue = record.isOverdue(heard)
      // A crash may have lost what the device heard last: then it waits where it need not.
      record.await(heard)
      if let known = record.memberIn[heard.queue], known != heard.history, !isOverdue { return }
      record.letGo(outcomes(of: heard).map(\.operation))
      for id in world.albums.first(where: { $0.queue == heard.queue })?.photos ?? [] { record.captionsSeen[id] = nil }
    }
  }

  private func outcomes(of heard: Heard) -> [OperationOutcome] {
    let history = world.server.history.history(of: heard.queue, epoch: heard.epoch)
    return (history?.outcomes.values).map { Array($0) } ?? []
  }

  fileprivate static let tailMilliseconds: Int64 = 7 * 86_400_000
}

extension DeviceRecord {
  /// Whether an answer to a request that named a history of the server is of use.
  mutating func hear(_ answered: UUIDValue, named: UUIDValue?) -> Bool {
    if history == named { history = answered }
    return history == answered && (named == nil || named == answered)
  }

  fileprivate mutating func await(_ heard: Heard) {
    if awaitedSince[heard.queue] == nil { awaitedSince[heard.queue] = heard.time }
  }

  /// Also where the server's clock was set back meanwhile, so that nobody knows how long it was.
  fileprivate func isOverdue(_ heard: Heard) -> Bool {
    guard let since = awaitedSince[heard.queue] else { return false }
    return abs(heard.time - since) > Device.tailMilliseconds
  }
}
