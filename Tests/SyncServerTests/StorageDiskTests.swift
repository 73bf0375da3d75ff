// Tests of the server's database on a disk that fails and loses power.

import StoreTestSupport
import SyncServer
import Testing
import WireFormat

@Suite struct StorageDiskTests {
  private let disk = FaultDisk()
  private let lost = QueueID.number(1)
  private let kept = QueueID.number(2)

  private func open() throws -> SQLiteStorage { try SQLiteStorage(path: disk.folder + "/server.sqlite") }

  private func add(_ queue: QueueID, to storage: SQLiteStorage) throws {
    try storage.write(to: queue) { try $0.write([.queue(StoredQueue(of: ""))], to: queue) }
  }

  private func queues() throws -> [QueueID] {
    try open().read { try $0.queues(after: nil, limit: 10) }.map(\.id)
  }

  /// After a failed sync the log has bytes that the system remembers and never writes. A transaction of the next
  /// process must not be lost in a power cut because it stands behind them.
  @Test func writeAfterARestartSurvivesAFailedSync() throws {
    var storage: SQLiteStorage? = try open()
    disk.fail(.sync, at: 1)
    #expect(throws: StorageError.self) { try storage.map { try add(lost, to: $0) } }
    disk.kill()
    storage = nil
    disk.restart()
    storage = try open()
    try storage.map { try add(kept, to: $0) }
    disk.cut(seed: 1)
    storage = nil
    disk.restart()
    #expect(try queues().contains(kept))
  }

  /// The same process goes on. Its next transaction takes the place of the failed one, and outlives a power cut.
  @Test func aFailedSyncTakesNothingElseAlong() throws {
    var storage: SQLiteStorage? = try open()
    disk.fail(.sync, at: 1)
    #expect(throws: StorageError.self) { try storage.map { try add(lost, to: $0) } }
    disk.heal()
    try storage.map { try add(kept, to: $0) }
    disk.cut(seed: 1)
    storage = nil
    disk.restart()
    #expect(try queues() == [kept])
  }
}
