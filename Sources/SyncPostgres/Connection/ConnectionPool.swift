// Connections that nobody uses at the moment.

import Foundation

/// Hands out one connection to each thread that asks, so there are never more than threads. All of them write the same
/// timeline: once PostgreSQL has begun another one, there are no more connections.
///
/// `@unchecked Sendable`: its lock guards all state.
final class ConnectionPool: @unchecked Sendable {
  private let address: String
  private let lock = NSLock()
  private var idle: [PostgresConnection] = []
  private var isClosed = false
  private var roundTrips = 0
  private var timeline: Timeline?
  /// Tells each time that a connection leads to another timeline.
  let moves: AsyncStream<Void>
  private let move: AsyncStream<Void>.Continuation

  init(_ address: String) {
    self.address = address
    (moves, move) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
  }

  /// An idle connection, or a new one. `isNew`: whatever lies idle may have been cut meanwhile.
  func take() throws -> (connection: PostgresConnection, isNew: Bool) {
    if let connection = lock.withLock({ idle.popLast() }) { return (connection, false) }
    return (try connect(), true)
  }

  /// A new connection for its caller alone.
  func connect() throws -> PostgresConnection {
    if lock.withLock({ isClosed }) { throw PostgresError(.noConnection, "the server has closed the database") }
    let connection = try PostgresConnection(address)
    let found = try Timeline(try connection.run(Self.settings + [Timeline.query()])[Self.settings.count][0])
    let known = lock.withLock {
      timeline = timeline ?? found
      return timeline
    }
    guard found == known else {
      move.yield()
      throw PostgresError(.moved, "a standby has taken over, or the database was recovered; the server starts again")
    }
    return connection
  }

  /// The timeline of all connections; nil before the first.
  var knownTimeline: Timeline? { lock.withLock { timeline } }

  func giveBack(_ connection: PostgresConnection) {
    lock.withLock {
      roundTrips += connection.takeRoundTrips()
      if !isClosed, !connection.isBroken { idle.append(connection) }
    }
  }

  /// How often threads have waited for answers.
  var waits: Int { lock.withLock { roundTrips } }

  /// Closes the idle connections, which were cut at the same time as another one most likely.
  func forgetIdle() { lock.withLock { idle = [] } }

  func close() {
    lock.withLock { (isClosed, idle) = (true, []) }
  }

  /// A statement or a lock that takes longer is given up, so that one that hangs holds up nobody for ever. A statement is
  /// planned once, and not again for each list of keys: by an index also if the table is still small, and without
  /// compiling it, which takes longer than it does. A commit is on disk before it is acknowledged, also where the
  /// database does without; what is stricter stays.
  private static let settings = [
    "SET statement_timeout = '60s'", "SET lock_timeout = '5s'", "SET idle_in_transaction_session_timeout = '60s'",
    "SET plan_cache_mode = 'force_generic_plan'", "SET enable_seqscan = off", "SET jit = off",
    """
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'
    """,
  ].map { PostgresStatement(.nothing, $0)() }
}
