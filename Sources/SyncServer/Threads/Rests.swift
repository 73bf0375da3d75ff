// The rests of users after long jobs, so that others find a thread free in between.

import WireFormat

/// After a long job its user rests for several times as long, at most for a second, if another user waits or has had a job
/// shortly before. A user alone never rests. Pure: times are seconds of any clock.
struct Rests {
  typealias User = UserID?

  /// A rest is so many times as long as the job; 0 for no rests.
  private let factor: Double
  private var ends: [User: Double] = [:]
  /// The last user to begin a job, and when; and when one of another user began last.
  private var last: (user: User, time: Double)?
  private var timeOfOthers: Double?

  /// Shorter jobs, in seconds, need no rest: nobody notices them.
  static var long: Double { 0.03 }
  /// The longest rest, so that a disk that stands still once holds up nobody for long.
  static var longest: Double { 1 }
  /// Others count for so many seconds after their last job.
  static var memory: Double { 1 }

  init(factor: Double) { self.factor = factor }

  func isResting(_ user: User) -> Bool { ends[user] != nil }

  /// The users whose rest is not over.
  func users(at now: Double) -> [User] { ends.filter { $0.value > now }.map(\.key) }

  var nextEnd: Double? { ends.values.min() }

  /// Notes that a job of a user begins. The server itself, nil, is nobody whom a user could keep waiting.
  mutating func addWork(_ user: User, at now: Double) {
    if user == nil { return }
    if let last, last.user != user { timeOfOthers = last.time }
    last = (user, now)
  }

  /// Whether a job of another user has begun shortly before that time.
  func hasOthers(than user: User, at time: Double) -> Bool {
    let others = last?.user == user ? timeOfOthers : last?.time
    return others.map { time - $0 < Self.memory } ?? false
  }

  /// Lets a user rest after a job, if it was long and there are others. `isAwaited`: whether jobs of others wait now.
  mutating func begin(_ user: User, after seconds: Double, isAwaited: Bool, at now: Double) {
    guard factor > 0, seconds > Self.long, user != nil else { return }
    guard isAwaited || hasOthers(than: user, at: now - seconds) else { return }
    ends[user] = max(ends[user] ?? now, now + min(factor * seconds, Self.longest))
  }

  /// Ends the rests that are over, and returns their users.
  mutating func end(at now: Double) -> [User] {
    guard !ends.isEmpty else { return [] }
    let users = ends.filter { $0.value <= now }.map(\.key)
    for user in users { ends[user] = nil }
    return users
  }
}
