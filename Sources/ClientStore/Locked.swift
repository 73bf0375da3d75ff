// A lock around a value of a store. The main thread takes it, so it is held only briefly.

import Foundation

/// Protects a value that several threads use.
///
/// Not recursive: a thread that has the lock must not take it again. `@unchecked Sendable`: the value is only used
/// inside `withLock`. Not a `Synchronization.Mutex`, because the thread sanitizer reports races in it that are not there.
final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: sending Value) {
    self.value = value
  }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }

  /// Runs `body` if no thread has the lock; else returns nil at once.
  func withLockIfFree<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result? {
    guard lock.try() else { return nil }
    defer { lock.unlock() }
    return try body(&value)
  }
}
