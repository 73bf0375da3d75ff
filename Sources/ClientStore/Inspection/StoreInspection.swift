// Reads a store row by row without changing it, also while an app has it open.

import Foundation
import GRDB

/// The rows of one state of a store. Damage in one table does not keep the others from being read.
package struct StoreInspection {
  let database: Database
  /// Problems of the files, each a sentence for a person.
  package let problems: [String]

  /// Opens the store in a folder, lets `body` read one state of it, and closes it.
  ///
  /// Throws a `StoreError`: `foreign` if there is no store, `newerVersion`, `olderVersion`, `damaged` if the file is no
  /// readable database, `inputOutput` if it cannot be read or is locked.
  package static func read<Result>(folder: String, _ body: (Self) throws -> Result) throws -> Result {
    let place = try InspectedFiles(folder: folder)
    defer { place.leave() }
    return try StoreError.inspecting {
      var configuration = Configuration()
      configuration.readonly = true
      configuration.busyMode = .timeout(2)
      let queue = try DatabaseQueue(path: place.address, configuration: configuration)
      return try queue.unsafeRead { database in
        // Not `read`, which fails at its end after a damaged page, and so loses what was read before.
        try database.execute(sql: "BEGIN")
        defer { try? database.execute(sql: "ROLLBACK") }
        try check(database, place, folder)
        return try body(Self(database: database, problems: place.problems))
      }
    }
  }

  private static func check(_ database: Database, _ place: InspectedFiles, _ folder: String) throws {
    guard try Int64.fetchOne(database, sql: "PRAGMA application_id") == StoreDatabase.applicationID else {
      let message = "\(folder)/\(InspectedFiles.file) is a SQLite database, but not a store of modelgen."
      throw StoreError(.foreign, ([message] + place.problems).joined(separator: " "))
    }
    try StoreDatabase.checkVersion(database, for: "modelinspect")
  }
}

extension StoreInspection {
  /// The tables that can be read: all except `tombstone` (docs/formats/store-layout.md).
  package enum Table: String, Sendable, CaseIterable {
    case property, type, queue, object, operation, failed, staged, retired, file

    /// The column by which rows are ordered.
    var key: String {
      switch self {
      case .property: "name"
      case .object, .file: "row"
      case .staged: "rowid"
      case .type, .queue, .operation, .failed, .retired: "number"
      }
    }

    /// The columns to select. SQLite gives `rowid` only if it is named.
    fileprivate var columns: String { self == .staged ? "rowid, *" : "*" }
  }

  /// The version of the layout that the file names. Throws a `StoreError` if it cannot be read.
  package var version: Int64 {
    get throws { try StoreError.inspecting { try Int64.fetchOne(database, sql: "PRAGMA user_version") ?? 0 } }
  }

  /// Calls `body` with each row in order, until it returns false.
  ///
  /// `column` and `value` select rows. If a page of the table is damaged, the rows behind it are read from the end, in
  /// reverse order; then a `StoreError` is thrown.
  package func forEachRow(
    of table: Table, where column: String? = nil, is value: StoredValue = .null, _ body: (StoredRow) throws -> Bool
  ) throws {
    let key = table.key
    var last: StoredValue?
    func scan(_ order: String, until stop: StoredValue? = nil) throws {
      let condition = column.map { "WHERE \"\($0)\" = ?" } ?? ""
      let statement = try database.makeStatement(
        sql: "SELECT \(table.columns) FROM \"\(table.rawValue)\" \(condition) ORDER BY \"\(key)\" \(order)")
      let rows = try Row.fetchCursor(statement, arguments: column == nil ? [] : [value.argument])
      while let row = try rows.next() {
        let row = StoredRow(row)
        if let stop, row.columns[key] == stop { return }
        if order == "ASC" { last = row.columns[key] }
        guard try body(row) else { return }
      }
    }
    do {
      try scan("ASC")
    } catch let error as DatabaseError {
      // `body` throws errors of other types; this one is the database's.
      try? scan("DESC", until: last)
      throw StoreError(inspecting: error)
    }
  }

  /// The number of rows in a table; `column` and `value` select rows.
  package func count(_ table: Table, where column: String? = nil, is value: StoredValue = .null) throws -> Int64 {
    let condition = column.map { "WHERE \"\($0)\" = ?" } ?? ""
    return try StoreError.inspecting {
      try Int64.fetchOne(
        database, sql: "SELECT count(*) FROM \"\(table.rawValue)\" \(condition)",
        arguments: column == nil ? [] : [value.argument]) ?? 0
    }
  }

  /// The number and the size of confirmed objects by queue and type: the columns `queue`, `type`, `count` and `bytes`.
  package func objectCounts() throws -> [StoredRow] {
    try StoreError.inspecting {
      try Row.fetchAll(
        database,
        sql: """
          SELECT queue, type, count(*) AS count, sum(length(content)) AS bytes FROM object
          GROUP BY queue, type ORDER BY queue, type
          """
      ).map(StoredRow.init)
    }
  }
}

extension StoreError {
  fileprivate static func inspecting<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as DatabaseError { throw StoreError(inspecting: error) }
  }

  fileprivate init(inspecting error: DatabaseError) {
    let why = error.message ?? "\(error.resultCode)"
    switch error.resultCode {
    case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR, .SQLITE_MISMATCH:
      self.init(.damaged, "The database is damaged: \(why).")
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      self.init(.inputOutput, "The database is locked by another program: \(why).")
    default:
      self.init(.inputOutput, "The database cannot be read: \(why).")
    }
  }
}
