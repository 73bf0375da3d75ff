// Keeps an error that every request meets, as of a full disk, from filling the log.

import Synchronization

/// Errors that were logged lately. The first of a kind is logged at once, those of the next minute are counted.
final class RepeatedErrors: Sendable {
  private let seen = Mutex<[String: Seen]>([:])

  private static let pause = Duration.seconds(60)
  /// So many kinds are remembered. Beyond them every error is logged.
  private static let kinds = 100

  private struct Seen {
    var logged: ContinuousClock.Instant
    var more = 0
  }

  /// The lines to log for an error: none if it was logged a short time ago. Also those of errors that were counted for
  /// long enough.
  func lines(for error: String, at now: ContinuousClock.Instant) -> [String] {
    seen.withLock { seen in
      var lines: [String] = []
      for (kind, last) in seen where now - last.logged >= Self.pause {
        if last.more > 0 { lines.append("\(kind) (\(last.more) times more since)") }
        seen[kind] = nil
      }
      if seen[error] != nil {
        seen[error]?.more += 1
      } else {
        if seen.count < Self.kinds { seen[error] = Seen(logged: now) }
        lines.append(error)
      }
      return lines
    }
  }
}
