// Writes the state of files into the database, and then into the table of files.

import Foundation
import GRDB
import ModelTypes
import SyncProtocol
import WireFormat

extension StoreWriter {
  /// Marks files for upload that the server lacks. Returns those that were not marked before. `marked` runs before the
  /// writer does anything else, so that none of them is uploaded before it.
  func bringAgain(
    _ hashes: [ContentHash], in queue: QueueID, marked: @Sendable () -> Void = {}
  ) throws -> StoredFiles.Uploads {
    let uploads = try syncing { try StoredFiles.bringAgain(hashes, in: queue, $0) }
    files.withLock { $0.take(uploads) }
    marked()
    return uploads
  }

  /// Keeps a file that is to be uploaded, unless it is needed after all. Returns whether nothing needs the file.
  func keep(_ place: FileKey, at time: Timestamp, unless isNeeded: @Sendable () throws -> Bool) throws -> Bool {
    guard try !isNeeded() else { return false }
    try transaction { try StoredFiles.move(place, .toUpload, to: .kept, since: time, $0) }
    files.withLock { $0.removeUpload(place) }
    return true
  }

  func storeFetched(_ place: FileKey) throws {
    try transaction { try StoredFiles.storeFetched(place.hash, $0.number(queue: place.queue), $0.database) }
    files.withLock { $0.didChange(place.hash) }
  }

  func forgetFetched(_ place: FileKey) throws {
    try transaction { try StoredFiles.forgetFetched(place.hash, $0.number(queue: place.queue), $0.database) }
    files.withLock { $0.didChange(place.hash) }
  }

  func storeUploaded(_ place: FileKey, at time: Timestamp) throws {
    try transaction { try StoredFiles.move(place, .toUpload, to: .uploaded, since: time, $0) }
    files.withLock { $0.removeUpload(place) }
  }

  /// Stores why a file was not uploaded.
  func store(_ error: FileError, _ failure: QueueFailure?, of place: FileKey) throws {
    try transaction { try StoredFiles.update(failure, of: place, $0.number(queue: place.queue), $0.database) }
    files.withLock { table in table.update(place) { ($0.error, $0.failure) = (error, failure) } }
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
