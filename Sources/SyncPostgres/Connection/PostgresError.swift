// The error of a call to PostgreSQL.

import SyncServer

/// What PostgreSQL or the way to it has answered instead of rows.
struct PostgresError: Error, Sendable, CustomStringConvertible {
  enum Code: Hashable, Sendable {
    /// The address cannot be read.
    case badAddress
    /// There is no connection, or it was cut. What was sent last may have happened.
    case noConnection
    /// The database is on another timeline than before; see `Timeline`.
    case moved
    /// PostgreSQL has answered with an error of this SQLSTATE.
    case refused(String)
    /// A row does not have the columns that were asked for.
    case badRow
  }

  var code: Code
  var message: String

  init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }

  var description: String {
    if case .refused(let state) = code { "\(message) (SQLSTATE \(state))" } else { message }
  }

  /// Whether the same transaction may go through when it is tried again: a conflict with another one, or a row that
  /// somebody else has added meanwhile.
  var isConflict: Bool {
    if case .refused(let state) = code { ["40001", "40P01", "23505"].contains(state) } else { false }
  }

  /// Whether the connection is of no use any more.
  var endsConnection: Bool {
    guard case .refused(let state) = code else { return code == .noConnection }
    // Shut down, crashed, starting, or told to go.
    return state.hasPrefix("57P") || state.hasPrefix("08") || state == "25006"
  }

  /// The same as an error for operators.
  var forOperators: StorageError {
    switch code {
    case .badAddress: StorageError(.foreign, message)
    case .noConnection: StorageError(.away, "PostgreSQL cannot be reached: \(message)")
    case .moved: StorageError(.away, "PostgreSQL has moved: \(message)")
    case .badRow: StorageError(.damaged, message)
    case .refused(let state): StorageError(Self.code(ofState: state), "PostgreSQL: \(self)")
    }
  }

  /// https://www.postgresql.org/docs/current/errcodes-appendix.html
  private static func code(ofState state: String) -> StorageError.Code {
    switch state {
    case "53100": .diskFull
    case "XX001", "XX002": .damaged
    // Conflicts, and what takes too long: a lock, a statement.
    case "40001", "40P01", "55P03", "57014": .busy
    // It only reads, as a standby does.
    case "25006": .away
    // Shut down, the connection, too many of them or no memory.
    case _ where ["57P", "08", "53"].contains(where: state.hasPrefix): .away
    default: .inputOutput
    }
  }
}
