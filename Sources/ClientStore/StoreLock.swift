// A lock around a value of a store. The main thread takes it, so it is held only briefly.

import Foundation

/// Protects a value that several threads use.
///
/// Recursive, because a change may read other objects of the store while it is evaluated. `@unchecked Sendable`: the
/// value is only used inside `withLock`. Not a `Synchronization.Mutex`, because the thread sanitizer reports races in
/// it that are not there.
final class StoreLock<Value>: @unchecked Sendable {
  private let lock = NSRecursiveLock()
  private var value: Value
  /// How many nested calls the thread that holds the lock is in.
  private var depth = 0

  init(_ value: sending Value) {
    self.value = value
  }

  /// `body` must not call `withLock` again, which would be an overlapping access to the value; inside `holding` it may.
  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    enter()
    defer { leave() }
    return try body(&value)
  }

  /// Runs `body` if no other thread has the lock; else returns nil at once.
  func withLockIfFree<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result? {
    guard lock.try() else { return nil }
    depth += 1
    defer { leave() }
    return try body(&value)
  }

  /// Holds the lock without using the value, so that `body` may call `withLock`.
  func holding<Result>(_ body: () throws -> Result) rethrows -> Result {
    enter()
    defer { leave() }
    return try body()
  }

  /// Whether the calling thread holds the lock. Waits while another thread holds it.
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
