// Brings the tables of an older store up to date; part of the transaction that opens it.

import GRDB
import SyncProtocol

enum StoreMigration {
  /// Version 2 knows what sync needs. What it cannot know of an older store is as if sync had never been.
  static func fromVersion1(_ database: Database) throws {
    let columns = [
      "queue": [
        "load INTEGER NOT NULL DEFAULT 0", "position INTEGER", "scanNewestBy INTEGER", "scanID BLOB",
        "live INTEGER NOT NULL DEFAULT 0", "sum INTEGER NOT NULL DEFAULT 0", "attempts INTEGER NOT NULL DEFAULT 0",
        "retryAt INTEGER", "lastError TEXT",
      ],
      "operation": ["outcomeTime INTEGER", "firstSent INTEGER", "sentChanges BLOB", "dependencies BLOB"],
    ]
    for (table, columns) in columns.sorted(by: { $0.key < $1.key }) {
      for column in columns { try database.execute(sql: "ALTER TABLE \(table) ADD COLUMN \(column)") }
    }
    try database.execute(
      sql: "UPDATE operation SET firstSent = 0 WHERE sent = 1; ALTER TABLE operation DROP COLUMN sent")
    try database.execute(sql: StoreDatabase.syncTables)
    try addDigests(database)
    // What is there of a queue may be out of date: it is shown until the queue is loaded again. Were it unread, nobody
    // would ask for a queue that is not followed any more, nor take out what was deleted since.
    try database.execute(
      sql: "UPDATE queue SET load = ? WHERE number > 0 AND number IN (SELECT queue FROM object)",
      arguments: [QueuePlace.Load.reloading.rawValue])
  }

  /// What sync keeps in step from now on. A row that cannot be read has no term: the server's digest differs then, and
  /// the queue is loaded again.
  private static func addDigests(_ database: Database) throws {
    for queue in try Int64.fetchAll(database, sql: "SELECT number FROM queue WHERE number > 0") {
      var digest = QueueDigest.empty
      let row = try BoundStatement("SELECT id, revision, content FROM object WHERE queue = ?", database)
      defer { row.reset() }
      try row.bind(1, queue)
      while try row.next() {
        guard let id = try? row.id(0), let revision = try? row.integer(1), let content = try? row.bytes(2) else {
          continue
        }
        digest.add(id: id, revision: revision, content: content)
      }
      try StoredPlaces.put(digest, queue, database)
    }
  }
}
