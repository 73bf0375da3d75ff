// The rests of users after long jobs, so that others find a thread free in between.

import WireFormat

/// After a long job its user rests for several times as long, if another user has had a job shortly before. A user alone
/// never rests. Pure: times are seconds of any clock.
struct Rests {
  typealias User = UUIDValue?

  /// A rest is so many times as long as the job; 0 for no rests.
  private let factor: Double
  private var ends: [User: Double] = [:]
  /// The last user to begin a job, and when; and when one of another user began last.
  private var last: (user: User, time: Double)?
  private var timeOfOthers: Double?

  /// Shorter jobs, in seconds, need no rest: nobody notices them.
  static var long: Double { 0.03 }
  /// Others count for so many seconds after their last job.
  static var memory: Double { 1 }

  init(factor: Double) { self.factor = factor }

  var users: Dictionary<User, Double>.Keys { ends.keys }
  func isResting(_ user: User) -> Bool { ends[user] != nil }

  var nextEnd: Double? { ends.values.min() }

  /// Notes that a job of a user begins.
  mutating func note(_ user: User, at now: Double) {
    if let last, last.user != user { timeOfOthers = last.time }
    last = (user, now)
  }

  /// Lets a user rest after a job, if it was long and there are others. The server itself, nil, never rests.
  mutating func begin(_ user: User, after seconds: Double, at now: Double) {
    guard factor > 0, seconds > Self.long, user != nil else { return }
    let others = last?.user == user ? timeOfOthers : last?.time
    guard let others, now - seconds - others < Self.memory else { return }
    ends[user] = now + factor * seconds
  }

  /// Ends the rests that are over, and returns their users.
  mutating func end(at now: Double) -> [User] {
    guard !ends.isEmpty else { return [] }
    let users = ends.filter { $0.value <= now }.map(\.key)
    for user in users { ends[user] = nil }
    return users
  }
}
