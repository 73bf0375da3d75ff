// Turns errors of SQLite into messages for operators, which name the file and the problem and contain no SQL.

import GRDB

extension StorageError {
  /// Runs `body`, and translates its errors about the database at `path`.
  static func translating<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch { throw translated(error, path) }
  }

  /// Translates errors of GRDB. All others stay as they are.
  static func translated(_ error: any Error, _ path: String) -> any Error {
    switch error {
    case let error as DatabaseError: Self(error, path)
    // The message of GRDB contains the row, and so content.
    case is RowDecodingError: Self(.damaged, "A row of the database \(path) cannot be read.")
    default: error
    }
  }

  private init(_ error: DatabaseError, _ path: String) {
    let reason = "\(error.message ?? "no reason") (SQLite \(error.extendedResultCode.rawValue))"
    switch error.resultCode {
    case .SQLITE_NOTADB: self.init(.damaged, "\(path) is not a database of modelserver.")
    case .SQLITE_CORRUPT, .SQLITE_MISMATCH: self.init(.damaged, "The database \(path) is damaged: \(reason).")
    case .SQLITE_FULL: self.init(.diskFull, "The disk of \(path) is full.")
    case .SQLITE_BUSY, .SQLITE_LOCKED: self.init(.busy, "Another program uses \(path): \(reason).")
    case .SQLITE_READONLY, .SQLITE_PERM:
      self.init(.readOnly, "\(path) cannot be written: \(reason). Check who may write it and its folder.")
    case .SQLITE_CANTOPEN:
      self.init(.readOnly, "\(path) cannot be opened: \(reason). Check who may read and write it and its folder.")
    default: self.init(.inputOutput, "The database \(path): \(reason).")
    }
  }
}
