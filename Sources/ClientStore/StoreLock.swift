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
  /// How many calls of the thread that has the lock are inside.
  private var depth = 0

  init(_ value: sending Value) {
    self.value = value
  }

  /// `body` must not keep the value: a nested call would then be an overlapping access.
  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    enter()
    defer { leave() }
    return try body(&value)
  }

  /// Nil where another thread has the lock.
  func withLockIfFree<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result? {
    guard lock.try() else { return nil }
    depth += 1
    defer { leave() }
    return try body(&value)
  }

  /// Holds the lock and not the value, so that `body` may take it again.
  func holding<Result>(_ body: () throws -> Result) rethrows -> Result {
    enter()
    defer { leave() }
    return try body()
  }

  /// Whether the thread that asks is inside already.
  var isHeldHere: Bool {
    lock.lock()
    defer { lock.unlock() }
    return depth > 0
  }

  private func enter() {
    lock.lock()
    depth += 1
  }

  private func leave() {
    depth -= 1
    lock.unlock()
  }
}
