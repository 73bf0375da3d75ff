// A transaction of PostgreSQL, or a snapshot: what goes out together, and when.

import SyncServer
import WireFormat

/// Begins with its first statement, and ends with `end` or `undo`. Writes wait until something is read, or the end, so
/// that each wait for the database is for as much as possible.
///
/// `@unchecked Sendable`: one thread uses it.
final class PostgresTransaction: @unchecked Sendable {
  enum Kind: Hashable, Sendable {
    /// One snapshot, which does not change when others commit.
    case reading
    /// Holds the lock of a queue, if there is the queue. Each statement sees what was committed before it.
    case writing(to: QueueID)
  }

  let kind: Kind
  private let connection: PostgresConnection
  private var hasBegun = false
  /// Statements that go out before the next read.
  private var waiting: [PostgresCall] = []
  /// Whether the queue had a row when it was locked.
  private var isQueueThere = false
  /// Whether the commit was sent: then it may have happened, whatever comes back.
  private(set) var hasSentCommit = false

  init(_ kind: Kind, on connection: PostgresConnection) { (self.kind, self.connection) = (kind, connection) }

  /// Runs statements behind all that wait, in one round trip.
  func rows(_ calls: [PostgresCall]) throws(PostgresError) -> [[PostgresRow]] {
    let isFirst = !hasBegun
    let before = (isFirst ? opening : []) + waiting
    (hasBegun, waiting) = (true, [])
    let results = try connection.run(before + calls)
    if isFirst, case .writing = kind { isQueueThere = results[opening.count - 1].isEmpty == false }
    return Array(results.dropFirst(before.count))
  }

  func rows(_ call: PostgresCall) throws(PostgresError) -> [PostgresRow] { try rows([call])[0] }

  /// Runs a statement without rows, with the next ones.
  func execute(_ call: PostgresCall) { waiting.append(call) }

  /// Writes the row of the queue that is locked.
  func executeForQueue(inserting: PostgresCall, updating: PostgresCall) throws(PostgresError) {
    // The lock tells whether the row is there. Where it is not, another node may be adding it: then one of the two
    // fails, and decides again.
    if !hasBegun { _ = try rows([]) }
    execute(isQueueThere ? updating : inserting)
    isQueueThere = true
  }

  private var opening: [PostgresCall] {
    switch kind {
    case .reading: [Statement.beginReading()]
    case .writing(.zero): [Statement.begin(), Statement.nothing()]
    case .writing(let queue): [Statement.begin(), Statement.lock(.id(queue))]
    }
  }

  /// Commits. Nobody waits for the end of a snapshot.
  func end() throws(PostgresError) {
    if kind == .reading {
      if hasBegun { try connection.send([Statement.commit()]) }
    } else if hasBegun || !waiting.isEmpty {
      let calls = (hasBegun ? [] : opening) + waiting + [Statement.commit()]
      (hasBegun, hasSentCommit) = (true, true)
      _ = try connection.run(calls)
    }
  }

  /// Undoes everything. If that fails, the connection is broken, and PostgreSQL undoes it.
  func undo() {
    if hasBegun { try? connection.send([Statement.rollback()]) }
  }
}

private enum Statement {
  static let beginReading = PostgresStatement(.nothing, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
  static let begin = PostgresStatement(.nothing, "BEGIN ISOLATION LEVEL READ COMMITTED")
  static let nothing = PostgresStatement(.nothing, "SELECT 1 WHERE false")
  static let lock = PostgresStatement(.queue, "SELECT 1 FROM queue WHERE queue = $1 FOR UPDATE")
  static let commit = PostgresStatement(.nothing, "COMMIT")
  static let rollback = PostgresStatement(.nothing, "ROLLBACK")
}
