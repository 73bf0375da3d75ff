// Tests of the turns of users, with jobs whose times are made up.

import SampleIDs
import TestSupport
import Testing
import WireFormat

@testable import SyncServer

@Suite struct FairQueueTests {
  private func user(_ number: Int) -> UserID { .number(UInt64(number)) }

  @Test func theUserWithTheLeastTimeIsNext() {
    var queue = FairQueue<Int>()
    for job in 1...3 { queue.add(job, of: user(1)) }
    #expect(run(&queue, taking: 10) == 1)
    for job in 11...13 { queue.add(job, of: user(2)) }
    // A new user begins with the time at which the last turn began, and goes first until both have had the same time.
    #expect((1...5).map { _ in run(&queue, taking: 6) } == [11, 12, 2, 13, 3])
    #expect(queue.take() == nil && queue.count == 0)
  }

  @Test func idleUserSavesUpNoTime() {
    var queue = FairQueue<Int>()
    queue.add(0, of: user(2))
    #expect(run(&queue, taking: 1) == 0)
    for job in 1...100 { queue.add(job, of: user(1)) }
    for _ in 1...90 { _ = run(&queue, taking: 1) }
    for job in 201...210 { queue.add(job, of: user(2)) }
    let next = (1...10).map { _ in run(&queue, taking: 1) ?? 0 }
    #expect(next.count { $0 > 200 } == 5, "they take turns: \(next)")
  }

  @Test func boundsRunningJobsOfAUser() throws {
    var queue = FairQueue<Int>(atOnce: 2)
    for job in 1...4 { queue.add(job, of: user(1)) }
    #expect(queue.take()?.job == 1)
    #expect(queue.take()?.job == 2)
    #expect(queue.take() == nil && queue.count == 2)
    queue.add(5, of: user(2))
    #expect(queue.take()?.job == 5)
    queue.ended(user(1), took: 1)
    #expect(queue.take()?.job == 3)
    #expect(queue.take() == nil)
  }

  @Test func secondStepCountsAgainstItsUsersLimit() {
    var queue = FairQueue<Int>(atOnce: 1)
    for job in 1...2 { queue.add(job, of: user(1)) }
    #expect(queue.take()?.job == 1)
    queue.ended(user(1), took: 1)
    // The user already waits for a turn when the second step comes.
    queue.addGoingOn(101, of: user(1))
    #expect(queue.take()?.job == 101)
    #expect(queue.take() == nil, "two at once")
    queue.ended(user(1), took: 1)
    #expect(queue.take()?.job == 2)
  }

  /// A job that has read a page holds it until it is done. So its next step waits for no turn, but its time counts.
  @Test func nextStepOfABegunJobRunsFirst() {
    var queue = FairQueue<Int>(atOnce: 1)
    for job in 1...3 { queue.add(job, of: user(1)) }
    for job in 11...13 { queue.add(job, of: user(2)) }
    #expect(run(&queue, taking: 5) == 1)
    queue.addGoingOn(101, of: user(1))
    #expect(queue.take()?.job == 101 && queue.count == 5)
    queue.addGoingOn(102, of: user(1))
    #expect(queue.take()?.job == 11, "no more at once than others")
    queue.ended(user(1), took: 5)
    #expect(queue.take()?.job == 102)
    queue.ended(user(1), took: 5)
    queue.ended(user(2), took: 1)
    #expect((1...5).map { _ in run(&queue, taking: 4) } == [12, 13, 2, 3, nil], "its time counts")
    #expect(queue.count == 0)
    queue.addGoingOn(103, of: user(9))
    #expect(queue.take()?.job == 103, "also of a user who was forgotten")
    queue.ended(user(9), took: 1)
  }

  @Test func takeWithinALimitSkipsUsersOfLongJobs() {
    var queue = FairQueue<Int>()
    for job in 1...2 { queue.add(job, of: user(1)) }
    #expect(queue.take(within: 1)?.job == 1, "of a user of whom nothing is known")
    queue.ended(user(1), took: 5)
    #expect(queue.take(within: 1) == nil)
    #expect(queue.take()?.job == 2)
  }

  @Test func jobOfUnwantedUserStaysNext() {
    var queue = FairQueue<Int>()
    queue.add(1, of: user(1))
    queue.add(2, of: user(2))
    #expect(queue.take(from: { $0 != user(1) }) == nil && queue.count == 2, "nobody is passed over")
    #expect(queue.take(from: { $0 != user(2) })?.job == 1)
    #expect(queue.take()?.job == 2)
  }

  /// Random users, jobs and threads: no job is lost, each user's order is kept, and no user has more jobs at once than
  /// allowed. Two users who wait all the time get the same time, but for the jobs that run. Where users rest after their
  /// jobs, each job is taken all the same.
  @Test(arguments: 0..<200 as Range<UInt64>) func manyUsersShareTimeFairlyAndInOrder(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let atOnce = 1 + random.below(3)
    let threads = atOnce + random.below(4)
    let rest = seed % 3 == 0 ? 0.05 : 0
    var queue = FairQueue<(user: Int, number: Int)>(atOnce: atOnce, rest: rest)
    let users = 1 + random.below(6)
    var added = [Int](repeating: 0, count: users)
    var taken = added
    var had = [Double](repeating: 0, count: users)
    var running: [(user: Int, end: Double, took: Double)] = []
    var now = 0.0
    // Two users always have something to do.
    func fill() {
      for user in 0..<min(2, users) where added[user] - taken[user] < 5 { add(user) }
    }
    func add(_ number: Int) {
      queue.add((number, added[number]), of: user(number))
      added[number] += 1
    }
    for _ in 0..<1_000 {
      fill()
      if random.chance(20) { add(random.below(users)) }
      if running.count < threads, let next = queue.take(at: now) {
        let (user, number) = next.job
        #expect(next.user == self.user(user) && number == taken[user], "seed \(seed)")
        taken[user] += 1
        #expect(running.count { $0.user == user } < atOnce, "seed \(seed)")
        let took = Double(1 + random.below(10))
        running.append((user, now + took, took))
      } else if let index = running.indices.min(by: { running[$0].end < running[$1].end }) {
        let ended = running.remove(at: index)
        now = ended.end
        had[ended.user] += ended.took
        queue.ended(user(ended.user), took: ended.took, at: now)
      } else if let end = queue.nextEndOfRest {
        now = end
      } else {
        #expect(queue.count == 0, "seed \(seed): nobody works or rests")
      }
      #expect(queue.count == zip(added, taken).reduce(0) { $0 + $1.0 - $1.1 }, "seed \(seed)")
    }
    // Where all fit in at once, nobody waits for a turn.
    if users >= 2, users * atOnce > threads, rest == 0 {
      #expect(abs(had[0] - had[1]) <= Double(10 * 2 * (atOnce + 1)), "seed \(seed): \(had)")
    }
  }

  /// Takes a job, which takes so long, and returns it.
  private func run(_ queue: inout FairQueue<Int>, from now: inout Double, taking seconds: Double) -> Int? {
    guard let (job, user) = queue.take(at: now) else { return nil }
    now += seconds
    queue.ended(user, took: seconds, at: now)
    return job
  }

  /// A user whose jobs are long has a third of the time while another one has jobs now and then. So most of the other's
  /// jobs find the thread free.
  @Test func userRestsAfterLongJobs() {
    var queue = FairQueue<Int>(rest: 2)
    var (now, long, waits) = (0.0, 0.0, [Double]())
    for job in 1...100 { queue.add(job, of: user(1)) }
    var due = 0.05
    while now < 30 {
      if now >= due {
        queue.add(0, of: user(2))
        while run(&queue, from: &now, taking: 0.001) != 0 { Issue.record("the other waits for a long job more") }
        waits.append(now - due)
        due += 0.05
      } else if run(&queue, from: &now, taking: 0.3) != nil {
        long += 0.3
      } else {
        now = min(due, queue.nextEndOfRest ?? due)
      }
    }
    waits.sort()
    #expect(long > 9 && long < 11, "a third of 30 seconds: \(long)")
    #expect(waits[waits.count / 2] < 0.002, "the median of \(waits.count)")
  }

  @Test func userAloneNeverRests() {
    var queue = FairQueue<Int>(rest: 2)
    var now = 0.0
    queue.add(0, of: user(2))
    #expect(run(&queue, from: &now, taking: 0.001) == 0)
    now += 2
    for job in 1...3 { queue.add(job, of: user(1)) }
    #expect((1...3).map { _ in run(&queue, from: &now, taking: 0.3) } == [1, 2, 3], "the other was there long ago")
  }

  @Test func shortJobDoesNotShortenARest() {
    var queue = FairQueue<Int>(atOnce: 2, rest: 2)
    for job in 1...3 { queue.add(job, of: user(1)) }
    #expect(queue.take(at: 0)?.job == 1 && queue.take(at: 0)?.job == 2)
    queue.add(4, of: user(2))
    queue.ended(user(1), took: 0.4, at: 0.4)
    queue.ended(user(1), took: 0.05, at: 0.45)
    #expect(queue.take(at: 0.5)?.job == 4)
    #expect(queue.nextEndOfRest == 0.4 + 0.8 && queue.take(at: 0.6) == nil)
    #expect(queue.take(at: 1.25)?.job == 3)
  }

  @Test func longestRestIsASecond() {
    var queue = FairQueue<Int>(rest: 2)
    for job in 1...2 { queue.add(job, of: user(1)) }
    #expect(queue.take(at: 0)?.job == 1)
    queue.add(3, of: user(2))
    queue.ended(user(1), took: 20, at: 20)
    #expect(queue.take(at: 20)?.job == 3)
    queue.ended(user(2), took: 0.001, at: 20.001)
    #expect(queue.take(at: 20.9) == nil && queue.take(at: 21)?.job == 2)
  }

  @Test func nobodyYieldsToOneWhoRests() {
    var queue = FairQueue<Int>(rest: 2)
    var now = 0.0
    queue.add(0, of: user(2))
    for job in 1...2 { queue.add(job, of: user(1)) }
    #expect(run(&queue, from: &now, taking: 0.001) == 0 && run(&queue, from: &now, taking: 0.3) == 1)
    #expect(queue.count == 1 && !queue.hasJobs(besides: user(2)))
    queue.add(3, of: user(3))
    #expect(queue.hasJobs(besides: user(2)) && !queue.hasJobs(besides: user(3)))
    #expect(run(&queue, from: &now, taking: 0.001) == 3 && run(&queue, from: &now, taking: 0.001) == nil)
    now += 0.6
    #expect(queue.hasJobs(besides: user(2), at: now), "its rest is over, though nobody has taken its job yet")
    #expect(run(&queue, from: &now, taking: 0.001) == 2)
  }

  @Test func othersCountForASecondAfterTheirLastJob() {
    var queue = FairQueue<Int>()
    queue.add(1, of: user(1))
    #expect(queue.hasOthers(than: user(2), at: 5) && !queue.hasOthers(than: user(1), at: 5))
    #expect(queue.take(at: 5)?.user == user(1))
    queue.ended(user(1), took: 0.001, at: 5.001)
    #expect(queue.hasOthers(than: user(2), at: 5.9) && !queue.hasOthers(than: user(2), at: 6))
    #expect(!queue.hasOthers(than: user(1), at: 5.9), "a user alone")
  }

  private func run(_ queue: inout FairQueue<Int>, taking seconds: Double) -> Int? {
    guard let (job, user) = queue.take() else { return nil }
    queue.ended(user, took: seconds)
    return job
  }
}
