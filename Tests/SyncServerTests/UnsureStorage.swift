// A storage that fails where a test says, and counts reads.

import SyncServer
import WireFormat

/// A storage that fails after it has written. `@unchecked Sendable`: used by one call at a time.
final class UnsureStorage: QueueStorage, @unchecked Sendable {
  private let storage: SQLiteStorage
  var failsAfterWriting = false
  private(set) var reads = 0

  init(_ storage: SQLiteStorage) { self.storage = storage }

  func read<Result: Sendable>(_ body: @Sendable (any QueueSnapshot) throws -> Result) async throws -> Result {
    reads += 1
    return try storage.read(body)
  }

  func write<Result: Sendable>(
    to queue: QueueID, _ body: @Sendable (any QueueTransaction) throws -> Result
  ) async throws -> Result {
    let result = try storage.write(to: queue, body)
    if failsAfterWriting { throw StorageError(.inputOutput, "The disk failed after it had written.") }
    return result
  }
}
