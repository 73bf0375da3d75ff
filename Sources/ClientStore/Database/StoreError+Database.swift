// What SQLite, GRDB and the file system report, as errors of the store.

import Foundation
import GRDB

extension StoreError {
  /// Runs something that reads or writes the database, and tells its errors in the store's words.
  static func translating<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      throw StoreError(reading: error)
    }
  }

  /// The same, for somebody who cannot open the store.
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
    case let error as DatabaseError: self.init(Self.code(error.resultCode), "The store's database: \(error).")
    case let error as RowDecodingError: self.init(.damaged, "A row of the store cannot be read: \(error).")
    case let error as CocoaError where error.code == .fileWriteNoPermission:
      self.init(.readOnly, "The folder of the store may not be written: \(error.localizedDescription)")
    default: self.init(.inputOutput, "\(error)")
    }
  }

  private static func code(_ result: ResultCode) -> Code {
    switch result {
    case .SQLITE_FULL: .diskFull
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN: .readOnly
    case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_MISMATCH, .SQLITE_ERROR: .damaged
    default: .inputOutput
    }
  }
}
