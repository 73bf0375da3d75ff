// The one timer of a store: wakes lists whose objects come or go as time passes.

import Determinism

/// Sleeps in one task until the next moment of any list. There is no task while no list waits for a moment.
///
/// Its lock is the last in the order of locks, because a list sets its moment under its own lock.
final class ListTimer: Sendable {
  /// In milliseconds. If the clock is set meanwhile, lists hear of it after this time at most.
  static let longestSleep: Int64 = 3_600_000

  private struct State {
    var waiting: [Int: (moment: Int64, consumers: ListConsumers)] = [:]
    var isRunning = false
    var sleep: Sleep?

    var next: Int64? { waiting.values.map(\.moment).min() }
  }

  private struct Sleep {
    var beginning: Int64
    var end: Int64
    /// Ends the sleep early.
    var interrupt: AsyncStream<Void>.Continuation

    /// Whether the sleep ends too late for a list, or began a second ago or earlier: the clock may have been set since,
    /// and `end` be wrong.
    func isWrong(for next: Int64?, at now: Int64) -> Bool {
      guard let next else { return true }
      return next < end || now < beginning || now - beginning >= 1_000
    }
  }

  private let environment: RuntimeEnvironment
  private let state = Locked(State())

  init(_ environment: RuntimeEnvironment) { self.environment = environment }

  /// Sets when the consumers of a list are woken once; nil for never. `list` is its number in the store's log.
  func set(_ list: Int, to moment: Int64?, at now: Int64, waking consumers: ListConsumers) {
    let isToStart = state.withLock { state in
      state.waiting[list] = moment.map { ($0, consumers) }
      if let sleep = state.sleep, sleep.isWrong(for: state.next, at: now) { sleep.interrupt.finish() }
      guard !state.isRunning, moment != nil else { return false }
      state.isRunning = true
      return true
    }
    if isToStart { environment.spawn { [self] in await run() } }
  }

  func remove(_ list: Int) {
    state.withLock { state in
      guard state.waiting.removeValue(forKey: list) != nil, state.waiting.isEmpty else { return }
      state.sleep?.interrupt.finish()
    }
  }

  private func run() async {
    while let (milliseconds, interrupts) = wakeAndPlan() {
      guard await sleep(milliseconds, or: interrupts) else { return stop() }
    }
  }

  private func stop() { state.withLock { ($0.isRunning, $0.sleep) = (false, nil) } }

  /// Returns false if nobody can sleep any more, as at the end of the process. Trying again would never pause.
  private func sleep(_ milliseconds: Int64, or interrupts: AsyncStream<Void>) async -> Bool {
    await withTaskGroup(of: Bool.self) { [environment] group in
      group.addTask { (try? await environment.sleep(milliseconds: milliseconds)) != nil }
      group.addTask {
        for await _ in interrupts {}
        return !Task.isCancelled
      }
      defer { group.cancelAll() }
      return await group.next() ?? false
    }
  }

  /// Wakes the lists whose moment has come. Returns how many milliseconds to sleep, and what ends the sleep; nil if no
  /// list waits any more.
  private func wakeAndPlan() -> (Int64, AsyncStream<Void>)? {
    let now = environment.nowMilliseconds()
    let (due, plan) = state.withLock { state -> ([ListConsumers], (Int64, AsyncStream<Void>)?) in
      let due = state.waiting.filter { $0.value.moment <= now }
      for list in due.keys { state.waiting[list] = nil }
      guard let next = state.next else {
        (state.isRunning, state.sleep) = (false, nil)
        return (due.values.map(\.consumers), nil)
      }
      let (pause, isTooFar) = next.subtractingReportingOverflow(now)
      let milliseconds = isTooFar ? Self.longestSleep : min(pause, Self.longestSleep)
      let (interrupts, interrupt) = AsyncStream.makeStream(of: Void.self)
      state.sleep = Sleep(beginning: now, end: now + milliseconds, interrupt: interrupt)
      return (due.values.map(\.consumers), (milliseconds, interrupts))
    }
    for consumers in due { consumers.wake() }
    return plan
  }
}
