// Opens the database of a store, creates its tables, and reads the state that is kept in memory.

import CStoreSQLite
import Foundation
import GRDB
import ModelTypes
import WireFormat

/// The layout of docs/formats/store-layout.md, as SQL.
enum StoreDatabase {
  static let applicationID: Int64 = 0x6D67_6E73
  static let version: Int64 = 9
  /// The version of this library, stored in the database; `modelinspect` shows it. `Scripts/release` writes it.
  static let libraryVersion = "0.1.0"

  struct Opened {
    var claim: StoreClaim
    var damage: DamageMark
    var writer: StoreWriter
    var reader: StoreReader
    var state: SavedState
  }

  /// Turns off SQLite's memory statistics, once, before the first connection of the process.
  private static let countsNoMemory: Void = store_sqlite_count_no_memory()

  private static func makeFolder(_ folder: String) throws {
    do {
      let (files, place) = (FileManager.default, URL(fileURLWithPath: folder))
      try files.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      // Only this user of the machine may enter a folder that is made here.
      let exists = files.fileExists(atPath: place.path)
      try files.createDirectory(
        at: place, withIntermediateDirectories: true, attributes: exists ? nil : [.posixPermissions: 0o700])
    } catch {
      throw obstacle(to: folder) ?? error
    }
  }

  /// Why the folder cannot be made, if the nearest existing entry on its path tells it; else nil.
  private static func obstacle(to folder: String) -> StoreError? {
    let (files, place) = (FileManager.default, URL(fileURLWithPath: folder).standardizedFileURL)
    var (nearest, isFolder) = (place, ObjCBool(false))
    while !files.fileExists(atPath: nearest.path, isDirectory: &isFolder), nearest.pathComponents.count > 1 {
      nearest.deleteLastPathComponent()
    }
    guard isFolder.boolValue else {
      return StoreError(.inputOutput, "\(nearest.path) is a file; a store is a folder. Name another place for it.")
    }
    guard !files.isWritableFile(atPath: nearest.path) || !files.isExecutableFile(atPath: nearest.path) else {
      return nil
    }
    let parent = place.deletingLastPathComponent()
    let absence = nearest.path == parent.path ? "" : "There is no folder \(parent.path), and it cannot be made: "
    return StoreError(
      .readOnly, "\(absence)You may not write to \(nearest.path). Name another place for the store.")
  }

  /// Puts the files to upload into `files`.
  static func open(
    folder: String, schema: any SchemaDescription.Type, user: UserID, _ files: FileTableLock
  ) throws -> Opened {
    try StoreError.opening {
      _ = countsNoMemory
      try makeFolder(folder)
      let claim = try StoreClaim(folder: folder)
      try SalvageFiles(folder: folder).resume()
      try DamageMark.check(folder: folder)
      let damage = DamageMark(folder: folder)
      let path = folder + "/store.sqlite"
      let (queue, numbers) = try connect(path: path, schema: schema, user: user)
      let state = try queue.write { try SavedState(StoreTransaction($0, numbers)) }
      files.withLock { $0.take(state.uploads) }
      return Opened(
        claim: claim, damage: damage, writer: StoreWriter(queue, numbers, damage, files, state.history),
        reader: try StoreReader(path: path, damage), state: state)
    }
  }

  /// Opens the writing connection, and creates absent tables. Throws `foreign` for a store of another user or schema.
  static func connect(
    path: String, schema: any SchemaDescription.Type, user: UserID
  ) throws -> (DatabaseQueue, NumberTable) {
    try DatabaseHeader.check(path)
    let queue = try DatabaseQueue(path: path, configuration: configuration())
    try queue.writeWithoutTransaction { database in
      try check(database)
      // GRDB sets NORMAL with WAL, which loses commits in a power cut.
      try database.execute(sql: "PRAGMA synchronous = FULL")
      try emptyLog(database)
      try ObjectUpsert.register(database)
    }
    let numbers = try queue.write { database in
      try createTables(database)
      try claim(database, schema: schema, user: user)
      let transaction = StoreTransaction(database, try NumberTable(database))
      try StoredTypes.save(schema, transaction)
      return transaction.numbers
    }
    return (queue, numbers)
  }

  /// Moves what an earlier process has left in the log into the database, before anything of it is shown or built on.
  /// If a sync failed then, the log may have a hole on disk. After a power cut SQLite would read only up to that hole.
  private static func emptyLog(_ database: Database) throws {
    // If another process is reading the store, this is no error, and the log stays as it is.
    try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
  }

  static func configuration() -> Configuration {
    var configuration = Configuration()
    configuration.journalMode = .wal
    configuration.busyMode = .timeout(5)
    return configuration
  }

  /// Throws unless the database is empty, or a store of this version. Writes nothing.
  private static func check(_ database: Database) throws {
    let isEmpty = try Int64.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0
    if isEmpty { return }
    let application = try Int64.fetchOne(database, sql: "PRAGMA application_id")
    guard application == applicationID else {
      throw StoreError(.foreign, "\(database.description) is a SQLite database, but not a store of modelgen.")
    }
    try checkVersion(database, for: "library")
  }

  /// Throws `newerVersion` or `olderVersion` unless the layout has the version that `reader` knows.
  static func checkVersion(_ database: Database, for reader: String) throws {
    let found = try Int64.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    let versions = "The store has version \(found); this \(reader) reads version \(version)."
    if found > version { throw StoreError(.newerVersion, "\(versions) Use a newer one.") }
    // Version 0 means that the file is damaged. Reading it will report that.
    if found < version, found != 0 {
      throw StoreError(
        .olderVersion,
        "\(versions) Sync it to its end with an older one, then remove its folder: a new store loads all of it again.")
    }
  }

  private static func createTables(_ database: Database) throws {
    if try Int64.fetchOne(database, sql: "PRAGMA user_version") == 0 {
      try database.execute(sql: tables)
      try database.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
    }
    try database.execute(sql: indexes)
  }

  /// Stores the schema, the user and the library's version. Throws `foreign` if others are stored.
  private static func claim(_ database: Database, schema: any SchemaDescription.Type, user: UserID) throws {
    for (name, value) in [("schema", schema.name), ("user", user.description)] {
      let found = try String.fetchOne(database, sql: "SELECT value FROM property WHERE name = ?", arguments: [name])
      guard found == nil || found == value else {
        let hint = name == "user" ? " It was made with another subject or issuer: each user has a folder." : ""
        throw StoreError(.foreign, "The store belongs to the \(name) \(found ?? ""), not \(value).\(hint)")
      }
      try database.execute(sql: "INSERT OR IGNORE INTO property VALUES (?, ?)", arguments: [name, value])
    }
    try database.execute(
      sql: "INSERT INTO property VALUES ('library', ?1) ON CONFLICT DO UPDATE SET value = ?1 WHERE value <> ?1",
      arguments: [libraryVersion])
  }

  static let tables = """
    CREATE TABLE property (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
    CREATE TABLE type (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, fields TEXT NOT NULL);
    CREATE TABLE queue (
      number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, cursor INTEGER NOT NULL DEFAULT 0,
      "grant" BLOB, load INTEGER NOT NULL DEFAULT 0, position INTEGER, scanNewestBy INTEGER, scanID BLOB,
      role INTEGER, history BLOB, invited INTEGER NOT NULL DEFAULT 0,
      live INTEGER NOT NULL DEFAULT 0, sum INTEGER NOT NULL DEFAULT 0, attempts INTEGER NOT NULL DEFAULT 0,
      retryAt INTEGER, lastError TEXT);
    CREATE TABLE object (
      row INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, queue INTEGER NOT NULL, type INTEGER NOT NULL,
      revision INTEGER NOT NULL, newestBy INTEGER, createdBy BLOB, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL,
      content BLOB NOT NULL);
    CREATE TABLE tombstone (id BLOB PRIMARY KEY, queue INTEGER NOT NULL, revision INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE operation (
      number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, queue INTEGER NOT NULL, type INTEGER NOT NULL,
      parameters BLOB NOT NULL, changes BLOB NOT NULL, performedAt INTEGER NOT NULL, sum INTEGER NOT NULL,
      voided INTEGER NOT NULL DEFAULT 0, outcome TEXT, outcomeCode TEXT, outcomeAt INTEGER, outcomeTime INTEGER,
      firstSent INTEGER, attempt INTEGER NOT NULL DEFAULT 0, hidden INTEGER NOT NULL DEFAULT 0, dependencies BLOB);
    CREATE TABLE failed (
      number INTEGER PRIMARY KEY, operation BLOB NOT NULL, queue INTEGER NOT NULL, type INTEGER NOT NULL,
      parameters BLOB NOT NULL, changes BLOB NOT NULL, performedAt INTEGER NOT NULL, reason TEXT NOT NULL,
      message TEXT NOT NULL, firstSent INTEGER, attempt INTEGER NOT NULL DEFAULT 0, dependencies BLOB);
    CREATE TABLE staged (
      queue INTEGER NOT NULL, id BLOB NOT NULL, revision INTEGER NOT NULL, type INTEGER, newestBy INTEGER,
      createdBy BLOB, createdAt INTEGER, updatedAt INTEGER, content BLOB, UNIQUE (queue, id));
    CREATE TABLE retired (
      number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, queue INTEGER NOT NULL, type INTEGER NOT NULL,
      parameters BLOB NOT NULL, changes BLOB NOT NULL, performedAt INTEGER NOT NULL, sum INTEGER NOT NULL,
      firstSent INTEGER NOT NULL, attempt INTEGER NOT NULL DEFAULT 0, dependencies BLOB, outcomeTime INTEGER NOT NULL);
    CREATE TABLE file (
      row INTEGER PRIMARY KEY, queue INTEGER NOT NULL, hash BLOB NOT NULL, state INTEGER NOT NULL,
      number INTEGER NOT NULL, objects BLOB NOT NULL, size INTEGER, since INTEGER,
      attempts INTEGER NOT NULL DEFAULT 0, retryAt INTEGER, lastError TEXT, UNIQUE (queue, hash));
    INSERT INTO queue (number, id) VALUES (0, zeroblob(16));
    """

  /// SQLite uses an index with a `WHERE` only if the query repeats that condition word for word.
  static let indexes = """
    CREATE INDEX IF NOT EXISTS failedByOperation ON failed (operation);
    CREATE INDEX IF NOT EXISTS retiredByTime ON retired (outcomeTime);
    CREATE INDEX IF NOT EXISTS retiredInQueue ON retired (queue, outcomeTime);
    CREATE INDEX IF NOT EXISTS fileByHash ON file (hash);
    CREATE INDEX IF NOT EXISTS fileToUpload ON file (queue) WHERE state = 1;
    CREATE INDEX IF NOT EXISTS fileKept ON file (queue) WHERE state = 3;
    """
}
