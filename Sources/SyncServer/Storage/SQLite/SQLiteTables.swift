// The tables of a server's database (docs/formats/server-storage.md).

/// Ids are blobs of 16 bytes, times are milliseconds since 1970. Nearly every key begins with the queue. The index
/// `memberByAccount` finds the queues of an account, for polls over all queues. What writes or removes rows adds to the sums in
/// `queueUsage`, `accountUsage`, `queueBytes` and `accountBytes`. `invitation` counts what an account has
/// given others on its newest day; `seen` has the newest day on which an account was seen with a version.
enum SQLiteTables {
  static let applicationID: Int64 = 0x6D67_7372
  static let version: Int64 = 13

  static let statements = """
    CREATE TABLE queue (
      queue BLOB NOT NULL PRIMARY KEY, schema TEXT NOT NULL, head INTEGER NOT NULL, floor INTEGER NOT NULL,
      retention INTEGER NOT NULL, live INTEGER NOT NULL, digest INTEGER NOT NULL, ended INTEGER NOT NULL,
      newest INTEGER NOT NULL);
    CREATE TABLE member (
      queue BLOB NOT NULL, account BLOB NOT NULL, role INTEGER NOT NULL, membership BLOB NOT NULL,
      addedBy BLOB NOT NULL, since INTEGER NOT NULL, PRIMARY KEY (queue, account));
    CREATE INDEX memberByAccount ON member (account, queue, membership, addedBy);
    CREATE TABLE formerMember (queue BLOB NOT NULL, account BLOB NOT NULL, PRIMARY KEY (queue, account));
    CREATE TABLE object (
      queue BLOB NOT NULL, id BLOB NOT NULL, revision INTEGER NOT NULL, type TEXT, newestBy INTEGER,
      createdBy BLOB, createdAt INTEGER, updatedAt INTEGER, content BLOB, PRIMARY KEY (queue, id));
    CREATE UNIQUE INDEX objectByRevision ON object (queue, revision);
    CREATE INDEX objectByNewest ON object (queue, newestBy DESC, id DESC) WHERE type IS NOT NULL;
    CREATE TABLE outcome (
      queue BLOB NOT NULL, operation BLOB NOT NULL, status INTEGER NOT NULL, code TEXT, at INTEGER NOT NULL,
      time INTEGER NOT NULL, attempt INTEGER NOT NULL, account BLOB NOT NULL, PRIMARY KEY (queue, operation));
    CREATE TABLE file (
      queue BLOB NOT NULL, hash BLOB NOT NULL, size INTEGER NOT NULL, time INTEGER NOT NULL, broughtBy BLOB NOT NULL,
      PRIMARY KEY (queue, hash));
    CREATE TABLE part (
      queue BLOB NOT NULL, hash BLOB NOT NULL, bytes INTEGER NOT NULL, broughtBy BLOB NOT NULL,
      PRIMARY KEY (queue, hash));
    CREATE INDEX partByAccount ON part (broughtBy);
    CREATE TABLE queueBytes (queue BLOB NOT NULL PRIMARY KEY, bytes INTEGER NOT NULL);
    CREATE TABLE accountBytes (account BLOB NOT NULL PRIMARY KEY, bytes INTEGER NOT NULL);
    CREATE TABLE queueUsage (queue BLOB NOT NULL PRIMARY KEY, rows INTEGER NOT NULL, bytes INTEGER NOT NULL);
    CREATE TABLE accountUsage (account BLOB NOT NULL PRIMARY KEY, rows INTEGER NOT NULL, bytes INTEGER NOT NULL);
    CREATE TABLE fileReference (
      queue BLOB NOT NULL, id BLOB NOT NULL, tag INTEGER NOT NULL, hash BLOB NOT NULL,
      PRIMARY KEY (queue, id, tag, hash));
    CREATE INDEX fileReferenceByFile ON fileReference (queue, hash);
    CREATE TABLE duty (
      queue BLOB NOT NULL, account BLOB NOT NULL, head INTEGER NOT NULL, PRIMARY KEY (queue, account, head))
      WITHOUT ROWID;
    CREATE TABLE mark (queue BLOB NOT NULL, head INTEGER NOT NULL, time INTEGER NOT NULL, PRIMARY KEY (queue, head));
    CREATE TABLE clock (newest INTEGER NOT NULL);
    INSERT INTO clock (newest) VALUES (0);
    CREATE INDEX tombstone ON object (queue, revision) WHERE type IS NULL;
    CREATE TABLE identity (id BLOB NOT NULL);
    CREATE TABLE history (number INTEGER PRIMARY KEY, id BLOB NOT NULL, since INTEGER NOT NULL);
    CREATE TABLE invitation (
      account BLOB NOT NULL PRIMARY KEY, day INTEGER NOT NULL, people INTEGER NOT NULL, memberships INTEGER NOT NULL);
    CREATE TABLE seen (
      account BLOB NOT NULL, schema TEXT NOT NULL, version TEXT NOT NULL, day INTEGER NOT NULL,
      PRIMARY KEY (account, schema, version)) WITHOUT ROWID;
    CREATE INDEX seenByDay ON seen (day);
    """
}
