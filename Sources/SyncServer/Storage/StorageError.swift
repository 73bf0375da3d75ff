// The error of a storage: a problem of the disk or the database.

/// A storage could not be opened, read or written. A transaction that failed is undone, but it may be on disk all the
/// same, and show after a restart.
public struct StorageError: Error, Sendable, CustomStringConvertible {
  public var code: Code
  public var message: String

  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  public enum Code: Hashable, Sendable {
    case damaged, diskFull, readOnly, inputOutput, busy, newerVersion, olderVersion, foreign
  }

  public var description: String { message }
}
