// What upkeep, polls and home queues read, and what upkeep removes.

import SyncProtocol
import SyncServer
import WireFormat

extension PostgresTransaction: QueueTransaction {
  func places(of user: UserID, schema: String, after queue: QueueID?, limit: Int) throws -> [ChangedAnswer.Head] {
    try rows(Statement.places(.id(user), .id(queue ?? .zero), .text(schema), .limit(limit))).map { row in
      ChangedAnswer.Head(queue: try row.id(0), grant: try row.id(1), head: try row.int(2))
    }
  }

  func queues(of user: UserID, after queue: QueueID?, limit: Int) throws -> [QueueID] {
    try rows(Statement.queuesOf(.id(user), .id(queue ?? .zero), .limit(limit))).map { try $0.id(0) }
  }

  func duties(after duty: HomeDuty?, limit: Int) throws -> [HomeDuty] {
    let place: [PostgresValue] = [.id(duty?.queue ?? .zero), .id(duty?.user ?? .zero), .int(duty?.head ?? 0)]
    return try rows(PostgresCall(statement: Statement.duties, values: place + [.limit(limit)])).map { row in
      HomeDuty(user: try row.id(1), queue: try row.id(0), head: try row.int(2), schema: try row.text(3))
    }
  }

  func queues(after queue: QueueID?, limit: Int) throws -> [(id: QueueID, queue: StoredQueue)] {
    try rows(Statement.queues(.id(queue ?? .zero), .limit(limit))).map { (try $0.id(0), try StoredQueue($0, at: 1)) }
  }

  func marks(of queue: QueueID) throws -> [QueueMark] {
    try rows(Statement.marks(.id(queue))).map { QueueMark(head: try $0.int(0), time: try $0.time(1)) }
  }

  func tombstones(in queue: QueueID, after cursor: Int64, upTo revision: Int64, limit: Int) throws -> [Int64] {
    try rows(Statement.tombstones(.id(queue), .int(cursor), .int(revision), .limit(limit))).map { try $0.int(0) }
  }

  func outcomes(after number: Int64, limit: Int) throws -> [OutcomeKey] {
    try rows(Statement.outcomes(.int(number), .limit(limit))).map { row in
      OutcomeKey(queue: try row.id(0), operation: try row.id(1), time: try row.time(2), number: try row.int(3))
    }
  }

  func newestTime() throws -> Timestamp { try rows(Statement.newestTime())[0].time(0) }

  func removeObjects(of queue: QueueID, rows: Int) throws -> Bool {
    let results = try self.rows([Statement.isEnded(.id(queue)), Statement.referencesGone(.id(queue), .limit(rows))])
    guard !results[0].isEmpty else { return true }
    let left = rows - Int(try results[1][0].int(0))
    // Objects go last: as long as one is there, upkeep looks here.
    let row = try self.rows(Statement.objectsGone(.id(queue), .limit(left), .int(Self.removedBytes)))[0]
    let (gone, found) = (try row.int(0), try row.int(1))
    return gone == found && found < Int64(left)
  }

  /// How many bytes of content one transaction removes, and those of one object more: a large one takes long.
  private static let removedBytes: Int64 = 1 << 20

  func removeTombstones(in queue: QueueID, upTo revision: Int64) throws {
    execute(Statement.tombstonesGone(.id(queue), .int(revision)))
  }

  func removeOutcomes(in queue: QueueID, before time: Timestamp) throws {
    execute(Statement.oldOutcomesGone(.id(queue), .time(time)))
  }

  func removeOutcomes(_ operations: [OperationID], in queue: QueueID, before time: Timestamp) throws {
    execute(Statement.outcomesGone(.id(queue), .time(time), .ids(operations)))
  }

  func put(_ mark: QueueMark, of queue: QueueID) throws {
    execute(Statement.mark(.id(queue), .int(mark.head), .time(mark.time)))
  }

  func removeMarks(of queue: QueueID, upTo time: Timestamp) throws {
    execute(Statement.marksGone(.id(queue), .time(time)))
  }

  func put(newestTime time: Timestamp) throws { execute(Statement.time(.time(time))) }

  func put(_ seen: SyncServer.SeenVersion, on day: Int64) throws {
    execute(Statement.seen(.id(seen.user), .text(seen.schema), .text(seen.version), .int(day)))
    execute(Statement.seenTooMany(.id(seen.user)))
  }

  func removeSeenVersions(before day: Int64) throws { execute(Statement.seenGone(.int(day))) }
}

private enum Statement {
  static let places = PostgresStatement(
    .allQueues(because: "a poll is over all queues of a user"),
    """
    SELECT member.queue, membership, head FROM member JOIN queue ON queue.queue = member.queue
    WHERE account = $1 AND member.queue > $2 AND schema = $3 ORDER BY member.queue LIMIT $4
    """)
  static let queuesOf = PostgresStatement(
    .allQueues(because: "an operator asks"),
    "SELECT queue FROM member WHERE account = $1 AND queue > $2 ORDER BY queue LIMIT $3")
  static let duties = PostgresStatement(
    .allQueues(because: "a server that starts performs what another has left"),
    """
    SELECT duty.queue, account, duty.head, schema FROM duty JOIN queue ON queue.queue = duty.queue
    WHERE (duty.queue, account, duty.head) > ($1, $2, $3) ORDER BY duty.queue, account, duty.head LIMIT $4
    """)
  static let queues = PostgresStatement(
    .allQueues(because: "upkeep walks through all queues"),
    """
    SELECT queue, schema, head, floor, retention, live, digest, ended, newest FROM queue
    WHERE queue > $1 ORDER BY queue LIMIT $2
    """)
  static let marks = PostgresStatement(.queue, "SELECT head, time FROM mark WHERE queue = $1 ORDER BY head DESC")
  static let tombstones = PostgresStatement(
    .queue,
    """
    SELECT revision FROM object WHERE queue = $1 AND type IS NULL AND revision > $2 AND revision <= $3
    ORDER BY revision LIMIT $4
    """)
  static let outcomes = PostgresStatement(
    .allQueues(because: "upkeep walks through all outcomes"),
    "SELECT queue, operation, time, number FROM outcome WHERE number > $1 ORDER BY number LIMIT $2")
  static let newestTime = PostgresStatement(.everywhere, "SELECT newest_time FROM server")
  static let time = PostgresStatement(.everywhere, "UPDATE server SET newest_time = greatest(newest_time, $1)")

  static let isEnded = PostgresStatement(.queue, "SELECT 1 FROM queue WHERE queue = $1 AND ended")
  static let referencesGone = PostgresStatement(
    .queue,
    """
    WITH gone AS (
      DELETE FROM file_reference WHERE queue = $1 AND EXISTS (SELECT 1 FROM queue WHERE queue = $1 AND ended)
        AND (id, tag, hash) IN (SELECT id, tag, hash FROM file_reference WHERE queue = $1 LIMIT $2) RETURNING 1)
    SELECT count(*) FROM gone
    """)
  static let objectsGone = PostgresStatement(
    .queue,
    """
    WITH found AS (
      SELECT id, coalesce(
        sum(octet_length(content)) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
      FROM (SELECT id, content FROM object WHERE queue = $1 ORDER BY id LIMIT $2) AS first
    ), gone AS (
      DELETE FROM object WHERE queue = $1 AND id IN (SELECT id FROM found WHERE before < $3)
      RETURNING created_by, coalesce(octet_length(content), 0) AS bytes
    ), of_users AS (
      UPDATE usage SET rows = usage.rows - gone.rows, bytes = usage.bytes - gone.bytes
      FROM (SELECT created_by, count(*) AS rows, sum(bytes) AS bytes FROM gone GROUP BY created_by) AS gone
      WHERE queue = $1 AND account = created_by
    ), of_queue AS (
      UPDATE queue_usage SET rows = queue_usage.rows - gone.rows, bytes = queue_usage.bytes - gone.bytes
      FROM (SELECT count(*) AS rows, coalesce(sum(bytes), 0) AS bytes FROM gone) AS gone WHERE queue = $1)
    SELECT (SELECT count(*) FROM gone), (SELECT count(*) FROM found)
    """)
  static let tombstonesGone = PostgresStatement(
    .queue,
    """
    WITH gone AS (DELETE FROM object WHERE queue = $1 AND type IS NULL AND revision <= $2 RETURNING 1)
    UPDATE queue_usage SET rows = rows - (SELECT count(*) FROM gone) WHERE queue = $1
    """)
  static let oldOutcomesGone = countingOutcomes("time < $2")
  static let outcomesGone = countingOutcomes("time < $2 AND operation = ANY ($3)")

  private static func countingOutcomes(_ condition: String) -> PostgresStatement {
    PostgresStatement(
      .queue,
      """
      WITH gone AS (DELETE FROM outcome WHERE queue = $1 AND \(condition) RETURNING account)
      UPDATE usage SET rows = usage.rows - gone.rows
      FROM (SELECT account, count(*) AS rows FROM gone GROUP BY account) AS gone
      WHERE queue = $1 AND usage.account = gone.account
      """)
  }

  static let mark = PostgresStatement(
    .queue,
    """
    INSERT INTO mark (queue, head, time) VALUES ($1, $2, $3) ON CONFLICT (queue, head) DO UPDATE SET time = excluded.time
    """)
  static let marksGone = PostgresStatement(.queue, "DELETE FROM mark WHERE queue = $1 AND time <= $2")
  static let seen = PostgresStatement(
    .account,
    """
    INSERT INTO seen (account, schema, version, day) VALUES ($1, $2, $3, $4)
    ON CONFLICT (account, schema, version) DO UPDATE SET day = greatest(seen.day, excluded.day)
    """)
  /// As many as on SQLite: 50 of an account.
  static let seenTooMany = PostgresStatement(
    .account,
    """
    DELETE FROM seen WHERE account = $1 AND (schema, version) IN (
      SELECT schema, version FROM seen WHERE account = $1 ORDER BY day DESC, schema, version OFFSET 50)
    """)
  static let seenGone = PostgresStatement(
    .allQueues(because: "upkeep forgets who was not seen for a year"), "DELETE FROM seen WHERE day < $1")
}
