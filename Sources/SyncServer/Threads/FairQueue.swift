// A queue of jobs of many users, which is fair by the time that the jobs take.

import DequeModule
import HeapModule
import WireFormat

/// The user who has used the least time is next. The jobs of one user keep their order. Pure.
///
/// Start-time fair queueing (Goyal, Vin and Cheng, SIGCOMM 1996), by measured time. A job cannot be interrupted, so that
/// one user's long jobs could fill every gap between the short ones of others. `Rests` keeps gaps free.
struct FairQueue<Job> {
  /// Nil is the server itself.
  typealias User = UserID?

  private var shares: [User: Share] = [:]
  /// One turn for each user who has a job that may run.
  private var turns = Heap<Ticket>()
  /// Second steps of jobs, in their order. They run before all other jobs, because they hold memory until they have
  /// run.
  private var goingOn: [(job: Job, user: User)] = []
  /// The time that the user of the last turn had used. A user who comes back begins with this time, so that waiting
  /// saves up no time.
  private var clock = 0.0
  private var mostShares = 1_024
  /// Jobs that wait, second steps included.
  private(set) var count = 0
  /// How many jobs of one user may run at the same time.
  let atOnce: Int
  private var rests: Rests

  private struct Share {
    var waiting = Deque<Job>()
    var running = 0
    /// Seconds that the user has used, on the scale of `clock`.
    var had: Double
    /// Seconds that a job of this user usually takes.
    var usual = 0.0
    /// Whether `turns` has this user.
    var isInTurn = false

    var isIdle: Bool { waiting.isEmpty && running == 0 }
  }

  private struct Ticket: Comparable {
    var had: Double
    /// Orders turns with the same time.
    var number: Int
    var user: User

    static func < (one: Self, other: Self) -> Bool { (one.had, one.number) < (other.had, other.number) }
  }

  private var nextNumber = 0

  /// `rest`: for how many times its length a user rests after a long job, while others have jobs too; 0 for never.
  init(atOnce: Int = .max, rest: Double = 0) {
    self.atOnce = atOnce
    rests = Rests(factor: rest)
  }

  /// Jobs of one user that wait.
  func count(of user: User) -> Int { shares[user]?.waiting.count ?? 0 }

  mutating func add(_ job: Job, of user: User) {
    if let share = shares[user] {
      if share.isIdle { shares[user]?.had = max(share.had, clock) }
    } else {
      shares[user] = Share(had: clock)
    }
    shares[user]?.waiting.append(job)
    count += 1
    putInTurn(user)
  }

  /// Adds the second step of a job of the user. It waits for no turn, and its time counts as the user's.
  mutating func addGoingOn(_ job: Job, of user: User) {
    goingOn.append((job, user))
    count += 1
  }

  private mutating func takeGoingOn() -> (job: Job, user: User)? {
    let index = goingOn.firstIndex { shares[$0.user]?.running ?? 0 < atOnce }
    guard let next = index.map({ goingOn.remove(at: $0) }) else { return nil }
    shares[next.user, default: Share(had: clock)].running += 1
    count -= 1
    return next
  }

  /// Takes the next job that may run `now`, by any clock in seconds. Nil if there is none, if it usually takes more than
  /// `seconds`, or if it is of a user whom the caller does not want. The caller must call `ended` once for each job.
  mutating func take(
    within seconds: Double = .infinity, at now: Double = 0, from isWanted: (User) -> Bool = { _ in true }
  ) -> (job: Job, user: User)? {
    for user in rests.end(at: now) { putInTurn(user) }
    if let next = takeGoingOn() { return next }
    while let turn = turns.popMin() {
      // Copies only numbers of the share. With a copy of its jobs, `popFirst` below would have to copy all of them.
      guard let (had, usual, running) = shares[turn.user].map({ ($0.had, $0.usual, $0.running) }) else {
        preconditionFailure("a turn is of a user")
      }
      shares[turn.user]?.isInTurn = false
      // The rest began while the user was in turn. Its end puts the user in turn again.
      if rests.isResting(turn.user) { continue }
      // If jobs of the user have ended since the turn was made, the user has used more time.
      guard had <= turn.had else {
        putInTurn(turn.user)
        continue
      }
      // A second step has taken the last place meanwhile. `ended` puts the user in turn again.
      guard running < atOnce else { continue }
      guard usual <= seconds, isWanted(turn.user) else {
        // The same turn, so that nobody passes.
        turns.insert(turn)
        shares[turn.user]?.isInTurn = true
        return nil
      }
      clock = max(clock, had)
      guard let job = shares[turn.user]?.waiting.popFirst() else { preconditionFailure("a turn has a job") }
      shares[turn.user]?.running += 1
      count -= 1
      rests.addWork(turn.user, at: now)
      putInTurn(turn.user)
      return (job, turn.user)
    }
    return nil
  }

  /// When the next rest ends; nil if nobody rests.
  var nextEndOfRest: Double? { rests.nextEnd }

  /// Whether jobs of others wait, and not only for the end of a rest.
  func hasJobs(besides user: User, at now: Double = 0) -> Bool {
    let resting = rests.users(at: now).reduce(0) { $0 + ($1 == user ? 0 : count(of: $1)) }
    return count - count(of: user) - resting > 0
  }

  /// Whether there are others whom a long job would keep waiting: their jobs wait, or some have begun shortly before.
  func hasOthers(than user: User, at now: Double) -> Bool {
    hasJobs(besides: user, at: now) || rests.hasOthers(than: user, at: now)
  }

  /// To be called when a job that was taken has run, and it is `now`.
  mutating func ended(_ user: User, took seconds: Double, at now: Double = 0) {
    guard var share = shares.removeValue(forKey: user), share.running > 0 else {
      preconditionFailure("no job of this user runs")
    }
    share.running -= 1
    share.had += seconds
    share.usual = share.usual == 0 ? seconds : (3 * share.usual + seconds) / 4
    shares[user] = share
    rests.begin(user, after: seconds, isAwaited: hasJobs(besides: user, at: now), at: now)
    putInTurn(user)
    if shares.count > mostShares { forgetIdle() }
  }

  private mutating func putInTurn(_ user: User) {
    guard let share = shares[user], !share.isInTurn, !share.waiting.isEmpty, share.running < atOnce,
      !rests.isResting(user)
    else { return }
    nextNumber += 1
    turns.insert(Ticket(had: share.had, number: nextNumber, user: user))
    shares[user]?.isInTurn = true
  }

  /// Forgets idle users whose time is not above `clock`, because they would begin as a new user does.
  private mutating func forgetIdle() {
    shares = shares.filter { !$0.value.isIdle || $0.value.had > clock }
    mostShares = max(1_024, 2 * shares.count)
  }
}
