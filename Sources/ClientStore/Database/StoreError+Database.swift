// Turns errors of SQLite, GRDB and the file system into errors of the store.

import Foundation
import GRDB

extension StoreError {
  /// Runs `body`, and rethrows each of its errors as a `StoreError`.
  static func translating<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      throw StoreError(reading: error)
    }
  }

  /// The same while a store is opened: a `damaged` error also names `ModelStore.salvage`.
  static func opening<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try translating(body)
    } catch var error as StoreError where error.code == .damaged {
      error.message += " `ModelStore.salvage` makes a new store of what can still be read."
      throw error
    }
  }

  init(reading error: any Error) {
    switch error {
    case let error as StoreError: self = error
    case let error as DatabaseError: self.init(error)
    case is RowDecodingError: self.init(.damaged, "A row of the store is not what was written.")
    case let error as CocoaError where error.code == .fileWriteNoPermission:
      self.init(.readOnly, "The folder of the store may not be written: \(error.localizedDescription)")
    case let error as CocoaError:
      self.init(.inputOutput, "The folder of the store cannot be read or written: \(error.localizedDescription)")
    default: self.init(.inputOutput, "\(error)")
    }
  }

  /// Leaves out the statement, which says nothing to a user. SQLite's number helps to find the cause.
  private init(_ error: DatabaseError) {
    // GRDB reports a closed connection like this.
    guard error.resultCode != .SQLITE_MISUSE else {
      self.init(.closed, "The store was closed.")
      return
    }
    let (code, what): (Code, String) =
      switch error.resultCode {
      case .SQLITE_FULL: (.diskFull, "There is no room for the store on the disk")
      case .SQLITE_BUSY, .SQLITE_LOCKED: (.locked, "Another program holds the store's database")
      case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN: (.readOnly, "The store's files may not be written")
      case .SQLITE_ERROR where error.message?.contains("syntax error") == true:
        (.inputOutput, "The store was asked in a wrong way, which is a mistake of this library: \(error.message ?? "")")
      // `SQLITE_ERROR`: a table or a column is missing that was there once.
      case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_MISMATCH, .SQLITE_ERROR: (.damaged, "The store's files are damaged")
      default: (.inputOutput, "The store cannot be read or written")
      }
    self.init(code, "\(what) (SQLite error \(error.extendedResultCode)).")
  }
}
