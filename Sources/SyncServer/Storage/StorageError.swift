// The error of a storage: what became of the disk or the database.

/// A storage could not be opened, read or written. Nothing of the transaction is kept.
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
