// Runs transactions on connections of the pool, again where that may help.

import SyncServer

final class PostgresSessions: Sendable {
  private let pool: ConnectionPool
  /// How often a transaction is tried that conflicts with others.
  private static let tries = 10

  init(_ pool: ConnectionPool) { self.pool = pool }

  /// How often threads have waited for PostgreSQL.
  var roundTrips: Int { pool.waits }

  /// The timeline of the database; nil before the first connection.
  var timeline: Timeline? { pool.knownTimeline }

  func close() { pool.close() }

  /// Runs one transaction, several times if it conflicts with others, or if the connection was cut before its commit was
  /// sent. Throws a `StorageError`, or what `body` throws.
  func run<Result>(_ kind: PostgresTransaction.Kind, _ body: (PostgresTransaction) throws -> Result) throws -> Result {
    do {
      var tries = 0
      while true {
        tries += 1
        let (connection, isNew) = try pool.take()
        let transaction = PostgresTransaction(kind, on: connection)
        defer { pool.giveBack(connection) }
        do {
          let result = try body(transaction)
          try transaction.end()
          return result
        } catch let error as PostgresError {
          transaction.undo()
          if connection.isBroken { pool.forgetIdle() }
          let helps = error.isConflict || connection.isBroken && !isNew && !transaction.hasSentCommit
          guard helps, tries < Self.tries else { throw error }
        } catch {
          transaction.undo()
          throw error
        }
      }
    } catch let error as PostgresError { throw error.forOperators }
  }
}
