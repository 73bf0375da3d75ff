// Compares the files on the disk with their rows and their hashes, and changes nothing.

import Crypto
import Foundation
package import SyncProtocol
import WireFormat

/// What is wrong with a file of a server.
package enum FileFault: String, Sendable {
  /// The file has a row, and no bytes or too few.
  case lost
  /// The bytes are not those of the hash.
  case rotten
  /// There are bytes and no row, as after a crash, or in a folder that is newer than its database.
  case unnamed
}

package enum FileCheck {
  private static let chunk = 1 << 20

  /// Looks at every file of a database, beside which a server may run, and reports those with a fault. Returns how many
  /// rows there are.
  package static func run(
    database: String, files: FolderStorage, report: (FileKey, FileFault) -> Void
  ) throws -> Int {
    var last: FileKey?
    var count = 0
    while true {
      let rows = try SQLiteStorage.files(of: database, after: last, limit: 1_000)
      guard let newest = rows.last?.place else { break }
      last = newest
      count += rows.count
      for (place, file) in rows {
        if try files.size(of: place) != file.size {
          report(place, .lost)
        } else if try hash(of: place, file.size, files) != place.hash.bytes {
          report(place, .rotten)
        }
      }
    }
    for place in files.places() where try !SQLiteStorage.hasFile(database, place) { report(place, .unnamed) }
    return count
  }

  private static func hash(of place: FileKey, _ size: Int64, _ files: FolderStorage) throws -> [UInt8] {
    var hash = SHA256()
    var offset: Int64 = 0
    while offset < size, let bytes = try files.read(place, at: offset, count: chunk), !bytes.isEmpty {
      hash.update(data: bytes)
      offset += Int64(bytes.count)
    }
    return Array(hash.finalize())
  }
}

extension FolderStorage {
  /// The complete files on the disk, whether or not they have a row.
  func places() -> [FileKey] {
    forEachName { queue, name in
      guard let queue = QueueID(queue), let hash = ContentHash(name) else { return nil }
      return FileKey(queue: queue, hash: hash)
    }
  }
}
