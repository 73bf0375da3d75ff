// The storage of queues in PostgreSQL.

import Determinism
package import SyncServer
package import WireFormat

/// Any number of servers may have one database. Transactions to one queue that wait on a server are decided together, and
/// written by one transaction of PostgreSQL: the row of a busy queue is locked once for all of them.
package final class PostgresStorage: QueueStorage {
  private let sessions: PostgresSessions
  private let readers: any BlockingCalls
  private let writers: any BlockingCalls
  private let lanes = WriteLanes()
  private let environment = RuntimeEnvironment.current
  /// The id of the database, made with it. Copies have the same.
  package let identity: ServerID
  /// The histories that the database had when it was opened.
  package let history: HistoryTable

  /// Opens the database at an address; makes its tables if it is empty and `creates` says so. Throws a `StorageError`.
  package init(
    _ address: String, creates: Bool, readers: any BlockingCalls, writers: any BlockingCalls
  ) throws {
    (self.readers, self.writers) = (readers, writers)
    sessions = PostgresSessions(ConnectionPool(address))
    (identity, history) = try DatabaseOpening.open(sessions, creates: creates)
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
    try sessions.run(.writing(to: queue)) { try body($0) }
  }

  package func decide<Result: Sendable>(
    on queue: QueueID, reading first: [RowKey], then likely: [RowKey],
    _ decision: @Sendable (inout UnitOfWork) throws -> Result
  ) async throws -> Result {
    try await QueuedDecision.perform(decision, reading: first, then: likely) { queued in
      switch lanes.add(queued, to: queue) {
      case .free: environment.spawn { await self.writeLane(queue) }
      case .taken: break
      case .full: queued.finish(StorageError(.busy, "Too many transactions wait to be written."))
      }
    }
  }

  /// Writes what waits for a queue, in the turn of the user who is next, until nothing is left.
  private func writeLane(_ queue: QueueID) async {
    var isEmpty = false
    while !isEmpty {
      do {
        isEmpty = try await Caller.$user.withValue(lanes.nextUser(of: queue)) {
          try await writers.run { writeNext(of: queue) }
        }
      } catch {
        // Too many calls wait already.
        let waiting = lanes.take(of: queue, atMost: .max, ofOneUser: .max)
        for decision in waiting { decision.finish(error) }
        isEmpty = waiting.isEmpty
      }
    }
  }

  /// Writes some of what waits for a queue; returns whether there was nothing.
  private func writeNext(of queue: QueueID) -> Bool {
    let decisions = lanes.take(of: queue, atMost: Self.together, ofOneUser: Self.ofOneUser)
    if decisions.isEmpty { return true }
    do {
      try sessions.run(.writing(to: queue)) { try $0.decide(decisions, on: queue) }
      for decision in decisions { decision.finish() }
    } catch {
      for decision in decisions { decision.finish(error) }
    }
    return false
  }

  /// The most decisions that share a transaction, and of one user while others wait.
  private static let together = 64
  private static let ofOneUser = 8

  package func isAwaited(besides user: UserID) -> Bool { lanes.hasDecisions(besides: user) }

  /// Makes a schema, a part of a database with tables of its own.
  package static func makeSchema(_ name: String, at address: String) throws {
    let sessions = PostgresSessions(ConnectionPool(address))
    try sessions.run(.writing(to: .zero)) { transaction in
      transaction.execute(PostgresStatement(.everywhere, "CREATE SCHEMA IF NOT EXISTS \(name)")())
    }
  }

  /// The number that a query gives, for tests.
  func number(_ sql: String) throws -> Int64 {
    try sessions.run(.reading) { try $0.rows(PostgresStatement(.everywhere, sql)())[0].int(0) }
  }

  /// Closes the connections. Nothing may be read or written after this.
  package func close() { sessions.close() }
}
