// Holds tasks back until a test runs them, so that the same things are written between two lines of a test each time.

import Determinism
import Foundation

/// Made for `RuntimeEnvironment.seeded(_:spawning:)`. `@unchecked Sendable`: the list is behind a lock.
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

  /// Holds no task back during `body`: for a call that waits for a task that it starts itself.
  public func freely<Result>(_ body: () async throws -> Result) async throws -> Result {
    lock.withLock { isHolding = false }
    defer { lock.withLock { isHolding = true } }
    return try await body()
  }

  /// Runs the waiting tasks one after the other, each to its end.
  public func run() async {
    while let body = next() { await body() }
  }

  private func next() -> (@Sendable () async -> Void)? {
    lock.withLock { bodies.isEmpty ? nil : bodies.removeFirst() }
  }
}
