// How the app syncs in one life of a device: all the time, or now and then.

import ClientStore
import ClientSync
import Determinism
import TestSupport

extension Device {
  /// The task that is cancelled at the end of the life.
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
          // Both at once: the standing sync waits for the end of the other.
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
  /// After so many the app begins to sync all the time; nil where it never does.
  private var left: Int?
  private var underWay: OnceCall?
  private(set) var hasStanding = false

  init(_ device: Device, _ process: SimulatedProcess, _ random: SeededRandom) {
    (self.device, self.process, self.random) = (device, process, random)
    if self.random.chance(30) { left = 1 + self.random.below(4) }
  }

  private var world: World { device.world }

  /// Until the next call.
  func interval() -> Int64 { world.isQuiet ? 25_000 : Int64(random.below(random.chance(50) ? 400 : 20_000)) }

  var isLast: Bool { left.map { $0 <= 1 } ?? false }
  func standingBegins() { hasStanding = true }

  /// Nobody has asked for it.
  var isRequestUncalledFor: Bool { underWay == nil && !hasStanding }

  /// One call, and what it was worth; returns whether there may be another one.
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
    // Weak: what waits for its moment must not keep a process that has the time.
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
