// The lock of a store. The main thread takes it, so it is held only briefly.

import Foundation

/// Protects the state of a store in memory. After each use it tells lists and observers what has changed, and performs
/// the effects once the lock is free.
///
/// Recursive for one reason: an operation may read the store while it is evaluated. `@unchecked Sendable`: the memory
/// is only used inside `withLock`. Not a `Synchronization.Mutex`, as `Locked` says.
final class MemoryLock: @unchecked Sendable {
  private let lock = NSRecursiveLock()
  private var memory: StoreMemory
  /// How many nested calls the thread that holds the lock is in.
  private var depth = 0

  init(_ memory: sending StoreMemory) {
    self.memory = memory
  }

  /// `body` must not call `withLock` again, which would be an overlapping access; inside `holding` it may.
  func withLock<Result>(_ body: (inout StoreMemory) throws -> Result) rethrows -> Result {
    enter()
    defer {
      // Also after an error: what has changed before it stays changed.
      memory.tellChanges()
      leave()
    }
    return try body(&memory)
  }

  /// Holds the lock without using the memory, so that `body` may call `withLock`.
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
    assert(depth > 0 || memory.effects.isEmpty, "the section before has performed its effects")
    depth += 1
  }

  private func leave() {
    assert(depth > 0, "the lock is held")
    depth -= 1
    let effects = depth == 0 ? memory.effects.takeAll() : Effects()
    lock.unlock()
    effects.perform()
  }
}
