// Runs the server's calls that wait for the folder's disk, as tasks of its process instead of threads.

import Determinism
import SyncServer
import TestSupport

/// Some calls wait a little, so that others come between. Each call itself is not interrupted.
///
/// `@unchecked Sendable`: a world and everything in it runs on one thread.
struct FileCalls: BlockingCalls, @unchecked Sendable {
  unowned let world: World
  let environment: RuntimeEnvironment

  func run<Result: Sendable>(_ body: @Sendable () throws -> Result) async throws -> Result {
    if !world.isQuiet, world.random.chance(40) {
      try await environment.sleep(milliseconds: Int64(world.random.below(world.random.chance(10) ? 2_000 : 30)))
    }
    if world.has(.serverStorage), world.random.chance(1) {
      throw StorageError(.busy, "Too many calls wait for the disk.")
    }
    return try body()
  }
}
