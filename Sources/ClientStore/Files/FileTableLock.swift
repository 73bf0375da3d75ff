// The lock of the table of files.

/// Protects the table, and performs the effects of what has changed once the lock is free.
final class FileTableLock: Sendable {
  private let table = Locked(FileTable())

  func withLock<Result>(_ body: (inout FileTable) throws -> Result) rethrows -> Result {
    var effects = Effects()
    defer { effects.perform() }
    return try table.withLock { table in
      defer { effects = table.effects.takeAll() }
      return try body(&table)
    }
  }
}
