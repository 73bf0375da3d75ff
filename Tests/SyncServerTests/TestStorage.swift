// The storages on which the tests of the server run: SQLite, and PostgreSQL where it is installed.

import Determinism
import Foundation
import GRDB
import SyncServer
import TestSupport
import Testing
import WireFormat

@testable import SyncPostgres

/// Where a test server stores its queues.
enum StorageKind: String, CaseIterable, Sendable {
  case sqlite, postgres

  /// The one of the test that runs.
  @TaskLocal static var current: StorageKind = .sqlite
}

/// Runs the tests of a suite once on each storage.
struct OnEachStorage: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    for kind in StorageKind.allCases {
      if kind == .postgres, PostgresCluster.shared == nil { continue }
      try await StorageKind.$current.withValue(kind) { try await function() }
    }
  }
}

extension Trait where Self == OnEachStorage {
  static var onEachStorage: Self { Self() }
}

/// A storage of a test's own.
///
/// `@unchecked Sendable`: nothing changes.
enum TestStorage: QueueStorage, @unchecked Sendable {
  case sqlite(SQLiteStorage, TemporaryFolder)
  case postgres(PostgresStorage)

  init(_ kind: StorageKind = .current) throws {
    switch kind {
    case .sqlite:
      let folder = try TemporaryFolder()
      self = .sqlite(try SQLiteStorage(path: folder.url("server.sqlite").path), folder)
    case .postgres:
      let cluster = try #require(PostgresCluster.shared)
      let schema = "test_\(UUID().uuidString.lowercased().replacing("-", with: ""))"
      try PostgresStorage.makeSchema(schema, at: cluster.address())
      self = .postgres(
        try PostgresStorage(
          cluster.address(schema: schema), creates: true, readers: CallsAtOnce(), writers: CallsAtOnce()))
    }
  }

  /// The file of SQLite's database; nil on PostgreSQL.
  var path: String? { if case .sqlite(_, let folder) = self { folder.url("server.sqlite").path } else { nil } }

  var history: HistoryTable {
    switch self {
    case .sqlite(let storage, _): storage.history
    case .postgres(let storage): storage.history
    }
  }

  func read<Result: Sendable>(_ body: @Sendable (any QueueSnapshot) throws -> Result) throws -> Result {
    switch self {
    case .sqlite(let storage, _): try storage.read(body)
    case .postgres(let storage): try storage.readNow(body)
    }
  }

  func write<Result: Sendable>(
    to queue: QueueID, _ body: @Sendable (any QueueTransaction) throws -> Result
  ) throws -> Result {
    switch self {
    case .sqlite(let storage, _): try storage.write(to: queue, body)
    case .postgres(let storage): try storage.writeNow(to: queue, body)
    }
  }

  func decide<Result: Sendable>(
    on queue: QueueID, reading first: [RowKey], then likely: [RowKey],
    _ decision: @Sendable (inout UnitOfWork) throws -> Result
  ) async throws -> Result {
    switch self {
    case .sqlite(let storage, _): try await storage.decide(on: queue, reading: first, then: likely, decision)
    case .postgres(let storage): try await storage.decide(on: queue, reading: first, then: likely, decision)
    }
  }
}

extension TestStorage {
  /// Reads a number from the tables beside the server. On PostgreSQL, names are written with underscores.
  func number(_ sql: String) throws -> Int64 {
    switch self {
    case .sqlite(_, let folder):
      return try DatabaseQueue(path: folder.url("server.sqlite").path).read { try Int64.fetchOne($0, sql: sql) } ?? 0
    case .postgres(let storage):
      let words = [("ifnull", "coalesce"), ("length(", "octet_length("), ("queueUsage", "queue_usage")]
      var sql = words.reduce(sql) { $0.replacing($1.0, with: $1.1) }
      for column in ["createdBy", "addedBy", "fileReference"] {
        sql = sql.replacing(column, with: column.replacing(/[A-Z]/) { "_" + $0.output.lowercased() })
      }
      return try storage.number(sql)
    }
  }
}

/// Runs calls where they are made.
struct CallsAtOnce: BlockingCalls {
  func run<Result: Sendable>(_ body: @Sendable () throws -> Result) async throws -> Result { try body() }
}
