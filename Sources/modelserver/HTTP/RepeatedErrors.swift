// Keeps an error that every request meets, as of a full disk, from filling the log.

import Synchronization

/// Counts errors that come again. The first of a kind is logged at once, and those of the next minute by one line.
final class RepeatedErrors: Sendable {
  private let seen = Mutex<[String: Seen]>([:])

  private static let pause = Duration.seconds(60)
  /// So many kinds are remembered. Beyond them every error is logged.
  private static let kinds = 100

  private struct Seen {
    var logged: ContinuousClock.Instant
    var more = 0
  }

  /// Whether to log an error now; else it is counted.
  func isNew(_ error: String, at now: ContinuousClock.Instant) -> Bool {
    seen.withLock { seen in
      guard seen[error] == nil else {
        seen[error]?.more += 1
        return false
      }
      if seen.count < Self.kinds { seen[error] = Seen(logged: now) }
      return true
    }
  }

  /// The lines for errors that were counted for a minute. To be called about once a minute.
  func lines(at now: ContinuousClock.Instant) -> [String] {
    seen.withLock { seen in
      var lines: [String] = []
      for (error, last) in seen.sorted(by: { $0.key < $1.key }) where now - last.logged >= Self.pause {
        // What goes on stays counted, so that it has one line a minute.
        seen[error] = last.more > 0 ? Seen(logged: now) : nil
        if last.more > 0 { lines.append("\(error) (and \(last.more) times more)") }
      }
      return lines
    }
  }
}
