// What the header of a database file says (sqlite.org/fileformat2.html, section 1.3), before SQLite touches the file.

import Foundation

enum DatabaseFile {
  /// Opening somebody else's database would give it a write-ahead log: it is refused before. What is no database at all
  /// is for SQLite to refuse.
  static func check(_ path: String) throws {
    guard let file = FileHandle(forReadingAtPath: path) else { return }
    defer { try? file.close() }
    guard let header = try? file.read(upToCount: 100), header.count == 100, header.starts(with: magic) else { return }
    let application = header[68..<72].reduce(0) { $0 << 8 | Int64($1) }
    // One that was just made may have the rest of its header in its log.
    let isJustMade = application == 0 && header[18] == 2
    guard application == SQLiteTables.applicationID || isJustMade else {
      throw StorageError(.foreign, "\(path) is a database, but none of modelserver.")
    }
  }

  private static let magic = Data("SQLite format 3\0".utf8)
}
