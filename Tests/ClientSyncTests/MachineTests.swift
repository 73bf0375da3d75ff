// Tests of the decisions of `SyncMachine` and its parts, without a store and a network.

import ModelSupport
import SampleIDs
import Testing

@testable import ClientSync

@Suite struct MachineTests {
  private static let grant = GrantID(high: 4, low: 4)

  private static func place(_ load: QueuePlace.Load) -> QueuePlace {
    var place = QueuePlace()
    place.load = load
    if load == .loaded {
      place.position = 0
      place.grant = grant
    }
    return place
  }

  private static let why = SyncError(.refused, "why")

  @Test(arguments: [
    (TransportAnswer(status: 200, protocolVersion: nil, body: []), SyncFailure.Reaction.waitForServer),
    (TransportAnswer(status: 200, protocolVersion: "2", body: []), .waitForServer),
    (TransportAnswer(status: 502, protocolVersion: nil, body: []), .waitForServer),
    (TransportAnswer(status: 401, protocolVersion: nil, body: []), .refreshCredentials),
    (TransportAnswer(status: 413, protocolVersion: nil, body: []), .halveBatch),
  ])
  func answerOfProxyOrOtherVersionHasReaction(answer: TransportAnswer, reaction: SyncFailure.Reaction) {
    #expect(SyncFailure(answer)?.reaction == reaction)
  }

  @Test func everyErrorOfTheServerHasAReaction() {
    #expect(SyncFailure(TransportAnswer(status: 500, protocolVersion: "1", body: [])) == nil)
    let others: [RequestError.Code: SyncFailure.Reaction] = [
      .unauthenticated: .refreshCredentials, .tooLarge: .halveBatch, .tooManyRequests: .slowDown,
      .unavailable: .waitForServer, .unsupportedVersion: .waitForServer, .requestTimeout: .waitForServer,
    ]
    for code in RequestError.Code.allCases {
      let failure = SyncFailure(RequestError(code, "why"), retryAfterSeconds: 7)
      #expect(failure.reaction == others[code] ?? .waitWithQueue, "\(code)")
      #expect(failure.retryAfterMilliseconds >= 7_000, "\(code)")
    }
  }

  @Test func backoffGrowsToFiveMinutesAndIsNeverZero() {
    var backoff = Backoff()
    let now = Timestamp(millisecondsSince1970: 1_000_000)
    for attempt in 0..<40 {
      let longest: Int64 = min(1_000 << Int64(min(attempt, 20)), 300_000)
      // The chance is taken modulo `longest + 1`: this one waits longest, and the next one shortest.
      var next = backoff
      backoff.fail(at: now, Self.why, chance: UInt64(longest))
      #expect(backoff.wait(at: now) == longest, "attempt \(attempt)")
      next.fail(at: now, Self.why, chance: UInt64(longest) + 1)
      #expect(next.wait(at: now) == 100, "attempt \(attempt)")
    }
    backoff.fail(at: now, Self.why, chance: 0)
    #expect(backoff.wait(at: now) == 100)
    backoff.fail(at: now, Self.why, chance: 0, atLeast: 90_000)
    #expect(backoff.wait(at: now) == 90_000)
    let survivor = backoff.failure.map { Backoff($0, .refused) }
    #expect(survivor?.wait(at: now) == 90_000 && survivor?.attempts == 42)
  }

  @Test func backoffEndsOnceClockIsSetForwardOrBack() {
    var backoff = Backoff()
    let year: Int64 = 31_557_600_000
    backoff.fail(at: Timestamp(millisecondsSince1970: 40 * year), Self.why, chance: .max)
    #expect(backoff.isDue(at: Timestamp(millisecondsSince1970: 30 * year)))
    #expect(backoff.isDue(at: Timestamp(millisecondsSince1970: 50 * year)))
  }

  /// After a restore the device's home queue names a queue that the server lacks. The device asks for it once
  /// for each reading of the home queue.
  @Test func asksForAnAbsentQueueOnceUntilTheHomeQueueIsReadAgain() {
    let (home, queue) = (QueueID.queue(11), QueueID.queue(12))
    var machine = SyncMachine.tested(home: home)
    let facts = SyncNews(places: [home: Self.place(.loaded)], needs: [:])
    let now = Timestamp(millisecondsSince1970: 0)
    for _ in 1...2 {
      machine.tell(.memberships([queue: GrantID(high: 1, low: 1)]), facts)
      let turns = machine.begin(facts, at: now).turns.filter { $0.queues == [queue] }
      #expect(turns.count == 1)
      for turn in turns {
        machine.tell(
          .ended(turn, turn.all(.pulled(PullResult(before: QueuePlace(), after: QueuePlace(), isUnknown: true)))),
          facts,
          at: now)
      }
      #expect(machine.begin(facts, at: now).turns.allSatisfy { $0.queues != [queue] })
      #expect(machine.failures[queue] == nil)
    }
  }

  @Test func probesServerWithOnePollAfterFailure() {
    var machine = SyncMachine.tested(home: .box)
    let facts = SyncNews(places: [:], needs: [:])
    let now = Timestamp(millisecondsSince1970: 0)
    let begun = machine.begin(facts, at: now)
    #expect(begun.count == 2, "the first poll, and the home queue")
    for turn in begun.turns {
      machine.tell(.ended(turn, turn.all(.failed(SyncFailure(TestTransport.Lost())))), facts, at: now, chance: .max)
    }
    machine.tell(.pollFailed(SyncFailure(TestTransport.Lost())), facts, at: now, chance: .max)
    #expect(machine.connection.attempts == 1, "what fails together is one failure")
    #expect(machine.begin(facts, at: now).isEmpty)
    let later = Timestamp(millisecondsSince1970: 1_000)
    #expect(machine.begin(facts, at: later) == [.timeOnly])
    machine.tell(.nothingNew, facts, at: later)
    #expect(machine.begin(facts, at: later).queues == [.box])
  }

  /// A server that asks for fewer requests has not failed, unless it asks again and again.
  @Test func pausesWithoutFailureWhenAskedToSlowDown() {
    func slower(_ seconds: Int64) -> SyncFailure {
      SyncFailure(RequestError(.tooManyRequests, "why"), retryAfterSeconds: seconds)
    }
    let facts = SyncNews(places: [:], needs: [:])
    var now = Timestamp(millisecondsSince1970: 1_000_000)
    var machine = SyncMachine.tested(home: QueueID.queue(11))
    machine.tell(.memberships([QueueID.queue(12): Self.grant]), facts, at: now)
    let fresh = machine
    for attempt in 1...SyncMachine.patience {
      let turns = machine.begin(facts, at: now).turns
      #expect(turns.count == 2 && machine.poll.isAsking, "attempt \(attempt)")
      machine.tell(.pollFailed(slower(2)), facts, at: now)
      // Refusals of requests that were under way at the same time are the same pause.
      for turn in turns { machine.tell(.ended(turn, turn.failed(slower(2))), facts, at: now) }
      #expect(!machine.connection.hasFailed && machine.problem == nil, "attempt \(attempt)")
      #expect(machine.wait(at: now) == 2_000 && machine.begin(facts, at: now).isEmpty)
      now = Timestamp(millisecondsSince1970: now.millisecondsSince1970 + 2_000)
    }
    let turns = machine.begin(facts, at: now).turns
    var patient = machine
    machine.tell(.pollFailed(slower(2)), facts, at: now)
    #expect(machine.connection.hasFailed && machine.problem?.code == .unreachable)
    // After one answer the count begins again.
    patient.tell(.nothingNew, facts, at: now)
    patient.tell(.ended(turns[0], turns[0].failed(slower(2))), facts, at: now)
    #expect(!patient.connection.hasFailed)
    // The longer of two pauses counts; one of minutes is a failure.
    patient.tell(.ended(turns[1], turns[1].failed(slower(4))), facts, at: now)
    #expect(patient.wait(at: now) == 4_000)
    var once = fresh
    _ = once.begin(facts, at: now)
    once.tell(.pollFailed(slower(300)), facts, at: now)
    #expect(once.connection.hasFailed)
  }

  /// The server refuses a poll that waits, because too many polls wait there, and serves everything else. The next poll
  /// comes after a pause and does not wait.
  @Test func pollsWithoutWaitingAfterRefusedLongPoll() {
    let home = QueueID.queue(11)
    var machine = SyncMachine.tested(home: home)
    let facts = SyncNews(places: [home: Self.place(.loaded)], needs: [:])
    let slower = SyncFailure(RequestError(.tooManyRequests, "why"), retryAfterSeconds: 1)
    var now = Timestamp(millisecondsSince1970: 1_000_000)
    for _ in 1...10 {
      _ = machine.begin(facts, at: now)
      #expect(machine.poll.isAsking)
      machine.tell(.nothingNew, facts, at: now)
      _ = machine.begin(facts, at: now)
      #expect(machine.poll.isWaiting)
      machine.tell(.pollFailed(slower), facts, at: now)
      #expect(!machine.connection.hasFailed && machine.pace.isDue(at: now))
      #expect(machine.wait(at: now) == SyncMachine.pauseOfPolls)
      now = Timestamp(millisecondsSince1970: now.millisecondsSince1970 + SyncMachine.pauseOfPolls)
    }
  }

  @Test func aPullComesAfterFourPushes() {
    var needs = QueueNeeds()
    needs.hasOperations = true
    needs.canSend = true
    needs.awaitsCursor = true
    let facts = QueueFacts(place: QueuePlace(), needs: needs, isFollowed: true, grant: nil, maySend: true)
    var pump = QueuePump()
    var turns: [Turn.Kind] = []
    for number in 1...12 {
      guard let kind = pump.turn(facts, at: .zero) else { break }
      turns.append(kind)
      let turn = Turn(queues: [.box], kind: kind, number: number)
      pump.begin(turn, grant: nil)
      #expect(pump.turn(facts, at: .zero) == nil, "one request at a time")
      let result = PullResult(before: QueuePlace(), after: Self.place(.loading))
      // The second push and the first pull get no answer, and keep their places.
      let hasAnswer = number != 2 && number != 6
      let answered: Turn.Result = kind == .push ? .pushed(hasDecided: true) : .pulled(result)
      pump.end(turn, hasAnswer ? answered : .unanswered, at: .zero, chance: 0)
    }
    #expect(turns == [.push, .push, .push, .push, .push, .load, .load, .push, .push, .push, .push, .load])
  }

  @Test func afterARefusedCommitADeltaTellsWhy() {
    var needs = QueueNeeds()
    (needs.hasOperations, needs.canSend) = (true, true)
    let facts = QueueFacts(
      place: Self.place(.loaded), needs: needs, isFollowed: true, grant: nil, maySend: true)
    var pump = QueuePump()
    #expect(pump.turn(facts, at: .zero) == .push)
    pump.serve(.push, .pushedInVain)
    #expect(pump.turn(facts, at: .zero) == .pull, "only a delta tells why")
  }

  @Test func aQueueThatHadFailedIsAskedForAfterARestart() {
    let failure = QueueFailure(attempts: 3, retryAt: Timestamp(millisecondsSince1970: 5_000), message: "why")
    let other = QueueID.queue(77)
    var place = QueuePlace()
    place.load = .loaded
    place.position = 0
    let facts = SyncNews(places: [.box: place, other: place], needs: [:])
    var machine = SyncMachine.tested(home: .box, failures: [other: failure])
    #expect(!machine.begin(facts, at: .zero).queues.contains(other), "not before its time")
    let due = Timestamp(millisecondsSince1970: 5_000)
    #expect(
      machine.begin(facts, at: due).queues.contains(other), "what had failed may have news for nobody else")
  }

  /// The server failed in an earlier run. The new run asks it at once, because otherwise an app would report a refused
  /// token for minutes after the token is good again.
  @Test func newRunPollsAtOnceAfterFailureOfEarlierRun() {
    let failure = QueueFailure(attempts: 9, retryAt: Timestamp(millisecondsSince1970: 240_000), message: "why")
    let facts = SyncNews(places: [:], needs: [:])
    var machine = SyncMachine.tested(home: .box, failures: [.box: failure])
    #expect(machine.problem?.message == "At the last sync: why")
    #expect(machine.begin(facts, at: .zero) == [.timeOnly], "one small question")
    var lucky = machine
    lucky.tell(.nothingNew, facts)
    #expect(lucky.problem == nil && lucky.begin(facts, at: .zero).queues == [.box])
    machine.tell(.pollFailed(SyncFailure(TestTransport.Lost())), facts, chance: 299_000)
    #expect(machine.connection.attempts == 10 && machine.wait(at: .zero) == 299_000, "the next pause is a long one")
  }

  @Test func aMembershipThatARestoreGivesBackIsTriedAgain() {
    let other = QueueID.queue(77)
    let memberships = [other: GrantID(high: 1, low: 1)]
    var place = QueuePlace()
    place.load = .revoked
    var home = QueuePlace()
    home.load = .loaded
    home.position = 0
    let facts = SyncNews(places: [.box: home, other: place], needs: [:])
    var machine = SyncMachine.tested(home: .box)
    machine.tell(.memberships(memberships), facts)
    let asked = machine.begin(facts, at: .zero).turns.filter { $0.queues == [other] }
    #expect(asked.count == 1)
    let refused = PullResult(before: Self.place(.loaded), after: place)
    for turn in asked { machine.tell(.ended(turn, turn.all(.pulled(refused))), facts) }
    #expect(!machine.begin(facts, at: .zero).queues.contains(other), "refused under this membership")
    machine.tell(.memberships(memberships), facts)
    #expect(machine.begin(facts, at: .zero).queues.contains(other), "the home queue was read anew")
  }

  /// The user has left a queue, and the home queue, which comes page by page, still names it.
  /// Asking again after each page is no failure.
  @Test func askingAgainAfterEachHomePageIsNoFailure() {
    let other = QueueID.queue(77)
    let place = Self.place(.revoked)
    let facts = SyncNews(places: [.box: Self.place(.loaded), other: place], needs: [:])
    var machine = SyncMachine.tested(home: .box)
    for page in 1...6 {
      machine.tell(.memberships([other: GrantID(high: 1, low: 1)]), facts)
      let asked = machine.begin(facts, at: .zero).turns.filter { $0.queues == [other] }
      #expect(asked.count == 1, "page \(page)")
      let refused = PullResult(before: place, after: place)
      for turn in asked { machine.tell(.ended(turn, turn.all(.pulled(refused))), facts) }
    }
    #expect(machine.problem == nil)
  }

  /// The page of a preview arrives after the home queue stopped naming the queue. The client asks
  /// why, once, because nothing else would.
  @Test func asksOnceWhyPreviewedQueueLostItsMembership() {
    let other = QueueID.queue(77)
    let (home, loaded) = (Self.place(.loaded), Self.place(.loaded))
    let before = SyncNews(places: [.box: home], needs: [:], invited: [other])
    var machine = SyncMachine.tested(home: .box)
    machine.tell(.memberships([other: GrantID(high: 1, low: 1)]), before)
    let asked = machine.begin(before, at: .zero).turns.filter { $0.queues == [other] }
    #expect(asked.count == 1)
    machine.tell(.memberships([:]), before)
    let after = SyncNews(places: [.box: home, other: loaded], needs: [:], invited: [other])
    let page = PullResult(before: QueuePlace(), after: loaded)
    for turn in asked { machine.tell(.ended(turn, turn.all(.pulled(page))), after) }
    let again = machine.begin(after, at: .zero).turns.filter { $0.queues == [other] }
    #expect(again.count == 1)
    let same = PullResult(before: loaded, after: loaded)
    for turn in again { machine.tell(.ended(turn, turn.all(.pulled(same))), after) }
    #expect(!machine.begin(after, at: .zero).queues.contains(other), "once")
  }

  @Test func asksForEndedQueueOnlyIfOperationsOrMembershipAreBack() {
    let other = QueueID(high: 7, low: 7)
    var facts = SyncNews(places: [.box: Self.place(.loaded), other: Self.place(.ended)], needs: [:])
    var machine = SyncMachine.tested(home: .box)
    machine.tell(.memberships([:]), facts)
    #expect(!machine.begin(facts, at: .zero).queues.contains(other))
    facts.needs[other] = QueueNeeds()
    facts.needs[other]?.hasOperations = true
    #expect(machine.begin(facts, at: .zero).queues.contains(other), "its end may be lost")
    facts.needs = [:]
    machine = SyncMachine.tested(home: .box)
    machine.tell(.memberships([other: GrantID(high: 1, low: 1)]), facts)
    #expect(machine.begin(facts, at: .zero).queues.contains(other), "a restored server names it again")
  }

  /// The server may have lost something, so each loaded queue is read once, though the server is where it was.
  @Test func readsEachLoadedQueueOnceInNewHistory() {
    var (machine, facts) = Self.following(3)
    let ended = QueueID.queue(20_000)
    facts.places[ended] = Self.place(.ended)
    #expect(machine.begin(facts, at: .zero).queues.isEmpty)
    facts.history = HistoryID(high: 1, low: 1)
    let turns = machine.begin(facts, at: .zero).turns
    #expect(Set(turns.flatMap(\.queues)) == Set(facts.places.keys).subtracting([ended]))
    for turn in turns {
      var results: Turn.Results = [:]
      for queue in turn.queues {
        let before = Self.place(.loaded)
        facts.places[queue]?.history = facts.history
        results[queue] = .pulled(PullResult(before: before, after: facts.places[queue] ?? before))
      }
      machine.tell(.ended(turn, results), facts)
    }
    #expect(machine.begin(facts, at: .zero).queues.isEmpty)
  }

  private static func following(_ count: Int) -> (machine: SyncMachine, facts: SyncNews) {
    let place = Self.place(.loaded)
    let queues = (0..<count).map { QueueID.queue(10_000 + UInt64($0)) }
    var machine = SyncMachine.tested(home: .box)
    let facts = SyncNews(
      places: Dictionary(uniqueKeysWithValues: (queues + [.box]).map { ($0, place) }), needs: [:])
    machine.tell(.memberships(Dictionary(uniqueKeysWithValues: queues.map { ($0, grant) })), facts)
    return (machine, facts)
  }

  /// An answer that tells all of a range of the machine's poll, with the heads of its queues; nil for one that is gone.
  private static func answer(
    _ machine: SyncMachine, range: Int, and strangers: [QueueID] = [], head: (QueueID) -> Int64?
  ) -> ChangedAnswer {
    let there = machine.facts.places.keys.filter { machine.poll.request?.asked.sums?.range(of: $0) == range }
    let places = (there + strangers).compactMap { queue in
      head(queue).map { ChangedAnswer.Head(queue: queue, grant: grant, head: $0) }
    }
    return ChangedAnswer(time: .zero, ranges: [range], places: places)
  }

  /// Begins requests, and returns what the poll among them asks about.
  private static func sums(_ machine: inout SyncMachine, _ facts: SyncNews) -> PlaceSums? {
    for case .poll(let request) in machine.begin(facts, at: .zero) { return request.sums }
    return nil
  }

  @Test func pollAsksForTimeUntilAQueueIsLoaded() {
    var machine = SyncMachine.tested(home: .box)
    let nothing = SyncNews(places: [:], needs: [:])
    #expect(machine.begin(nothing, at: .zero).contains(.timeOnly))
    machine.tell(.nothingNew, nothing)
    #expect(machine.begin(nothing, at: .zero).isEmpty, "nothing to wait for yet")
    let facts = SyncNews(places: [.box: Self.place(.loaded)], needs: [:])
    #expect(Self.sums(&machine, facts)?.numbers.count == 1)
  }

  /// The home queue is read again, as after a reset. `syncOnce` asks about the other queues all the same.
  @Test func firstPollAsksAboutLoadedQueuesWithoutHomeQueue() {
    var (machine, facts) = Self.following(2)
    facts.places[.box] = Self.place(.reloading)
    machine = SyncMachine.tested(home: .box, isOnce: true)
    #expect(Self.sums(&machine, facts) != nil && machine.heard.count == 2)
  }

  @Test func pollHasAsManyRangesAsSuitQueues() {
    var (machine, facts) = Self.following(5_000)
    #expect(Self.sums(&machine, facts)?.bytes.count == 256 * 8)
    (machine, facts) = Self.following(30)
    #expect(Self.sums(&machine, facts)?.numbers.count == 4)
    // Before the queues are read, the memberships tell how many the server has.
    (machine, _) = Self.following(5_000)
    machine = SyncMachine.tested(home: .box)
    let places = [QueueID.box: Self.place(.loaded)]
    machine.tell(.memberships(facts.places.mapValues { _ in Self.grant }), SyncNews(places: places, needs: [:]))
    #expect(machine.heard.count == 1 && machine.heard.sums.numbers.count == 4)
  }

  @Test func readsQueuesThatDifferInRangeOfAnswer() throws {
    var (machine, facts) = Self.following(300)
    let sums = try #require(Self.sums(&machine, facts))
    let changed = QueueID.queue(10_007)
    let range = sums.range(of: changed)
    let there = facts.places.keys.filter { sums.range(of: $0) == range }
    let gone = try #require(there.first { $0 != changed && $0 != .box })
    let stranger = try #require((77_000..<78_000).map { QueueID.queue($0) }.first { sums.range(of: $0) == range })
    let answer = Self.answer(machine, range: range, and: [stranger]) { $0 == gone ? nil : $0 == changed ? 1 : 0 }
    machine.tell(.polled(answer, .zero), facts)
    #expect(machine.behind == [changed])
    #expect(machine.pumps.filter { $0.value.nextPull != nil }.keys.sorted() == [gone], "the server is asked why")
    let next = try #require(Self.sums(&machine, facts))
    #expect(next != sums && machine.poll.isWaiting, "what was told is no news twice")
    machine.tell(.polled(answer, .zero), facts)
    #expect(machine.poll.hasty == 1)
  }

  /// The device reads on in a queue while a poll is under way. The answer's older place of that queue is no news.
  @Test func queueReadDuringPollIsNoNews() throws {
    var (machine, facts) = Self.following(300)
    let sums = try #require(Self.sums(&machine, facts))
    let changed = QueueID.queue(10_007)
    let range = sums.range(of: changed)
    let read = try #require(facts.places.keys.first { $0 != changed && $0 != .box && sums.range(of: $0) == range })
    facts.places[read]?.cursor = 3
    facts.places[read]?.position = 3
    machine.tell(.polled(Self.answer(machine, range: range) { $0 == changed ? 1 : 0 }, .zero), facts)
    #expect(machine.behind == [changed], "what was read on since is no news")
  }

  @Test func ignoresRangesThatPollDidNotAskAbout() {
    var (machine, facts) = Self.following(30)
    #expect(Self.sums(&machine, facts)?.numbers.count == 4)
    machine.tell(.polled(ChangedAnswer(time: .zero, ranges: [200], places: []), .zero), facts)
    #expect(machine.behind.isEmpty && machine.pumps.values.allSatisfy { $0.nextPull == nil })
    #expect(machine.poll.request == nil)
  }

  /// A poll tells of a place, and the delta brings nothing. The queue waits longer each time, and is asked for again.
  @Test func queueThatPollsNameInVainWaits() throws {
    var (machine, facts) = Self.following(1)
    let queue = QueueID.queue(10_000)
    var pulls = 0
    for _ in 0..<20 where Self.sums(&machine, facts) != nil {
      machine.tell(.polled(Self.answer(machine, range: 0) { $0 == queue ? 1 : 0 }, .zero), facts)
      for turn in machine.begin(facts, at: .zero).turns {
        pulls += 1
        let place = facts.places[queue] ?? QueuePlace()
        machine.tell(.ended(turn, turn.all(.pulled(PullResult(before: place, after: place)))), facts)
      }
      if machine.poll.isWaiting { machine.tell(.pollInterrupted, facts) }
    }
    #expect(pulls == 3 && machine.pumps[queue]?.pulls.hasFailed == true && machine.behind == [queue])
    #expect(machine.begin(facts, at: Timestamp(millisecondsSince1970: 1_000)).queues == [queue])
  }

  /// An answer that had no room for all ranges says nothing of the others: their failures stay, and they have no news.
  @Test func answerSettlesOnlyQueuesInItsRanges() throws {
    var (machine, facts) = Self.following(300)
    let sums = try #require(Self.sums(&machine, facts))
    let (told, untold) = (QueueID.queue(10_000), QueueID.queue(10_001))
    for queue in [told, untold] {
      var pump = QueuePump()
      for _ in 0..<3 {
        pump.ask(.news)
        pump.serve(.pull, .pulled(PullResult(before: QueuePlace(), after: QueuePlace())))
      }
      machine.change(queue) { $0 = pump }
    }
    let answer = Self.answer(machine, range: sums.range(of: told)) { $0 == told ? 0 : 1 }
    machine.tell(.polled(answer, .zero), facts)
    #expect(machine.pumps[told]?.pulls.hasFailed == false && machine.pumps[untold]?.pulls.hasFailed == true)
    #expect(!machine.behind.contains(untold), "nor is it news")
  }
}
