// One SQLite file with many clients: writes that wait share one sync of the disk, and no caller's thread waits for it.

import Foundation
public import WireFormat

/// A `SQLiteStorage` on threads of its own. Transactions that come while one is written are written together: each whole
/// or not at all by itself, all of them durable before any returns.
public final class GroupCommitStorage: QueueStorage {
  private let storage: SQLiteStorage
  private let writes = JobQueue<GroupedWrite>(capacity: 10_000)
  private let readers: WorkerThreads
  private let counts = GroupCommitCounts()

  /// As many as share one sync: more would make the first of them wait for the last.
  private static let together = 64

  public init(_ storage: SQLiteStorage, readers: Int = 4) {
    self.storage = storage
    self.readers = WorkerThreads(readers, name: "reader", waiting: 20_000)
    let (writes, counts) = (writes, counts)
    let thread = Thread {
      while case let batch = writes.take(atMost: Self.together), !batch.isEmpty {
        GroupedWrite.write(batch, to: storage)
        counts.add(batch.count)
      }
    }
    thread.name = "writer"
    thread.start()
  }

  deinit { writes.close() }

  /// Whether damage was found since the database was opened.
  public var isDamaged: Bool { storage.isDamaged }

  /// Transactions of callers, and of SQLite, since the start.
  public var written: (transactions: Int, syncs: Int) { counts.value }

  public func read<Result: Sendable>(
    _ body: @Sendable (any QueueSnapshot) throws -> Result
  ) async throws -> Result {
    try await readers.run { try storage.read(body) }
  }

  public func write<Result: Sendable>(
    to _: UUIDValue, _ body: @Sendable (any QueueTransaction) throws -> Result
  ) async throws -> Result {
    try await GroupedWrite.perform(on: storage, body) { writes.add($0) }
  }
}

/// `@unchecked Sendable`: behind a lock.
private final class GroupCommitCounts: @unchecked Sendable {
  private let lock = NSLock()
  private var transactions = 0
  private var syncs = 0

  var value: (transactions: Int, syncs: Int) { lock.withLock { (transactions, syncs) } }

  func add(_ count: Int) {
    lock.withLock {
      transactions += count
      syncs += 1
    }
  }
}
