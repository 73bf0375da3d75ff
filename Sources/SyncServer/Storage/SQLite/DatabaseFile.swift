// Reads the header of a database file (sqlite.org/fileformat2.html, section 1.3), before SQLite touches the file.

import Foundation

package enum DatabaseFile {
  /// Refuses a file that is not a server's database, before SQLite opens it and puts a write-ahead log beside it.
  /// Throws a `StorageError`. Accepts a file that is missing or empty.
  package static func check(_ path: String) throws {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return }
    if isFolder.boolValue { throw StorageError(.foreign, "\(path) is a folder, not a database.") }
    guard let file = FileHandle(forReadingAtPath: path) else {
      throw StorageError(.readOnly, "\(path) cannot be opened. Check who may read it.")
    }
    defer { try? file.close() }
    guard let header = try? file.read(upToCount: 100), !header.isEmpty else { return }
    guard header.count == 100, header.starts(with: magic) else {
      // A file that was cut off while it was written is complete together with its log.
      if hasLog(path) { return }
      throw StorageError(.foreign, "\(path) is not a database of modelserver.")
    }
    let application = header[68..<72].reduce(0) { $0 << 8 | Int64($1) }
    // A database that was just made may have the rest of its header in its log.
    let isJustMade = application == 0 && header[18] == 2
    guard application == SQLiteTables.applicationID || isJustMade else {
      throw StorageError(.foreign, "\(path) is a SQLite database, but not modelserver's.")
    }
  }

  private static func hasLog(_ path: String) -> Bool {
    ["-wal", "-journal"].contains { ending in
      let size = try? FileManager.default.attributesOfItem(atPath: path + ending)[.size] as? UInt64
      return size.map { $0 > 0 } ?? false
    }
  }

  private static let magic = Data("SQLite format 3\0".utf8)
}
