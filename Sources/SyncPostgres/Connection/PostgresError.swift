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
    case .refused(let state): StorageError(code(ofState: state), "PostgreSQL: \(self)")
    }
  }

  /// https://www.postgresql.org/docs/current/errcodes-appendix.html
  private func code(ofState state: String) -> StorageError.Code {
    switch state {
    case "53100": .diskFull
    case "XX001", "XX002": .damaged
    // A lock or a statement that takes too long.
    case "55P03", "57014": .busy
    case _ where isConflict: .busy
    // Too many connections, or no memory.
    case _ where endsConnection || state.hasPrefix("53"): .away
    default: .inputOutput
    }
  }
}
