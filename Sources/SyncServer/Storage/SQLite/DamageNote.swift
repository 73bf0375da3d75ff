// Remembers whether a storage has found damage.

import Foundation

/// `@unchecked Sendable`: its lock guards all state.
final class DamageNote: @unchecked Sendable {
  private let lock = NSLock()
  private var isFound = false

  var isMade: Bool { lock.withLock { isFound } }

  func remember(_ error: any Error) {
    guard (error as? StorageError)?.code == .damaged else { return }
    lock.withLock { isFound = true }
  }
}
