// The error of a storage: a problem of the disk or the database.

/// A storage could not be opened, read or written. A transaction that failed is undone, but it may be on disk all the
/// same, and show after a restart.
package struct StorageError: Error, Sendable, CustomStringConvertible {
  package var code: Code
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package enum Code: Hashable, Sendable {
    case damaged, diskFull, readOnly, inputOutput, busy, newerVersion, olderVersion, foreign
    /// The database is somewhere else, and cannot be reached or used now.
    case away
  }

  package var description: String { message }
}
