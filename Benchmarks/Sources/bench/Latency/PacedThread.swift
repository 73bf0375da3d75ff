// A thread that calls something at a steady pace, as the main thread of an app does, and notes how long it was away.

import Foundation
import Synchronization

/// `@unchecked Sendable`: the thread writes the times, and they are read after it has ended.
final class PacedThread: @unchecked Sendable {
  /// Of one kind of call, in seconds.
  struct Times {
    let name: String
    var calls: [Double] = []
    /// From when a call was due until it was over: a thread that was not let run is late as well.
    var delays: [Double] = []
  }

  private(set) var times: [Times]
  private let calls: [() throws -> Void]
  private let isCounted: @Sendable () -> Bool
  private let isOver = Atomic(false)
  private let hasEnded = DispatchSemaphore(value: 0)
  private var failure: (any Error)?

  /// Starts at once. The calls take turns, one every millisecond; those count that start while `isCounted`.
  init(_ calls: [(name: String, call: () throws -> Void)], isCounted: @escaping @Sendable () -> Bool) {
    times = calls.map { Times(name: $0.name) }
    self.calls = calls.map(\.call)
    self.isCounted = isCounted
    let thread = Thread { [self] in
      do { try run() } catch { failure = error }
      isOver.store(true, ordering: .relaxed)
      hasEnded.signal()
    }
    // Of the main thread's rank.
    thread.qualityOfService = .userInteractive
    thread.start()
  }

  /// False also when a call has failed.
  var isRunning: Bool { !isOver.load(ordering: .relaxed) }

  /// Waits until the thread has ended.
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
      // What was due while a call ran late is left out, as a main thread does one thing at a time.
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
