// Checks the header of a database file before SQLite opens it (sqlite.org/fileformat2.html, "The Database Header").

import Foundation

/// Checked before SQLite opens the file, because opening would switch a foreign database to a write-ahead log.
enum DatabaseHeader {
  private static let magic = Array("SQLite format 3\0".utf8)
  private static let size = 100

  /// Throws `foreign` if the file is a database but no store. SQLite itself refuses a file that is no database.
  static func check(_ path: String) throws {
    guard let file = FileHandle(forReadingAtPath: path) else { return }
    defer { try? file.close() }
    let bytes = [UInt8]((try? file.read(upToCount: size)) ?? Data())
    guard bytes.count == size, Array(bytes.prefix(magic.count)) == magic else { return }
    let application = bytes[68..<72].reduce(0) { $0 << 8 | Int64($1) }
    // The file of a store that was just created may have no application id yet: that is still in the log.
    let hasLog = bytes[18] == 2
    guard application == StoreDatabase.applicationID || application == 0 && hasLog else {
      throw StoreError(.foreign, "\(path) is a SQLite database, but not a store of modelgen.")
    }
  }
}
