// Notes in the database how files fare.

import Foundation
import GRDB
import ModelTypes
import SyncProtocol
import WireFormat

extension StoreWriter {
  /// The server lacks files.
  func bringAgain(_ hashes: [ContentHash], in queue: QueueID) throws -> StoredFiles.Uploads {
    try syncing { database, numbers in try StoredFiles.bringAgain(hashes, in: queue, &numbers, database) }
  }

  /// Files that operations name are to be brought, whatever is known of them.
  func name(_ operations: [PendingOperation]) throws -> StoredFiles.Uploads {
    try transaction { database, numbers in try StoredFiles.name(operations, &numbers, database) }
  }

  /// Notes the server's history; where it is another one than before, what was brought since `time` may be lost.
  func noteHistoryOfFiles(_ history: UUIDValue, since time: Timestamp) throws -> StoredFiles.Uploads {
    try syncing { database, _ in
      let known = try Data.fetchOne(database, sql: "SELECT value FROM property WHERE name = 'fileHistory'")
      guard known != history.stored else { return [:] }
      try database.execute(
        sql: "INSERT INTO property VALUES ('fileHistory', ?1) ON CONFLICT DO UPDATE SET value = ?1",
        arguments: [history.stored])
      return known == nil ? [:] : try StoredFiles.doubt(nil, since: time, database)
    }
  }

  func note(_ state: StoredFiles.State, of place: FilePlace, at time: Timestamp) throws {
    try transaction { database, numbers in
      try StoredFiles.note(state, of: place, at: time, numbers.number(queue: QueueID(place.queue), database), database)
    }
  }

  func noteFetched(_ place: FilePlace) throws {
    try transaction { database, numbers in
      try StoredFiles.noteFetched(place.hash, numbers.number(queue: QueueID(place.queue), database), database)
    }
  }

  func forgetFetched(_ place: FilePlace) throws {
    try transaction { database, numbers in
      try StoredFiles.forgetFetched(place.hash, numbers.number(queue: QueueID(place.queue), database), database)
    }
  }

  func noteUploaded(_ place: FilePlace, at time: Timestamp) throws {
    try transaction { database, numbers in
      let queue = try numbers.number(queue: QueueID(place.queue), database)
      try StoredFiles.noteUploaded(place.hash, at: time, queue, database)
    }
  }

  func note(_ failure: QueueFailure?, of place: FilePlace) throws {
    try transaction { database, numbers in
      try StoredFiles.note(failure, of: place, numbers.number(queue: QueueID(place.queue), database), database)
    }
  }

  func forget(_ place: FilePlace, at time: Timestamp) throws {
    try transaction { database, numbers in
      let queue = try numbers.number(queue: QueueID(place.queue), database)
      try StoredFiles.forget(place.hash, at: time, queue, database)
    }
  }

  /// Rows that nothing needs any more go. Returns the files that nothing names.
  func sweepFiles(keptBefore time: Timestamp, named: Set<ContentHash>) throws -> [ContentHash] {
    try transaction { database, _ in
      try StoredFiles.dropKept(before: time, but: named, database) + StoredFiles.dropUnused(database)
    }
  }

  /// Files that may be fetched again: the server has had them for so long that none is restored to before.
  func safeFiles(before time: Timestamp) throws -> [ContentHash] {
    try transaction { database, _ in try StoredFiles.safe(before: time, database) }
  }
}
