// Writes what a decision has decided: one statement for each kind of row.

import SyncProtocol
import SyncServer
import WireFormat

extension PostgresTransaction {
  func write(_ writes: [RowWrite], to queue: QueueID) throws {
    var batch = WriteBatch(queue)
    for write in writes {
      // What was written before must not be lost, nor come back.
      if case .noMembers = write {
        for call in batch.memberships.calls(in: queue) { execute(call) }
        batch.memberships = MembershipWrites()
        execute(Statement.formerMembers(.id(queue)))
        execute(Statement.noMembers(.id(queue)))
        execute(Statement.noMarks(.id(queue)))
      } else {
        batch.add(write)
      }
    }
    if let row = batch.queueRow { try put(row, as: queue) }
    for call in batch.calls { execute(call) }
  }

  private func put(_ queue: StoredQueue, as id: QueueID) throws {
    let values: [PostgresValue] = [
      .id(id), .int(queue.head), .int(queue.floor), .time(queue.retention), .int(queue.digest.live),
      .int(Int64(bitPattern: queue.digest.sum)), .bool(queue.isEnded), .time(queue.newest),
    ]
    try executeForQueue(
      inserting: PostgresCall(statement: Statement.newQueue, values: values + [.text(queue.schema)]),
      updating: PostgresCall(statement: Statement.queue, values: values))
  }

  private enum Statement {
    static let newQueue = PostgresStatement(
      .queue,
      """
      INSERT INTO queue (queue, head, floor, retention, live, digest, ended, newest, schema)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
      """)
    static let queue = PostgresStatement(
      .queue,
      """
      UPDATE queue SET head = $2, floor = $3, retention = $4, live = $5, digest = $6, ended = $7, newest = $8
      WHERE queue = $1
      """)
    static let formerMembers = PostgresStatement(
      .queue, "INSERT INTO former_member SELECT $1, account FROM member WHERE queue = $1")
    static let noMembers = PostgresStatement(.queue, "DELETE FROM member WHERE queue = $1")
    static let noMarks = PostgresStatement(.queue, "DELETE FROM mark WHERE queue = $1")
  }
}

/// The writes of one decision, each row once, as it is at the end.
private struct WriteBatch {
  let queue: QueueID
  private(set) var queueRow: StoredQueue?
  var memberships = MembershipWrites()
  private var objects: [UUIDValue: ObjectState] = [:]
  private var outcomes: [OperationID: (OperationOutcome, UserID)] = [:]
  private var references = ReferenceWrites()
  private var others: [PostgresCall] = []

  init(_ queue: QueueID) { self.queue = queue }

  mutating func add(_ write: RowWrite) {
    switch write {
    case .queue(let row): queueRow = row
    case .object(let object):
      objects[object.id] = object
      if object.live == nil { references.removeAll(from: object.id) }
    case .outcome(let outcome, let user): outcomes[outcome.operation] = (outcome, user)
    case .membership(let membership, let user): memberships[user] = .some(membership)
    case .noMembers: break
    case .references(let files, let object, let tag): references.add(files, from: object, tag)
    case .noReferences(let object, let tag): references.remove(tag, from: object)
    case .invitations(let given, let user, let day):
      others.append(
        Statement.invitations(.id(user), .int(day), .int(Int64(given.people)), .int(Int64(given.memberships))))
    case .duty(let duty): others.append(Statement.duty(.id(duty.queue), .id(duty.user), .int(duty.head)))
    case .dutyDone(let duty): others.append(Statement.dutyDone(.id(duty.queue), .id(duty.user), .int(duty.head)))
    case .usage(let usage): others.append(Statement.usage(.id(queue), .int(usage.rows), .int(usage.bytes)))
    case .usageBy(let user, let usage):
      others.append(Statement.usageBy(.id(queue), .id(user), .int(usage.rows), .int(usage.bytes)))
    }
  }

  /// Everything but the row of the queue.
  var calls: [PostgresCall] {
    var calls = memberships.calls(in: queue)
    if !objects.isEmpty { calls.append(put(objects.values.sorted { $0.revision < $1.revision })) }
    if !outcomes.isEmpty { calls.append(put(outcomes.sorted { $0.key < $1.key }.map(\.value))) }
    return calls + references.calls(in: queue) + others
  }

  private func put(_ objects: [ObjectState]) -> PostgresCall {
    Statement.objects(
      .id(queue), .ids(objects.map(\.id)), .ints(objects.map(\.revision)), .texts(objects.map { $0.live?.type }),
      .ints(objects.map { $0.live.map { $0.newestBy ?? .min } }),
      .ids(objects.map { $0.live?.system.createdBy.rawValue }),
      .ints(objects.map { $0.live?.system.createdAt.millisecondsSince1970 }),
      .ints(objects.map { $0.live?.system.updatedAt.millisecondsSince1970 }),
      .blobs(objects.map { $0.live?.content }))
  }

  private func put(_ outcomes: [(outcome: OperationOutcome, user: UserID)]) -> PostgresCall {
    let rows = outcomes.map(\.outcome)
    return Statement.outcomes(
      .id(queue), .ids(rows.map(\.operation)), .ints(rows.map(\.status.number)), .texts(rows.map(\.status.code)),
      .ints(rows.map(\.at)), .ints(rows.map(\.time.millisecondsSince1970)), .ints(rows.map { Int64($0.attempt) }),
      .ids(outcomes.map(\.user)))
  }

  private enum Statement {
    static let objects = PostgresStatement(
      .queue,
      """
      INSERT INTO object (queue, id, revision, type, newest_by, created_by, created_at, updated_at, content)
      SELECT $1, * FROM unnest($2, $3, $4, $5, $6, $7, $8, $9)
      ON CONFLICT (queue, id) DO UPDATE SET revision = excluded.revision, type = excluded.type,
        newest_by = excluded.newest_by, created_by = excluded.created_by, created_at = excluded.created_at,
        updated_at = excluded.updated_at, content = excluded.content
      """)
    static let outcomes = PostgresStatement(
      .queue,
      """
      INSERT INTO outcome (queue, operation, status, code, at, time, attempt, account)
      SELECT $1, * FROM unnest($2, $3, $4, $5, $6, $7, $8)
      ON CONFLICT (queue, operation) DO UPDATE SET status = excluded.status, code = excluded.code, at = excluded.at,
        time = excluded.time, attempt = excluded.attempt
      """)
    static let invitations = PostgresStatement(
      .account,
      """
      INSERT INTO invitation (account, day, people, memberships) VALUES ($1, $2, $3, $4)
      ON CONFLICT (account) DO UPDATE SET day = greatest(invitation.day, excluded.day), people = excluded.people,
        memberships = excluded.memberships
      """)
    static let duty = PostgresStatement(
      .queue, "INSERT INTO duty (queue, account, head) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING")
    static let dutyDone = PostgresStatement(
      .queue, "DELETE FROM duty WHERE queue = $1 AND account = $2 AND head = $3")
    static let usage = PostgresStatement(
      .queue,
      """
      INSERT INTO queue_usage (queue, rows, bytes) VALUES ($1, $2, $3)
      ON CONFLICT (queue) DO UPDATE SET rows = queue_usage.rows + excluded.rows,
        bytes = queue_usage.bytes + excluded.bytes
      """)
    static let usageBy = PostgresStatement(
      .queue,
      """
      INSERT INTO usage (queue, account, rows, bytes) VALUES ($1, $2, $3, $4)
      ON CONFLICT (queue, account) DO UPDATE SET rows = usage.rows + excluded.rows,
        bytes = usage.bytes + excluded.bytes
      """)
  }
}

/// By user: the membership at the end; nil for one that has ended.
private typealias MembershipWrites = [UserID: StoredMembership?]

extension MembershipWrites {
  func calls(in queue: QueueID) -> [PostgresCall] {
    var calls: [PostgresCall] = []
    let gone = filter { $0.value == nil }.keys.sorted()
    if !gone.isEmpty { calls.append(Statement.noMemberships(.id(queue), .ids(gone))) }
    let here = compactMapValues { $0 }.sorted { $0.key < $1.key }
    if here.isEmpty { return calls }
    let rows = here.map(\.value)
    let call = Statement.memberships(
      .id(queue), .ids(here.map(\.key)), .ints(rows.map { Int64($0.role.number) }), .ids(rows.map(\.grant)),
      .ids(rows.map(\.by)), .ints(rows.map(\.since.millisecondsSince1970)))
    return calls + [call]
  }

  private enum Statement {
    static let noMemberships = PostgresStatement(
      .queue, "DELETE FROM member WHERE queue = $1 AND account = ANY ($2)")
    static let memberships = PostgresStatement(
      .queue,
      """
      INSERT INTO member (queue, account, role, membership, added_by, since)
      SELECT $1, * FROM unnest($2, $3, $4, $5, $6)
      ON CONFLICT (queue, account) DO UPDATE SET role = excluded.role, membership = excluded.membership,
        added_by = excluded.added_by, since = excluded.since
      """)
  }
}

/// The records of files that objects name, as they change.
private struct ReferenceWrites {
  private struct Change {
    var removesAll = false
    var removedTags: Set<Int> = []
    var added: [(tag: Int, file: ContentHash)] = []
  }

  private var changes: [UUIDValue: Change] = [:]

  mutating func removeAll(from object: UUIDValue) { changes[object] = Change(removesAll: true) }

  mutating func remove(_ tag: Int, from object: UUIDValue) {
    changes[object, default: Change()].added.removeAll { $0.tag == tag }
    changes[object, default: Change()].removedTags.insert(tag)
  }

  mutating func add(_ files: [ContentHash], from object: UUIDValue, _ tag: Int) {
    changes[object, default: Change()].added += files.map { (tag, $0) }
  }

  func calls(in queue: QueueID) -> [PostgresCall] {
    var calls: [PostgresCall] = []
    let all = changes.sorted { $0.key < $1.key }
    let gone = all.filter(\.value.removesAll).map(\.key)
    if !gone.isEmpty { calls.append(Statement.noReferences(.id(queue), .ids(gone))) }
    let tags = all.flatMap { object, change in change.removedTags.sorted().map { (object, Int64($0)) } }
    if !tags.isEmpty {
      calls.append(Statement.noReferencesOfTags(.id(queue), .ids(tags.map(\.0)), .ints(tags.map(\.1))))
    }
    let added = all.flatMap { object, change in change.added.map { (object, $0.tag, $0.file) } }
    if !added.isEmpty {
      calls.append(
        Statement.references(
          .id(queue), .ids(added.map(\.0)), .ints(added.map { Int64($0.1) }), .blobs(added.map(\.2.bytes))))
    }
    return calls
  }

  private enum Statement {
    static let noReferences = PostgresStatement(
      .queue, "DELETE FROM file_reference WHERE queue = $1 AND id = ANY ($2)")
    static let noReferencesOfTags = PostgresStatement(
      .queue,
      """
      DELETE FROM file_reference
      WHERE queue = $1 AND id = ANY ($2) AND (id, tag) IN (SELECT * FROM unnest($2, $3))
      """)
    static let references = PostgresStatement(
      .queue,
      """
      INSERT INTO file_reference (queue, id, tag, hash) SELECT $1, * FROM unnest($2, $3, $4) ON CONFLICT DO NOTHING
      """)
  }
}
