// Takes answers and failures into the machine, and reports its status. Pure.

import ClientStore
import SyncProtocol
import WireFormat

extension SyncMachine {
  /// Notes whether operations of a queue wait for files that the server lacks. If so, the server is asked again after
  /// 10 seconds or more, in case the end of an upload was missed. A commit of other operations does not end the wait.
  mutating func waitForFiles(in queue: QueueID, areMissing: Bool, at now: Timestamp, chance: UInt64) {
    if areMissing {
      let error = SyncError(.refused, "Files have to be uploaded first.")
      files[queue, default: Backoff()].fail(at: now, error, chance: chance, atLeast: 10_000)
    } else if facts.needs[queue]?.waitsForFiles != true {
      files[queue] = nil
    }
  }

  /// Ends the wait for the server, because it has answered, and counts its pauses anew.
  mutating func reached() {
    connection.succeed()
    pace.forgive()
  }

  mutating func backOff(_ failure: SyncFailure, at now: Timestamp, chance: UInt64) {
    switch failure.reaction {
    // Requests that were under way together fail together, and count as one failure or one pause.
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

  /// Makes all failed requests due now.
  mutating func hurry() {
    connection.hurry()
    pace.hurry()
    poll.backoff.hurry()
    for queue in asides.keys { asides[queue]?.hurry() }
    for queue in index[.hasFailed] { change(queue) { $0.hurry() } }
  }
}

extension [QueueID: Backoff] {
  /// Takes the queues whose waits are over.
  mutating func takeDue(at now: Timestamp) -> [QueueID] {
    let due = filter { $0.value.retryAt != nil && $0.value.isDue(at: now) }.keys
    for queue in due { self[queue]?.hurry() }
    return due.sorted()
  }
}

// The status of the machine.
extension SyncMachine {
  /// The failures for which queues wait. The entry of the home queue is the failure of the server as a whole, if there
  /// is one. That an app is too old is not among them: the store must not hold it against the app that comes next.
  var failures: [QueueID: QueueFailure] {
    let failed = index[.hasFailed].compactMap { queue in
      pumps[queue]?.failing.flatMap { $0.error?.code == .outdated ? nil : $0.failure }.map { (queue, $0) }
    }
    var failures = asides.compactMapValues(\.failure)
    failures.merge(failed) { $1 }
    if let failure = connection.failure ?? poll.backoff.failure { failures[home] = failure }
    return failures
  }

  /// Whether the client fetches, or asks what there is to fetch. It is idle only once it has asked.
  var isPulling: Bool {
    poll.next == .atOnce || poll.isAsking || underWay.values.contains { $0.kind != .push }
  }
  var isPushing: Bool { underWay.values.contains { $0.kind == .push } }

  /// The last error of the server as a whole, else that of the failing queue with the smallest id.
  var problem: SyncError? { problemOfServer ?? problemOfQueues }

  /// The same for a call that ends with it. That the app is too old to send goes before what may follow from it: a server
  /// that has lost a queue waits for an operation that makes it again.
  var problemOfCall: SyncError? { problemOfServer ?? problemOfQueues.map { withholds ? outdated ?? $0 : $0 } }

  private var problemOfServer: SyncError? {
    if let error = connection.error, connection.isRestored {
      return SyncError(error.code, "At the last sync: \(error.message)")
    }
    return connection.error ?? poll.backoff.error
  }

  private var problemOfQueues: SyncError? {
    let first = index[.hasFailed].filter { pumps[$0]?.failing != nil }.min()
    return first.flatMap { pumps[$0]?.failing?.error } ?? asides.min { $0.key < $1.key }?.value.error
  }
}
