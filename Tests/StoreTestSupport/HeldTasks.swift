// Tasks that wait until a test lets them run, so that what is written between two lines of a test is always the same.

import Determinism
import Foundation

/// A door for `RuntimeEnvironment.seeded(_:spawning:)`. `@unchecked Sendable`: the list is behind a lock.
public final class HeldTasks: @unchecked Sendable {
  private let lock = NSLock()
  private var bodies: [@Sendable () async -> Void] = []
  private var isHolding = true

  public init() {}

  public func spawn(_ body: @escaping @Sendable () async -> Void) {
    let isHeld = lock.withLock {
      if isHolding { bodies.append(body) }
      return isHolding
    }
    if !isHeld { RuntimeEnvironment.live.spawn(body) }
  }

  /// Holds nothing back meanwhile: for a call that waits for a task which it starts itself.
  public func freely<Result>(_ body: () async throws -> Result) async throws -> Result {
    lock.withLock { isHolding = false }
    defer { lock.withLock { isHolding = true } }
    return try await body()
  }

  /// Runs what waits, one after the other, to the end.
  public func run() async {
    while let body = next() { await body() }
  }

  private func next() -> (@Sendable () async -> Void)? {
    lock.withLock { bodies.isEmpty ? nil : bodies.removeFirst() }
  }
}
