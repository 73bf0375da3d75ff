// How much memory all bodies of requests may take together.

import Foundation

/// `@unchecked Sendable`: behind its lock.
final class BodyMemory: @unchecked Sendable {
  private let lock = NSLock()
  private var rest: Int

  init(bytes: Int) { rest = bytes }

  func take(_ bytes: Int) -> Bool {
    lock.withLock {
      guard bytes <= rest else { return false }
      rest -= bytes
      return true
    }
  }

  func give(back bytes: Int) { lock.withLock { rest += bytes } }
}
