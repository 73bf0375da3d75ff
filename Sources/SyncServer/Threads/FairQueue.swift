// Jobs of many users, in an order that is fair by the time that they take.

import DequeModule
import HeapModule
import WireFormat

/// The user who had the least time is next; the jobs of one user keep their order. Pure.
///
/// Start-time fair queueing (Goyal, Vin and Cheng, SIGCOMM 1996), by measured time.
struct FairQueue<Job> {
  /// Nil is the server itself.
  typealias User = UUIDValue?

  private var shares: [User: Share] = [:]
  /// One for each user who has a job that may run.
  private var turns = Heap<Turn>()
  /// Second steps of jobs, which hold memory until they have run: they run before all jobs, in their order.
  private var goingOn: [(job: Job, user: User)] = []
  /// The time that the user of the last turn had. A user who comes back begins here: no time is saved up by waiting.
  private var clock = 0.0
  private var mostShares = 1_024
  /// Jobs that wait.
  private(set) var count = 0
  /// How many jobs of one user may run at the same time.
  let atOnce: Int

  private struct Share {
    var waiting = Deque<Job>()
    var running = 0
    /// In seconds, as all times here.
    var had: Double
    /// Seconds that a job of this user usually takes.
    var usual = 0.0
    /// Whether `turns` has this user.
    var isInTurn = false

    var isIdle: Bool { waiting.isEmpty && running == 0 }
  }

  private struct Turn: Comparable {
    var had: Double
    /// The order of equals.
    var number: Int
    var user: User

    static func < (one: Self, other: Self) -> Bool { (one.had, one.number) < (other.had, other.number) }
  }

  private var nextNumber = 0

  init(atOnce: Int = .max) { self.atOnce = atOnce }

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

  /// The next job that may run; nil where there is none, or where it usually takes more than `seconds`. The caller says
  /// `ended` once for each.
  mutating func take(within seconds: Double = .infinity) -> (job: Job, user: User)? {
    if let next = takeGoingOn() { return next }
    while let turn = turns.popMin() {
      // Not the share: a copy of it would have all waiting jobs copied below.
      guard let (had, usual) = shares[turn.user].map({ ($0.had, $0.usual) }) else {
        preconditionFailure("a turn is of a user")
      }
      shares[turn.user]?.isInTurn = false
      // Its jobs took time while it stood here.
      guard had <= turn.had else {
        putInTurn(turn.user)
        continue
      }
      guard usual <= seconds else {
        putInTurn(turn.user)
        return nil
      }
      clock = max(clock, had)
      guard let job = shares[turn.user]?.waiting.popFirst() else { preconditionFailure("a turn has a job") }
      shares[turn.user]?.running += 1
      count -= 1
      putInTurn(turn.user)
      return (job, turn.user)
    }
    return nil
  }

  /// A job that was taken has run.
  mutating func ended(_ user: User, took seconds: Double) {
    guard var share = shares.removeValue(forKey: user), share.running > 0 else {
      preconditionFailure("no job of this user runs")
    }
    share.running -= 1
    share.had += seconds
    share.usual = share.usual == 0 ? seconds : (3 * share.usual + seconds) / 4
    shares[user] = share
    putInTurn(user)
    if shares.count > mostShares { forgetIdle() }
  }

  private mutating func putInTurn(_ user: User) {
    guard let share = shares[user], !share.isInTurn, !share.waiting.isEmpty, share.running < atOnce else { return }
    nextNumber += 1
    turns.insert(Turn(had: share.had, number: nextNumber, user: user))
    shares[user]?.isInTurn = true
  }

  /// Users who would begin as anybody does.
  private mutating func forgetIdle() {
    shares = shares.filter { !$0.value.isIdle || $0.value.had > clock }
    mostShares = max(1_024, 2 * shares.count)
  }
}
