// The server's time, which never goes back.

import Determinism
import Foundation
import WireFormat

/// The environment's clock, but never behind the newest time that was seen. Outcomes are kept for a time, and one that
/// was written while the clock was behind would be forgotten too early.
///
/// `@unchecked Sendable`: its lock guards the newest time.
final class ServerClock: @unchecked Sendable {
  private let environment: RuntimeEnvironment
  private let lock = NSLock()
  private var newest: Int64 = 0

  init(_ environment: RuntimeEnvironment) {
    self.environment = environment
  }

  var now: Timestamp {
    let time = environment.nowMilliseconds()
    return lock.withLock {
      newest = max(newest, time)
      return Timestamp(millisecondsSince1970: newest)
    }
  }

  /// How far the environment's clock is behind the newest time, in milliseconds.
  var lag: Int64 {
    let time = environment.nowMilliseconds()
    return lock.withLock { max(0, newest - time) }
  }

  /// Raises the newest time, as to the one that was noted before a restart.
  func raise(to time: Timestamp) {
    lock.withLock { newest = max(newest, time.millisecondsSince1970) }
  }
}
