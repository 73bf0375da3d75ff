// A thread that makes calls at a steady pace, as the main thread of an app does. It notes how long each call took and
// how late it ended.

import Foundation
import Synchronization

/// `@unchecked Sendable`: the thread writes the times, and they are read after it has ended.
final class PacedThread: @unchecked Sendable {
  /// The times of one kind of call, in seconds.
  struct Times {
    let name: String
    var calls: [Double] = []
    /// From when a call was due until it was over. Includes the time in which the system did not run the thread.
    var delays: [Double] = []
  }

  private(set) var times: [Times]
  private let calls: [() throws -> Void]
  private let isCounted: @Sendable () -> Bool
  private let isOver = Atomic(false)
  private let hasEnded = DispatchSemaphore(value: 0)
  private var failure: (any Error)?

  /// Starts at once. The calls take turns, one every millisecond. A call counts if `isCounted` is true when it starts.
  init(_ calls: [(name: String, call: () throws -> Void)], isCounted: @escaping @Sendable () -> Bool) {
    times = calls.map { Times(name: $0.name) }
    self.calls = calls.map(\.call)
    self.isCounted = isCounted
    let thread = Thread { [self] in
      do { try run() } catch { failure = error }
      isOver.store(true, ordering: .relaxed)
      hasEnded.signal()
    }
    // The priority of a main thread.
    thread.qualityOfService = .userInteractive
    thread.start()
  }

  /// False also after a call has failed, which ends the thread.
  var isRunning: Bool { !isOver.load(ordering: .relaxed) }

  /// Ends the thread and waits for its end. Throws the error of a failed call.
  func stop() throws -> [Times] {
    isOver.store(true, ordering: .relaxed)
    hasEnded.wait()
    if let failure { throw failure }
    return times
  }

  private func run() throws {
    var due = ContinuousClock.now
    var kind = 0
    while !isOver.load(ordering: .relaxed) {
      kind = (kind + 1) % calls.count
      // Skips calls that became due while an earlier one ran, because a main thread does one thing at a time.
      due = max(due + .milliseconds(1), .now)
      let pause = (due - .now) / .seconds(1)
      if pause > 0 { Thread.sleep(forTimeInterval: pause) }
      let isCounted = isCounted()
      let start = ContinuousClock.now
      try calls[kind]()
      let end = ContinuousClock.now
      guard isCounted else { continue }
      times[kind].calls.append((end - start) / .seconds(1))
      times[kind].delays.append((end - due) / .seconds(1))
    }
  }
}
