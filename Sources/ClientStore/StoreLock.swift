// The one lock of a store: short, and taken by the main thread.

import Foundation

/// Protects a value that several threads use.
///
/// Recursive, because a change may read other objects of the store while it is evaluated. `@unchecked Sendable`: the
/// value is only reached inside `withLock`. Not `Synchronization.Mutex`, in which the thread sanitizer sees races that
/// are not there.
final class StoreLock<Value>: @unchecked Sendable {
  private let lock = NSRecursiveLock()
  private var value: Value

  init(_ value: sending Value) {
    self.value = value
  }

  /// `body` must not keep the value: a nested call would then be an overlapping access.
  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }

  /// Holds the lock and not the value, so that `body` may take it again.
  func holding<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body()
  }
}
