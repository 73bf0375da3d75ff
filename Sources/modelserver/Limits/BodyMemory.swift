// How much memory all bodies of requests may take together, and those of one user.

import Foundation
import SyncProtocol
import WireFormat

/// `@unchecked Sendable`: behind its lock.
final class BodyMemory: @unchecked Sendable {
  private let lock = NSLock()
  private let share: Int
  private var rest: Int
  private var taken: [UUIDValue: Int] = [:]

  init(bytes: Int) {
    rest = bytes
    // Of what is small, enough for one body beside the polls of a user, which keep some of theirs.
    share = max(bytes / 4, 2 * ProtocolLimits.requestBytes)
  }

  /// A user has a quarter at most, so that nobody alone keeps the others out.
  func take(_ bytes: Int, for user: UUIDValue) -> Bool {
    lock.withLock {
      let sum = taken[user, default: 0] + bytes
      guard bytes <= rest, sum <= share else { return false }
      rest -= bytes
      taken[user] = sum
      return true
    }
  }

  func give(back bytes: Int, of user: UUIDValue) {
    lock.withLock {
      rest += bytes
      let sum = taken[user, default: 0] - bytes
      taken[user] = sum > 0 ? sum : nil
    }
  }
}
