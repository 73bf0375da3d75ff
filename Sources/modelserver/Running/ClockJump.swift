// Keeps upkeep from deleting what is young, after the clock has been set wrong.

/// Compares the wall clock with one that nobody sets. Pure: times are milliseconds.
///
/// After a jump ahead, of more than an hour, upkeep waits for a day, in which an operator can set the clock right. As
/// long as the clock is behind the newest time that the server has seen, that time was wrong, or the clock is now:
/// upkeep waits too.
struct ClockJump {
  /// How far the wall clock was ahead of the other one at the last look; nil before the first.
  private var offset: Int64?
  /// Until when upkeep waits, by the clock that nobody sets.
  private var waitsUntil: Int64 = .min

  /// A clock that is corrected moves by less.
  static let most: Int64 = 3_600_000
  static let wait: Int64 = 86_400_000

  /// `newest` is the newest time that the server had noted when it started; 0 for a new database. A server that was
  /// stopped for long waits too, because nobody can tell that from a wrong clock.
  init(newest: Int64, steady: Int64) {
    if newest > 0 { offset = newest - steady }
  }

  /// Returns whether the clock has jumped ahead since the last look.
  mutating func look(wall: Int64, steady: Int64) -> Bool {
    let before = offset
    offset = wall - steady
    guard let before, wall - steady - before > Self.most else { return false }
    waitsUntil = steady + Self.wait
    return true
  }

  /// Whether upkeep waits after a jump. The time is not noted meanwhile, so that a start with a clock that was set right
  /// knows nothing of the jump, and one with the wrong clock waits again.
  func isWaiting(steady: Int64) -> Bool { steady < waitsUntil }

  /// Whether upkeep may delete. `lag` is how far the clock is behind the newest time that the server has seen.
  func allowsUpkeep(lag: Int64, steady: Int64) -> Bool { !isWaiting(steady: steady) && lag <= Self.most }
}
