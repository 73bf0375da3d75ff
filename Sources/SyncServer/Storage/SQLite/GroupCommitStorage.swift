// One SQLite file for many clients: waiting writes share one sync of the disk, and no caller's thread waits for it.

import Foundation
package import WireFormat

/// A `SQLiteStorage` on threads of its own. Transactions that come while others are written are then written together.
/// Each is atomic by itself, and all are durable before any of them returns. Users take turns by the time that their
/// transactions take.
package final class GroupCommitStorage: QueueStorage {
  private let storage: SQLiteStorage
  /// Long transactions of one user take at most a third of the time while others write.
  private let writes = JobQueue<GroupedWrite>(capacity: 10_000, rest: 2)
  private let readers: any BlockingCalls
  private let counts = WriteCounts()

  /// The most transactions that share one sync. With more, the first would wait too long for the last.
  private static let together = 64
  /// The most transactions of one user that share a sync with those of others, which wait for all of them.
  private static let ofOneUser = 8
  /// Seconds that transactions before one sync may take. A job that usually takes longer than the rest of this waits
  /// for the next sync.
  private static let secondsTogether = 0.004

  package convenience init(_ storage: SQLiteStorage) {
    self.init(storage, readers: WorkerThreads(4, atOnce: 3, name: "reader", waiting: 20_000))
  }

  package init(_ storage: SQLiteStorage, readers: any BlockingCalls) {
    self.storage = storage
    self.readers = readers
    let (writes, counts) = (writes, counts)
    let thread = Thread {
      while let first = writes.take() { counts.add(Self.write(first, writes, to: storage)) }
    }
    thread.name = "writer"
    thread.start()
  }

  /// Writes `first` and waiting jobs with one sync. Returns how many transactions were written together.
  private static func write(
    _ first: RunningJob<GroupedWrite>, _ writes: JobQueue<GroupedWrite>, to storage: SQLiteStorage
  ) -> Int {
    var running: RunningJob<GroupedWrite>? = first
    var (count, seconds) = (1, secondsTogether)
    var countOfUser = [first.user: 1]
    func end() {
      if let ended = running { seconds -= writes.ended(ended) }
      running = nil
    }
    GroupedWrite.write(first.job, to: storage) {
      end()
      guard count < together, seconds > 0 else { return nil }
      running = writes.takeNow(within: seconds) {
        countOfUser.count == 1 || countOfUser[$0, default: 0] < ofOneUser
      }
      if let running {
        count += 1
        countOfUser[running.user, default: 0] += 1
      }
      return running?.job
    }
    // If the disk failed, the last job has not ended yet.
    end()
    return count
  }

  deinit { writes.close() }

  /// Whether damage was found since the database was opened.
  package var isDamaged: Bool { storage.isDamaged }

  /// How many transactions of callers were written since the start, and in how many transactions of SQLite.
  package var written: (transactions: Int, syncs: Int) { counts.value }

  /// How much the database takes now.
  package func totals() async throws -> UsageTotals {
    try await readers.run { try storage.totals() }
  }

  /// How many users were seen with which version on a day, counted from 1970.
  package func versionCounts(of day: Int64) async throws -> [VersionCount] {
    try await readers.run { try storage.versionCounts(since: day, on: day) }
  }

  package func read<Result: Sendable>(
    _ body: @Sendable (any QueueSnapshot) throws -> Result
  ) async throws -> Result {
    try await readers.run { try storage.read(body) }
  }

  package func write<Result: Sendable>(
    to _: QueueID, _ body: @Sendable (any QueueTransaction) throws -> Result
  ) async throws -> Result {
    try await GroupedWrite.perform(on: storage, body) { writes.add($0) }
  }

  package func isAwaited(_: QueueID, besides user: UserID) -> Bool { writes.hasOthers(than: user) }
}
