// The thread that writes, as a task of the server's process: waiting transactions become one of SQLite.

import Determinism
import SyncServer
import TestSupport
import WireFormat

/// Collects and writes transactions with the parts of `GroupCommitStorage` that know no thread. In some worlds each
/// transaction is written alone, at once.
///
/// `@unchecked Sendable`: a world and everything in it runs on one thread.
final class SimulatedWriter: @unchecked Sendable {
  private let storage: SQLiteStorage
  private let environment: RuntimeEnvironment
  private unowned let world: World
  private var waiting: [GroupedWrite] = []
  /// The records of the bodies in the open transaction of SQLite, in order.
  private var open: [TransactionRecord] = []
  private var isOver = false

  init(_ storage: SQLiteStorage, _ environment: RuntimeEnvironment, world: World) {
    (self.storage, self.environment, self.world) = (storage, environment, world)
  }

  /// `body` calls `note` at its end, unless it throws.
  func write<Result: Sendable>(
    to queue: QueueID, _ body: @Sendable (any QueueTransaction) throws -> Result
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

  /// Notes what a body did. It counts once the shared transaction is committed.
  func note(_ record: TransactionRecord, _ effects: PlainEffects) {
    record.effects = effects
    open.append(record)
    world.server.referee.take(effects)
  }

  /// Ends with the process: waiting transactions fail.
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

  /// How long the disk is busy with earlier writes.
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
    // If the disk fails, the next transaction of SQLite writes those that were not begun.
    while let first = batch.popFirst() { end(GroupedWrite.write(first, to: storage) { batch.popFirst() }) }
  }

  /// Notes the end of a transaction of SQLite: all bodies are committed, or none. Whether a failed one is on the disk
  /// shows at the next start.
  private func end(_ error: (any Error)?) {
    let records = open
    open = []
    world.server.referee.endTogether()
    if error == nil { return world.server.history.takeCommitted(records) }
    if !records.isEmpty { world.server.history.doubt(records) }
    if records.count > 1 { world.count("a shared transaction fails") }
  }
}
