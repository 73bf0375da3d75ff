// A store of version 1 as the library of that time has left it, made by the statements of that time.

import Foundation
import GRDB
import ModelRuntime
import TestSupport

enum Version1 {
  private static let tables = """
    CREATE TABLE property (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
    CREATE TABLE type (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, fields TEXT NOT NULL);
    CREATE TABLE queue (
      number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, cursor INTEGER NOT NULL DEFAULT 0, epoch BLOB,
      membership BLOB);
    CREATE TABLE object (
      row INTEGER PRIMARY KEY, id BLOB NOT NULL, queue INTEGER NOT NULL, type INTEGER NOT NULL,
      revision INTEGER NOT NULL, newestBy INTEGER, createdBy BLOB, content BLOB NOT NULL, UNIQUE (id, queue));
    CREATE TABLE operation (
      number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, queue INTEGER NOT NULL, type INTEGER NOT NULL,
      parameters BLOB NOT NULL, changes BLOB NOT NULL, performedAt INTEGER NOT NULL, sum INTEGER NOT NULL,
      sent INTEGER NOT NULL DEFAULT 0,
      voided INTEGER NOT NULL DEFAULT 0, outcome TEXT, outcomeCode TEXT, outcomeAt INTEGER);
    CREATE TABLE attention (
      number INTEGER PRIMARY KEY, operation BLOB NOT NULL, queue INTEGER NOT NULL, type INTEGER NOT NULL,
      parameters BLOB NOT NULL, changes BLOB NOT NULL, performedAt INTEGER NOT NULL, reason TEXT NOT NULL,
      message TEXT NOT NULL);
    PRAGMA application_id = 0x6D676E73;
    PRAGMA user_version = 1;
    """

  /// Copies what version 1 could hold out of a closed store of today. The sums of operations are those of version 1:
  /// what has no dependencies has the same.
  static func copy(of store: URL) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let database = try DatabaseQueue(path: folder.url("store.sqlite").path)
    try database.writeWithoutTransaction { database in
      try database.execute(sql: tables)
      try database.execute(sql: "ATTACH ? AS today", arguments: [store.appending(path: "store.sqlite").path])
      try database.execute(
        sql: """
          INSERT INTO property SELECT * FROM today.property;
          INSERT INTO type SELECT * FROM today.type;
          INSERT INTO queue SELECT number, id, cursor, epoch, membership FROM today.queue;
          INSERT INTO object SELECT * FROM today.object;
          INSERT INTO operation SELECT number, id, queue, type, parameters, changes, performedAt, sum,
            firstSent IS NOT NULL, voided, outcome, outcomeCode, outcomeAt FROM today.operation;
          INSERT INTO attention SELECT * FROM today.attention;
          """)
    }
    try database.close()
    return folder
  }
}
