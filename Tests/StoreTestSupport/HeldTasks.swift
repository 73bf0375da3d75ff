// Tasks that wait until a test lets them run, so that what is written between two lines of a test is always the same.

import Foundation

/// A door for `RuntimeEnvironment.seeded(_:spawning:)`. `@unchecked Sendable`: the list is behind a lock.
public final class HeldTasks: @unchecked Sendable {
  private let lock = NSLock()
  private var bodies: [@Sendable () async -> Void] = []

  public init() {}

  public func spawn(_ body: @escaping @Sendable () async -> Void) {
    lock.withLock { bodies.append(body) }
  }

  /// Runs what waits, one after the other, to the end.
  public func run() async {
    while let body = next() { await body() }
  }

  private func next() -> (@Sendable () async -> Void)? {
    lock.withLock { bodies.isEmpty ? nil : bodies.removeFirst() }
  }
}
