// The tables of a server's database (docs/formats/server-storage.md).

/// Ids are blobs of 16 bytes, times are milliseconds since 1970. Nearly every key begins with the queue.
enum SQLiteTables {
  static let applicationID: Int64 = 0x6D67_7372
  static let version: Int64 = 6

  static let statements = """
    CREATE TABLE queue (
      queue BLOB NOT NULL PRIMARY KEY, epoch BLOB NOT NULL, head INTEGER NOT NULL, floor INTEGER NOT NULL,
      retention INTEGER NOT NULL, live INTEGER NOT NULL, digest INTEGER NOT NULL,
      ended INTEGER NOT NULL);
    CREATE TABLE member (
      queue BLOB NOT NULL, account BLOB NOT NULL, role INTEGER NOT NULL, membership BLOB NOT NULL,
      addedBy BLOB NOT NULL, since INTEGER NOT NULL, PRIMARY KEY (queue, account));
    CREATE TABLE formerMember (queue BLOB NOT NULL, account BLOB NOT NULL, PRIMARY KEY (queue, account));
    CREATE TABLE type (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE object (
      queue BLOB NOT NULL, id BLOB NOT NULL, revision INTEGER NOT NULL, type INTEGER, newestBy INTEGER,
      createdBy BLOB, content BLOB, PRIMARY KEY (queue, id));
    CREATE UNIQUE INDEX objectByRevision ON object (queue, revision);
    CREATE INDEX objectByNewest ON object (queue, newestBy DESC, id DESC) WHERE type IS NOT NULL;
    CREATE TABLE outcome (
      queue BLOB NOT NULL, operation BLOB NOT NULL, status INTEGER NOT NULL, code TEXT, at INTEGER NOT NULL,
      time INTEGER NOT NULL, PRIMARY KEY (queue, operation));
    CREATE TABLE file (
      queue BLOB NOT NULL, hash BLOB NOT NULL, size INTEGER NOT NULL, time INTEGER NOT NULL, broughtBy BLOB NOT NULL,
      PRIMARY KEY (queue, hash));
    CREATE TABLE queueBytes (queue BLOB NOT NULL PRIMARY KEY, bytes INTEGER NOT NULL);
    CREATE TABLE accountBytes (account BLOB NOT NULL PRIMARY KEY, bytes INTEGER NOT NULL);
    CREATE TABLE fileReference (
      queue BLOB NOT NULL, id BLOB NOT NULL, tag INTEGER NOT NULL, hash BLOB NOT NULL,
      PRIMARY KEY (queue, id, tag, hash));
    CREATE INDEX fileReferenceByFile ON fileReference (queue, hash);
    CREATE TABLE duty (number INTEGER PRIMARY KEY AUTOINCREMENT, account BLOB NOT NULL, queue BLOB NOT NULL);
    CREATE TABLE mark (queue BLOB NOT NULL, head INTEGER NOT NULL, time INTEGER NOT NULL, PRIMARY KEY (queue, head));
    CREATE TABLE clock (newest INTEGER NOT NULL);
    INSERT INTO clock (newest) VALUES (0);
    CREATE INDEX tombstone ON object (queue, revision) WHERE type IS NULL;
    CREATE TABLE identity (id BLOB NOT NULL, history BLOB NOT NULL);
    """
  /// Created when a database without them is opened. The index finds the queues of an account, for polls over all
  /// queues. The table counts the strangers whom an account has added on its newest day.
  static let additions = """
    CREATE INDEX IF NOT EXISTS memberByAccount ON member (account, queue, membership);
    CREATE TABLE IF NOT EXISTS invitation (account BLOB NOT NULL PRIMARY KEY, day INTEGER NOT NULL, people INTEGER NOT NULL)
    """
}
