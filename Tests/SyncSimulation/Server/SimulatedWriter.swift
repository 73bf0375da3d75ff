// The thread that writes, as a task of the server's process: transactions that wait become one of SQLite.

import Determinism
import SyncServer
import TestSupport
import WireFormat

/// Collects and writes transactions with the parts of `GroupCommitStorage` that know no thread. In some worlds each is
/// written by itself, at once.
///
/// `@unchecked Sendable`: a world and everything in it runs on one thread.
final class SimulatedWriter: @unchecked Sendable {
  private let storage: SQLiteStorage
  private let environment: RuntimeEnvironment
  private unowned let world: World
  private var waiting: [GroupedWrite] = []
  /// What the bodies of the transaction of SQLite that is open have come to, in their order.
  private var open: [TransactionRecord] = []
  private var isOver = false

  init(_ storage: SQLiteStorage, _ environment: RuntimeEnvironment, world: World) {
    (self.storage, self.environment, self.world) = (storage, environment, world)
  }

  /// `body` ends with `note` where it has come to something.
  func write<Result: Sendable>(
    to queue: UUIDValue, _ body: @Sendable (any QueueTransaction) throws -> Result
  ) async throws -> Result {
    if world.plan.writesTogether { return try await GroupedWrite.perform(on: storage, body, add: add) }
    do {
      let result = try storage.write(to: queue, body)
      end(nil)
      return result
    } catch {
      end(error)
      throw error
    }
  }

  /// Where the shared transaction is committed, this is what one of its bodies did.
  func note(_ record: TransactionRecord, _ effects: PlainEffects) {
    record.effects = effects
    open.append(record)
    world.server.referee.take(effects)
  }

  /// The process ends: nobody writes what waits.
  func stop() {
    isOver = true
    for write in waiting { write.fail(StorageError(.inputOutput, "The process has ended.")) }
    waiting = []
  }

  private func add(_ write: GroupedWrite) -> Bool {
    guard !isOver else { return false }
    waiting.append(write)
    if world.isQuiet {
      environment.spawn { [self] in writeAll() }
    } else if waiting.count == 1 {
      let milliseconds = self.milliseconds
      environment.spawn { [self] in
        if milliseconds > 0 { try? await environment.sleep(milliseconds: milliseconds) }
        writeAll()
      }
    }
    return true
  }

  /// For which the disk is busy with what came before.
  private var milliseconds: Int64 {
    switch world.random.below(10) {
    case 0..<5: 0
    case 5..<9: Int64(world.random.below(40))
    default: Int64(world.random.below(1_500))
    }
  }

  private func writeAll() {
    var batch = waiting[...]
    waiting = []
    if batch.count > 1 { world.count("transactions written together", batch.count) }
    // Where the disk fails, those that were not begun are written by the next one.
    while let first = batch.popFirst() { end(GroupedWrite.write(first, to: storage) { batch.popFirst() }) }
  }

  /// All of them are committed, or none; whether some that failed are on disk will show when the server is back.
  private func end(_ error: (any Error)?) {
    let records = open
    open = []
    world.server.referee.endTogether()
    if error == nil { return world.server.history.takeCommitted(records) }
    if !records.isEmpty { world.server.history.doubt(records) }
    if records.count > 1 { world.count("a shared transaction fails") }
  }
}
