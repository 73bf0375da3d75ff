// How the app syncs during one life of a device: continuously, or by single calls.

import ClientStore
import ClientSync
import Determinism
import TestSupport

extension Device {
  /// Starts to sync. Returns the task, which the end of the life cancels.
  func beginSyncing(
    _ client: SyncClient, _ process: SimulatedProcess, _ environment: RuntimeEnvironment
  ) -> Task<Void, Never> {
    var random = SeededRandom(seed: world.seed(of: "way \(name) \(lives)"))
    let ended = OnThisThread { [unowned self] (error: (any Error)?) in syncEnded(process, error) }
    let run: @Sendable () async -> Void = {
      do {
        try await client.run()
        ended.call(nil)
      } catch { ended.call(error) }
    }
    once = nil
    guard world.plan.faults.contains(.once), random.chance(50) else {
      return Task(executorPreference: process.executor) { await run() }
    }
    world.fault(.once)
    let calls = OnceCalls(self, process, random)
    once = calls
    return Task(executorPreference: process.executor) {
      while !Task.isCancelled {
        do { try await environment.sleep(milliseconds: calls.interval()) } catch { return }
        if calls.isLast {
          // Both start at once. `run` waits until a `syncOnce` that began before it has ended.
          let other = Task(executorPreference: process.executor) { await calls.call(client) }
          calls.standingBegins()
          await withTaskCancellationHandler {
            await run()
          } onCancel: {
            other.cancel()
          }
          return
        }
        guard await calls.call(client) else { return }
      }
    }
  }
}

/// The calls of `syncOnce` in one life of a device.
///
/// `@unchecked Sendable`: a world and everything in it runs on one thread.
final class OnceCalls: @unchecked Sendable {
  private unowned let device: Device
  private let process: SimulatedProcess
  private var random: SeededRandom
  /// How many calls are left until the app begins to sync continuously; nil if it never does.
  private var left: Int?
  private var underWay: OnceCall?
  private(set) var hasStanding = false

  init(_ device: Device, _ process: SimulatedProcess, _ random: SeededRandom) {
    (self.device, self.process, self.random) = (device, process, random)
    if self.random.chance(30) { left = 1 + self.random.below(4) }
  }

  private var world: World { device.world }

  /// Milliseconds until the next call.
  func interval() -> Int64 { world.isQuiet ? 25_000 : Int64(random.below(random.chance(50) ? 400 : 20_000)) }

  var isLast: Bool { left.map { $0 <= 1 } ?? false }
  func standingBegins() { hasStanding = true }

  /// Whether a request would be one that nobody asked for: no `syncOnce` is under way, and the app does not sync
  /// continuously.
  var isRequestUncalledFor: Bool { underWay == nil && !hasStanding }

  /// Makes one call and judges its result. Returns whether another one may follow.
  @discardableResult
  func call(_ client: SyncClient) async -> Bool {
    guard !process.isOver, let call = OnceCall(device) else { return false }
    left = left.map { $0 - 1 }
    underWay = call
    let task = Task(executorPreference: process.executor) { try await client.syncOnce() }
    if !world.isQuiet, random.chance(15) {
      world.time.after(Int64(random.below(random.chance(50) ? 60 : 2_000))) { [weak call] in
        guard let call, !call.hasEnded else { return }
        call.isCancelled = true
        task.cancel()
      }
    }
    // Weak, because the process holds the time, and the time holds this closure until its moment comes.
    world.time.after(Self.patience) { [weak call, weak process] in
      guard let call, let process, !call.hasEnded, !process.isOver else { return }
      call.reportNoEnd()
    }
    var failure: (any Error)?
    do {
      try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
    } catch { failure = error }
    call.hasEnded = true
    guard !process.isOver, device.life?.process === process else { return false }
    underWay = nil
    return judge(call, failure)
  }

  private static let patience: Int64 = 15 * 60_000

  private func judge(_ call: OnceCall, _ failure: (any Error)?) -> Bool {
    world.trace("syncOnce of \(device.name): \(failure.map { "\($0)" } ?? "done")")
    device.isTouched = true
    switch failure {
    case nil:
      world.count("syncs once that are done")
      call.checkWhatWasDone()
    case let error as SyncError:
      world.count("syncs once that fail")
      call.check(error)
    case is CancellationError:
      world.count("syncs once that are cancelled")
      if !call.isCancelled { world.oracles.report("syncOnce of \(device.name) is cancelled by nobody") }
    case let error as StoreError where error.code == .busy && hasStanding: world.count("syncs once beside another")
    case let error?:
      device.syncEnded(process, error)
      return false
    }
    return true
  }
}
