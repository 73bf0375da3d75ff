// When bytes of a request came or went last, so that the status can tell a slow network from none.

import Foundation

/// `@unchecked Sendable`: the time is reached under the lock only. A transport tells of its progress from any thread.
final class ExchangeProgress: @unchecked Sendable {
  private let lock = NSLock()
  private var moved: Int64
  private var hasBegun = false
  /// How long nothing may be seen to move before the status says that the device is offline, in milliseconds. The
  /// system may hold all that is sent in its buffers.
  let patience: Int64

  init(at milliseconds: Int64, patience: Int64) { (moved, self.patience) = (milliseconds, patience) }

  func move(at milliseconds: Int64) { lock.withLock { (moved, hasBegun) = (milliseconds, true) } }

  /// Whether any byte has come or gone.
  var hasMoved: Bool { lock.withLock { hasBegun } }

  /// The time, in milliseconds since 1970, at which the status says so unless something moves before.
  var due: Int64 { lock.withLock { moved } + patience }
}
