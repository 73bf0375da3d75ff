// Faults between the service and its database.

import StoreTestSupport
import SyncServer
import TestSupport

/// Asked before, in and after every transaction. `@unchecked Sendable`: a world and everything in it runs on one
/// thread.
struct ServerFaults: @unchecked Sendable {
  unowned let world: World

  /// Throws if the storage cannot serve now; nothing has been read then.
  func beforeReading() throws {
    if world.has(.serverStorage), world.random.chance(1) {
      world.fault(.serverStorage, "busy reading")
      throw StorageError(.busy, "The database is busy.")
    }
  }

  func beforeWriting() throws {
    guard world.has(.serverStorage), world.random.chance(3) else { return }
    world.fault(.serverStorage, "busy or failing")
    throw StorageError(world.random.pick([.busy, .diskFull, .inputOutput]), "The database cannot be written.")
  }

  /// Throws although the transaction is committed.
  func afterWriting() throws {
    guard world.has(.serverStorage), world.random.chance(2) else { return }
    world.fault(.serverStorage, "throws after commit")
    throw StorageError(.inputOutput, "The database failed after it had written.")
  }

  /// Throws in the middle of a transaction, which must then leave nothing.
  func whileWriting() throws {
    guard world.has(.serverStorage), world.random.chance(1) else { return }
    world.fault(.serverStorage, "throws in the middle")
    throw StorageError(.inputOutput, "The database failed while it was written.")
  }
}
