// Writes the state of files into the database. The closures run before the writer does anything else, so that the table
// of files changes in the order of the rows.

import Foundation
import GRDB
import ModelTypes
import SyncProtocol
import WireFormat

extension StoreWriter {
  /// Marks files for upload that the server lacks. Returns those that were not marked before.
  func bringAgain(
    _ hashes: [ContentHash], in queue: QueueID, marked: @Sendable (StoredFiles.Uploads) -> Void
  ) throws -> StoredFiles.Uploads {
    let uploads = try syncing { try StoredFiles.bringAgain(hashes, in: queue, $0) }
    marked(uploads)
    return uploads
  }

  /// Keeps a file that is to be uploaded, unless it is needed after all. Returns whether nothing needs the file.
  func keep(
    _ place: FileKey, at time: Timestamp, unless isNeeded: @Sendable () throws -> Bool, kept: @Sendable () -> Void
  ) throws -> Bool {
    guard try !isNeeded() else { return false }
    try transaction { try StoredFiles.move(place, .toUpload, to: .kept, since: time, $0) }
    kept()
    return true
  }

  func storeFetched(_ place: FileKey) throws {
    try transaction { try StoredFiles.storeFetched(place.hash, $0.number(queue: place.queue), $0.database) }
  }

  func forgetFetched(_ place: FileKey) throws {
    try transaction { try StoredFiles.forgetFetched(place.hash, $0.number(queue: place.queue), $0.database) }
  }

  func storeUploaded(_ place: FileKey, at time: Timestamp, stored: @Sendable () -> Void) throws {
    try transaction { try StoredFiles.move(place, .toUpload, to: .uploaded, since: time, $0) }
    stored()
  }

  func store(_ failure: QueueFailure?, of place: FileKey) throws {
    try transaction { try StoredFiles.update(failure, of: place, $0.number(queue: place.queue), $0.database) }
  }

  /// Deletes rows that nothing needs any more. Returns the files that no row has any more.
  func sweepFiles(keptBefore time: Timestamp, named: Set<ContentHash>) throws -> [ContentHash] {
    try transaction {
      try StoredFiles.dropKept(before: time, but: named, $0.database) + StoredFiles.dropUnused($0.database)
    }
  }

  /// Files that may be fetched again, because the server has had them since before `time`: no backup is older.
  func safeFiles(before time: Timestamp) throws -> [ContentHash] {
    try transaction { try StoredFiles.safe(before: time, $0.database) }
  }
}
