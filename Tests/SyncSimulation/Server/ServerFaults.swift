// Faults between the service and its database.

import StoreTestSupport
import SyncServer
import TestSupport

/// Asked before, in and after every transaction. `@unchecked Sendable`: a world and everything in it runs on one
/// thread.
struct ServerFaults: @unchecked Sendable {
  unowned let world: World

  /// Throws if the storage cannot serve now; nothing has been read then.
  func beforeReading() throws { try fail(1, "busy reading", [.busy]) }

  func beforeWriting() throws { try fail(3, "busy or failing", [.busy, .diskFull, .inputOutput]) }

  /// Throws although the transaction is committed.
  func afterWriting() throws { try fail(2, "throws after commit", [.inputOutput]) }

  /// Throws in the middle of a transaction, which must then leave nothing.
  func whileWriting() throws { try fail(1, "throws in the middle", [.inputOutput]) }

  private func fail(_ share: UInt64, _ what: String, _ codes: [StorageError.Code]) throws {
    guard world.has(.serverStorage), world.random.chance(share) else { return }
    world.fault(.serverStorage, what)
    throw StorageError(world.random.pick(codes), "The database fails.")
  }
}
