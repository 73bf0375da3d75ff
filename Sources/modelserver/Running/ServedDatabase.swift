// The database that is served: a file of SQLite, or PostgreSQL.

import Foundation
import SyncPostgres
import SyncServer
import WireFormat

/// What the server needs of its database besides queues.
protocol ServedDatabase: Sendable {
  var storage: any QueueStorage { get }
  /// The id of the database. Each answer names it and the history.
  var identity: ServerID { get }
  var history: HistoryTable { get }
  /// Set if opening it has begun a history: what was acknowledged since then may be lost.
  var lostSince: Timestamp? { get }
  /// Tells when the database can be served no more, and has to be opened again.
  var moves: AsyncStream<Void> { get }
  /// The files that users share.
  var files: any FileStorage { get }
  /// How many calls to them may wait at a time.
  var fileThreads: Int { get }
  /// The folders whose disks the server writes to.
  var places: [String] { get }
  /// Whether damage was found since the database was opened.
  var isDamaged: Bool { get }
  /// Whether the database is elsewhere, and cannot be reached.
  var isAway: Bool { get }
  /// How many transactions were written since the start, and with how many syncs of the disk or commits.
  var written: (transactions: Int, syncs: Int) { get }

  func totals() async throws -> UsageTotals
  func versionCounts(of day: Int64) async throws -> [VersionCount]
  /// Lets the service hear what other servers with the same database tell.
  func listen(for service: SyncService)
  /// Nothing may be read or written after this.
  func close() throws
}

extension ServedDatabase {
  /// The newest time that a server has noted.
  func newestNoted() async throws -> Timestamp { try await storage.read { try $0.newestTime() } }
}

/// A file of SQLite, which one server has for itself.
final class SQLiteDatabase: ServedDatabase, @unchecked Sendable {
  private let path: DatabasePath
  /// Only `init` and `close` change it.
  private var lock: DatabaseLock
  private let file: SQLiteStorage
  private let grouped: GroupCommitStorage

  init(_ path: DatabasePath, creates: Bool, readers: WorkerThreads) throws {
    try path.mustBeNothingElse("--database")
    if !creates { try path.mustBeServed() }
    self.path = path
    lock = try DatabaseLock(path)
    do {
      file = try Mistake.ofStorage("--database") { try SQLiteStorage(path: path.path) }
      try lock.lockInode()
    } catch {
      lock.release()
      throw error
    }
    grouped = GroupCommitStorage(file, readers: readers)
  }

  var storage: any QueueStorage { grouped }
  var identity: ServerID { file.identity }
  var history: HistoryTable { file.history }
  var lostSince: Timestamp? { nil }
  var moves: AsyncStream<Void> { AsyncStream { $0.finish() } }
  var files: any FileStorage { FolderStorage(path: path.files) }
  var fileThreads: Int { 4 }
  var places: [String] { path.places }
  var isDamaged: Bool { grouped.isDamaged }
  var isAway: Bool { false }
  var written: (transactions: Int, syncs: Int) { grouped.written }

  func totals() async throws -> UsageTotals { try await grouped.totals() }
  func versionCounts(of day: Int64) async throws -> [VersionCount] { try await grouped.versionCounts(of: day) }
  func listen(for service: SyncService) {}

  func close() throws {
    defer { lock.release() }
    try Mistake.ofStorage("--database") { try file.close() }
  }
}

/// A database of PostgreSQL, which any number of servers may share.
final class PostgresDatabase: ServedDatabase {
  private let postgres: PostgresStorage
  private let place: FilesPlace
  let files: any FileStorage

  /// All servers of the database see the same `place`.
  init(_ address: String, files place: FilesPlace, creates: Bool, readers: WorkerThreads) throws {
    self.place = place
    files = try place.open(creates: creates)
    let writers = WorkerThreads(16, atOnce: 8, name: "writer", waiting: 10_000, rest: 2)
    postgres = try Mistake.ofStorage("--postgres") {
      try PostgresStorage(address, creates: creates, readers: readers, writers: writers)
    }
  }

  var storage: any QueueStorage { postgres }
  var identity: ServerID { postgres.identity }
  var history: HistoryTable { postgres.history }
  var lostSince: Timestamp? { postgres.lostSince }
  var moves: AsyncStream<Void> { postgres.moves }
  var places: [String] { if case .folder(let path) = place { [path] } else { [] } }
  var fileThreads: Int { place.threads }
  var isDamaged: Bool { false }
  var isAway: Bool { postgres.isAway }
  var written: (transactions: Int, syncs: Int) { postgres.written }

  func totals() async throws -> UsageTotals { try await postgres.totals() }
  func versionCounts(of day: Int64) async throws -> [VersionCount] { try await postgres.versionCounts(of: day) }
  func listen(for service: SyncService) { postgres.listen { await service.hear($0) } }
  func close() { postgres.close() }
}
