// The moment at which edits become an operation: after a pause, not after every letter. Pure: it is told what happens
// and at what time, and says what to do.

/// The edits of an object that wait for a pause.
struct EditPause {
  enum Action: Equatable {
    /// Call `woke` after this time.
    case wake(afterMilliseconds: Int64)
    /// Perform all edits as one operation.
    case perform
  }

  /// How long nothing must change.
  static let pauseMilliseconds: Int64 = 500
  /// How long an edit waits at most, so that a long text is not lost with the app.
  static let longestMilliseconds: Int64 = 5_000

  private var edits: (first: Int64, last: Int64)?
  private var isWakeSet = false

  /// Something was edited. Times are in milliseconds.
  mutating func edited(at now: Int64) -> Action? {
    edits = (edits?.first ?? now, now)
    if isWakeSet { return nil }
    isWakeSet = true
    return .wake(afterMilliseconds: Self.pauseMilliseconds)
  }

  /// The time of a `wake` has passed.
  mutating func woke(at now: Int64) -> Action? {
    isWakeSet = false
    guard var (first, last) = edits else { return nil }
    // The clock was set back: the wait begins again.
    if now < last { (first, last) = (now, now) }
    let remaining = min(last + Self.pauseMilliseconds, first + Self.longestMilliseconds) - now
    guard remaining > 0 else {
      edits = nil
      return .perform
    }
    (edits, isWakeSet) = ((first, last), true)
    return .wake(afterMilliseconds: remaining)
  }

  /// The pause is not waited for: the user has submitted the text, or leaves the app.
  mutating func end() -> Action? {
    guard edits != nil else { return nil }
    edits = nil
    return .perform
  }
}
