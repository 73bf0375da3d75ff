// The saved state that an open store keeps in memory.

import Foundation
import GRDB
import SyncProtocol
import WireFormat

struct SavedState {
  var outbox: StoredOperations.Loaded
  var places: [QueueID: QueuePlace]
  var roles: [QueueID: QueueRole]
  var invited: Set<QueueID>
  var history: HistoryID?
  var tombstones: [UUIDValue: Tombstone]
  var uploads: StoredFiles.Uploads

  /// Loads all of it. Outbox rows that cannot be read move to the failed operations.
  init(_ transaction: StoreTransaction) throws {
    let database = transaction.database
    outbox = try StoredOperations.load(transaction)
    places = try StoredPlaces.load(database)
    roles = try StoredPlaces.roles(database)
    invited = try StoredPlaces.invited(database)
    history = try Data.fetchOne(database, sql: "SELECT value FROM property WHERE name = 'history'")
      .map { try HistoryID(stored: $0) }
    tombstones = try Tombstones.load(places, transaction)
    uploads = try StoredFiles.uploads(database)
  }
}
