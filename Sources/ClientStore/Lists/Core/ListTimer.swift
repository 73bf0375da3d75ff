// The one timer of a store's lists: wakes those of which objects come or go as time passes.

import Determinism

/// Sleeps until the next moment of all lists, in one task; there is none while no list waits for a moment.
///
/// A leaf in the order of locks: a list sets its moment under its own lock.
final class ListTimer: Sendable {
  /// The clock may be set meanwhile: a list hears of that after so much time at most.
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
    /// Ends it earlier.
    var interrupt: AsyncStream<Void>.Continuation

    /// Whether it ends too late for a list, or the clock may have been set since: its end is none that the clock shows.
    func isWrong(for next: Int64?, at now: Int64) -> Bool {
      guard let next else { return true }
      return next < end || now < beginning || now - beginning >= 1_000
    }
  }

  private let environment: RuntimeEnvironment
  private let state = StoreLock(State())

  init(_ environment: RuntimeEnvironment) { self.environment = environment }

  /// Wakes the consumers of a list, known by its number in the store's log, once at the moment; nil for not at all.
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

  /// False where nobody can sleep any more, as at the end of the process: it would be tried without a pause.
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

  /// How long to sleep, and what ends that; nil where no list waits any more.
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
