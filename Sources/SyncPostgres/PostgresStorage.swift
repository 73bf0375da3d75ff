// The storage of queues in PostgreSQL.

import Determinism
package import SyncServer
package import WireFormat

/// Any number of servers may have one database. Transactions to one queue that wait on a server are decided together, and
/// written by one transaction of PostgreSQL: the row of a busy queue is locked once for all of them.
package final class PostgresStorage: QueueStorage {
  let sessions: PostgresSessions
  let readers: any BlockingCalls
  private let writers: any BlockingCalls
  private let lanes = WriteLanes()
  private let recentMembers = RecentMembers()
  private let news: ServerNews
  private let counts = WriteCounts()
  private let environment = RuntimeEnvironment.current
  /// The id of the database, made with it. Copies have the same.
  package let identity: ServerID
  /// The histories that the database had when it was opened.
  package let history: HistoryTable
  /// Set if a history was begun then, because PostgreSQL had begun another timeline: what was acknowledged since that
  /// time may be lost.
  package let lostSince: Timestamp?
  private let pool: ConnectionPool

  /// Opens the database at an address; makes its tables if it is empty and `creates` says so. Throws a `StorageError`.
  package init(
    _ address: String, creates: Bool, readers: any BlockingCalls, writers: any BlockingCalls
  ) throws {
    (self.readers, self.writers) = (readers, writers)
    pool = ConnectionPool(address)
    sessions = PostgresSessions(pool)
    news = ServerNews(pool, name: environment.randomID())
    let opened = try DatabaseOpening.open(sessions, creates: creates)
    (identity, history, lostSince) = (opened.identity, opened.history, opened.lostSince)
  }

  package func read<Result: Sendable>(
    _ body: @Sendable (any QueueSnapshot) throws -> Result
  ) async throws -> Result {
    try await readers.run { try readNow(body) }
  }

  package func write<Result: Sendable>(
    to queue: QueueID, _ body: @Sendable (any QueueTransaction) throws -> Result
  ) async throws -> Result {
    try await writers.run { try writeNow(to: queue, body) }
  }

  /// Reads on the caller's thread.
  package func readNow<Result>(_ body: (any QueueSnapshot) throws -> Result) throws -> Result {
    try sessions.run(.reading) { try body($0) }
  }

  /// Writes on the caller's thread.
  package func writeNow<Result>(to queue: QueueID, _ body: (any QueueTransaction) throws -> Result) throws -> Result {
    let result = try sessions.run(.writing(to: queue)) { try body($0) }
    counts.add(1)
    return result
  }

  /// How many transactions of callers were written since the start, and with how many commits.
  package var written: (transactions: Int, syncs: Int) { counts.value }

  package func decide<Result: Sendable>(
    on queue: QueueID, reading first: [RowKey], then likely: [RowKey],
    _ decision: @Sendable (inout UnitOfWork) throws -> Result
  ) async throws -> Result {
    try await withoutActuallyEscaping(decision) { decision in
      let box = ResultBox<Result>()
      let queued = QueuedDecision(reading: first, then: likely) { box.value = try decision(&$0) }
      switch lanes.add(queued, to: queue) {
      case .free: await writeFirst(of: queue)
      case .taken: break
      case .full: throw StorageError(.busy, "Too many transactions wait to be written.")
      }
      try await queued.ended()
      guard let result = box.value else { preconditionFailure("a decision that has ended has a result") }
      return result
    }
  }

  /// Writes the caller's decision, with those that came meanwhile. What comes later is left to a task of its own.
  private func writeFirst(of queue: QueueID) async {
    if await write(next: queue) { return }
    environment.spawn { while await !self.write(next: queue) {} }
  }

  /// Writes some of what waits for a queue, in the turn of the user who is next. Returns whether nothing is left: then
  /// the lane is free.
  private func write(next queue: QueueID) async -> Bool {
    do {
      try await Caller.$user.withValue(lanes.nextUser(of: queue)) {
        try await writers.run { writeNow(next: queue) }
      }
    } catch {
      // Too many calls wait already.
      for decision in lanes.take(of: queue, atMost: .max, ofOneUser: .max) { decision.finish(error) }
    }
    return lanes.leave(queue)
  }

  private func writeNow(next queue: QueueID) {
    let decisions = lanes.take(of: queue, atMost: Self.together, ofOneUser: Self.ofOneUser)
    do {
      try sessions.run(.writing(to: queue)) { try $0.decide(decisions, on: queue, recentMembers) }
      counts.add(decisions.count)
      for decision in decisions { decision.finish() }
    } catch {
      for decision in decisions { decision.finish(error) }
    }
  }

  /// The most decisions that share a transaction, and of one user while others wait.
  private static let together = 64
  private static let ofOneUser = 8

  package func isAwaited(_ queue: QueueID, besides user: UserID) -> Bool {
    lanes.hasDecisions(of: queue, besides: user)
  }

  /// Makes a schema, a part of a database with tables of its own.
  package static func makeSchema(_ name: String, at address: String) throws {
    let sessions = PostgresSessions(ConnectionPool(address))
    try sessions.run(.writing(to: .zero)) { transaction in
      transaction.execute(PostgresStatement(.everywhere, "CREATE SCHEMA IF NOT EXISTS \(name)")())
    }
  }

  /// How often threads have waited for PostgreSQL since the start.
  package var roundTrips: Int { sessions.roundTrips }

  /// The number that a query gives, for tests.
  func number(_ sql: String) throws -> Int64 {
    try sessions.run(.reading) { try $0.rows(PostgresStatement(.everywhere, sql)())[0].int(0) }
  }

  package func tellOthers(_ message: ServerMessage) { news.tell(message) }

  /// Lets this server hear what others with the same database tell, from now on. Nil: news may have been missed.
  package func listen(_ hear: @escaping @Sendable (ServerMessage?) async -> Void) {
    // Signals, and who has left, in the order in which they were told; the rest at once.
    let (ordered, order) = AsyncStream.makeStream(of: ServerMessage.self)
    environment.spawn { for await message in ordered { await hear(message) } }
    news.start { [environment] heard in
      if let heard, heard.isOrdered { order.yield(heard) } else { environment.spawn { await hear(heard) } }
    } ended: {
      order.finish()
    }
  }

  /// Whether PostgreSQL cannot be reached, a second after it went; for a storage that listens.
  package var isAway: Bool { news.isAway }

  /// Tells when PostgreSQL has begun another timeline. This storage can read and write nothing then: the database has to
  /// be opened again.
  package var moves: AsyncStream<Void> { pool.moves }

  /// Closes the connections. Nothing may be read or written after this.
  package func close() {
    news.close()
    sessions.close()
  }

  deinit { close() }
}

/// `@unchecked Sendable`: the thread that makes the decision writes it, and its caller reads it after the end.
private final class ResultBox<Value>: @unchecked Sendable {
  var value: Value?
}
