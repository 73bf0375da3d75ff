// The first bytes of a database file (sqlite.org/fileformat2.html, "The Database Header").

import Foundation

/// Looked at before SQLite opens the file: opening turns somebody else's database into one with a write-ahead log.
enum DatabaseHeader {
  private static let magic = Array("SQLite format 3\0".utf8)
  private static let size = 100

  /// Throws `foreign` for a database that is no store. What is no database at all is for SQLite to refuse.
  static func check(_ path: String) throws {
    guard let file = FileHandle(forReadingAtPath: path) else { return }
    defer { try? file.close() }
    let bytes = [UInt8]((try? file.read(upToCount: size)) ?? Data())
    guard bytes.count == size, Array(bytes.prefix(magic.count)) == magic else { return }
    let application = bytes[68..<72].reduce(0) { $0 << 8 | Int64($1) }
    // A store that was just made has a log, and the rest of its header in there.
    let hasLog = bytes[18] == 2
    guard application == StoreDatabase.applicationID || application == 0 && hasLog else {
      throw StoreError(.foreign, "\(path) is a database, but no store of modelgen.")
    }
  }
}
