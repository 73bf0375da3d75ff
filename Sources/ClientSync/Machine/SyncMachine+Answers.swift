// Takes answers and failures into the machine, and reports its status. Pure.

import ClientStore
import ModelTypes
import SyncProtocol
import WireFormat

extension SyncMachine {
  /// An upload that ends tells the store; should that be missed, the server is asked again after a while. A commit of other
  /// operations says nothing of those that wait.
  mutating func noteFiles(
    in queue: QueueID, areMissing: Bool, _ facts: SyncFacts, at now: Timestamp, chance: UInt64
  ) {
    if areMissing {
      let error = SyncError(.refused, "Files have to be uploaded first.")
      files[queue, default: Backoff()].fail(at: now, error, chance: chance, atLeast: 10_000)
    } else if facts.needs[queue]?.waitsForFiles != true {
      files[queue] = nil
    }
  }

  mutating func takeDueFiles(at now: Timestamp) -> [QueueID] {
    let due = files.filter { $0.value.retryAt != nil && $0.value.isDue(at: now) }.keys
    for queue in due { files[queue]?.hurry() }
    return due.sorted { $0.rawValue < $1.rawValue }
  }

  mutating func heard(_ time: Timestamp, in history: UUIDValue?) {
    serverTime = max(serverTime ?? time, time)
    (answerTime, answerHistory) = (time, history)
  }

  /// Any answer of the server: it is back, and who waited for that goes on.
  mutating func reached() {
    connection.succeed()
    pace.forgive()
  }

  mutating func note(_ failure: SyncFailure, at now: Timestamp, chance: UInt64) {
    switch failure.reaction {
    // Requests that were under way together fail together: that is one failure, or one pause.
    case .slowDown where !pace.isDue(at: now):
      pace.postpone(at: now, by: min(failure.retryAfterMilliseconds, Self.longestPause))
    case .slowDown
    where !connection.hasFailed && pace.attempts < Self.patience
      && failure.retryAfterMilliseconds <= Self.longestPause:
      let milliseconds = max(failure.retryAfterMilliseconds, Backoff.firstMilliseconds)
      pace.fail(at: now, failure.error, chance: chance, atLeast: milliseconds)
    case .waitForServer, .refreshCredentials, .slowDown:
      guard connection.isDue(at: now) else { return }
      connection.fail(at: now, failure.error, chance: chance, atLeast: failure.retryAfterMilliseconds)
    case .waitWithQueue, .halveBatch: reached()
    }
  }

  /// A poll over all queues has ended: of the ranges that the answer has, whatever stands elsewhere has changed.
  mutating func didPoll(_ answer: ChangedAllAnswer, _ facts: SyncFacts, at now: Timestamp, chance: UInt64) {
    let (sums, ranges) = (PlaceSums(forQueues: poll.question.places.count), Set(answer.ranges))
    let told = Dictionary(answer.places.map { (QueueID($0.queue), $0) }) { first, _ in first }
    let asked = poll.question.places.filter { ranges.isEmpty || ranges.contains(sums.range(of: $0.key.rawValue)) }
    let changed = ranges.isEmpty ? [] : asked.filter { !$0.value.isWhere(told[$0.key]) }.keys.map { $0 }
    // In an order, so that a simulation can be repeated.
    didPoll(changed.sorted { $0.rawValue < $1.rawValue }, of: asked, facts, at: now, chance: chance)
    let strangers = told.keys.filter { poll.question.places[$0] == nil && ranges.contains(sums.range(of: $0.rawValue)) }
    poll.strangers.formUnion(strangers.prefix(ProtocolLimits.changedQueues))
  }

  /// A queue that was read on since is asked for again by the next poll, with its new place. `asked`: those of which the
  /// answer tells.
  mutating func didPoll(
    _ changed: [QueueID], of asked: [QueueID: QueuePlace]? = nil, _ facts: SyncFacts, at now: Timestamp, chance: UInt64
  ) {
    reached()
    let took = now.millisecondsSince1970 - poll.beganAt.millisecondsSince1970
    poll.hasty = poll.isWaiting && changed.isEmpty && took < Backoff.firstMilliseconds ? poll.hasty + 1 : 0
    poll.isBusy = false
    poll.isFirst = false
    poll.isTurnedAway = false
    poll.backoff.succeed()
    if poll.hasty > 2 {
      let error = SyncError(.unreachable, "The server does not let anybody wait for news.")
      poll.backoff.fail(at: now, error, chance: chance, atLeast: Backoff.firstMilliseconds)
    }
    let named = Set(changed)
    for (queue, place) in asked ?? poll.question.places where !named.contains(queue) && pumps[queue]?.isBusy == false {
      // What is loaded again by now was not asked about.
      if facts.places[queue] ?? QueuePlace() == place { pumps[queue]?.hasNothingNew() }
    }
    for queue in changed where facts.places[queue] ?? QueuePlace() == poll.question.places[queue] {
      pumps[queue, default: QueuePump()].isBehind = true
    }
  }

  mutating func didFailPoll(_ failure: SyncFailure, at now: Timestamp, chance: UInt64) {
    poll.isBusy = false
    if failure.reaction == .slowDown && poll.isWaiting {
      // Too many wait already. Everything else is served, and news are asked for now and then.
      reached()
      poll.isTurnedAway = true
      let milliseconds = max(failure.retryAfterMilliseconds, Self.pauseOfPolls)
      return poll.backoff.fail(at: now, failure.error, chance: chance, atLeast: milliseconds)
    }
    note(failure, at: now, chance: chance)
    if failure.reaction == .waitWithQueue || failure.reaction == .halveBatch {
      if poll.question.except != nil {
        poll.mustName = true
        return
      }
      poll.backoff.fail(at: now, failure.error, chance: chance)
    }
  }

  /// Nobody waits for its answer any more.
  mutating func didEndPoll() { poll.isBusy = false }

  /// What the home queue says now. A queue that is not named is asked why.
  mutating func follow(_ memberships: [QueueID: UUIDValue], _ facts: SyncFacts) {
    self.memberships = memberships
    poll.strangers = []
    // A restore gives back memberships as they were: what was refused under one may be served under it again. And the
    // server may have let the user leave, and not have written it into the home queue yet.
    for (queue, pump) in pumps where pump.refusedGrant != nil {
      pumps[queue]?.refusedGrant = nil
      pumps[queue]?.asksWhy = true
    }
    for (queue, place) in facts.places where queue != home && memberships[queue] == nil {
      guard place.load == .loaded || place.load == .loading else { continue }
      pumps[queue, default: QueuePump()].isBehind = true
      pumps[queue]?.asksWhy = true
    }
  }

  /// Ends every wait at once.
  mutating func hurry() {
    connection.hurry()
    pace.hurry()
    poll.backoff.hurry()
    for queue in pumps.keys { pumps[queue]?.hurry() }
  }
}

// How it stands.
extension SyncMachine {
  /// What waits and why, by queue; in the place of the home queue, what the server as a whole failed with.
  var failures: [QueueID: QueueFailure] {
    var failures = pumps.compactMapValues { $0.failing?.failure }
    if let failure = connection.failure ?? poll.backoff.failure { failures[home] = failure }
    return failures
  }

  /// Asking what there is to fetch is a part of it: who is idle has asked.
  var isPulling: Bool {
    poll.isFirst || poll.isBusy && !poll.isWaiting || underWay.values.contains { $0.kind != .push }
  }
  var isPushing: Bool { underWay.values.contains { $0.kind == .push } }

  /// What went wrong last: with the server, else with the queue that comes first.
  var problem: SyncError? {
    if let error = connection.error ?? poll.backoff.error { return error }
    let failing = pumps.filter { $0.value.failing != nil }
    return failing.min { $0.key.rawValue < $1.key.rawValue }?.value.failing?.error
  }
}

extension SyncMachine.Question {
  /// What the server's must be where nothing has changed.
  var sums: PlaceSums {
    var sums = PlaceSums(forQueues: places.count)
    for (queue, place) in places {
      sums.add(queue.rawValue, epoch: place.epoch ?? .zero, grant: place.grant ?? .zero, cursor: place.cursor)
    }
    return sums
  }
}

extension QueuePlace {
  /// Whether the server has the queue there too; not where it names it no more.
  fileprivate func isWhere(_ place: ChangedAllAnswer.Place?) -> Bool {
    place.map { $0.epoch == epoch && $0.grant == grant && $0.head == cursor } ?? false
  }
}
