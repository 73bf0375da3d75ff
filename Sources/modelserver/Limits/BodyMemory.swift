// Limits the memory of all bodies of requests and answers together, and of those of one user.

import Foundation
import SyncProtocol
import WireFormat

/// `@unchecked Sendable`: its lock guards all state.
final class BodyMemory: @unchecked Sendable {
  private let lock = NSLock()
  private let share: Int
  /// Bytes kept for users who hold at most `little`, the new ones included. So a few with large bodies do not keep the
  /// others from their small requests.
  private let reserve: Int
  private let little: Int
  private var rest: Int
  private var taken: [UserID: Int] = [:]

  init(bytes: Int) {
    rest = bytes
    // A quarter, but at least enough for the largest request beside the largest answer.
    share = max(bytes / 4, ProtocolLimits.requestBytes + ProtocolLimits.answerBytes)
    reserve = bytes / 8
    // At least enough for the largest object, so that each page can be sent once it has shrunk.
    little = max(bytes / 256, ProtocolLimits.answerBytes(ofContent: ProtocolLimits.objectBytes) + (128 << 10))
  }

  /// Counts memory for a user; returns whether there was room. Each user has only a share, so that nobody alone keeps
  /// the others out.
  func take(_ bytes: Int, for user: UserID) -> Bool {
    lock.withLock {
      let sum = taken[user, default: 0] + bytes
      guard bytes <= rest - (sum <= little ? 0 : reserve), sum <= share else { return false }
      rest -= bytes
      taken[user] = sum
      return true
    }
  }

  /// For how many bytes of an answer a user has room now. While memory is short that is a part of what is kept for users
  /// with little, so that many of them get something.
  func room(for user: UserID) -> Int {
    lock.withLock {
      let sum = taken[user, default: 0]
      return max(0, min(rest - reserve, share - sum), min(rest / 4, little - sum))
    }
  }

  func give(back bytes: Int, of user: UserID) {
    lock.withLock {
      rest += bytes
      let sum = taken[user, default: 0] - bytes
      taken[user] = sum > 0 ? sum : nil
    }
  }

  /// Counts memory until the result is released, for bodies whose end no single function sees. Nil if there is no room.
  func hold(_ bytes: Int, for user: UserID) -> Held? {
    take(bytes, for: user) ? Held(self, bytes, user) : nil
  }

  final class Held: Sendable {
    private let memory: BodyMemory
    private let bytes: Int
    private let user: UserID

    fileprivate init(_ memory: BodyMemory, _ bytes: Int, _ user: UserID) {
      (self.memory, self.bytes, self.user) = (memory, bytes, user)
    }

    deinit { memory.give(back: bytes, of: user) }
  }
}
