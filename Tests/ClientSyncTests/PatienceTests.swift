// Tests of a client whose server answers, but not as it should: it waits, and goes on with everything else.

import Foundation
import JSON
import ModelSupport
import SampleIDs
import Testing

@testable import ClientSync

@Suite struct PatienceTests {
  private static func place(_ load: QueuePlace.Load, position: Int64? = 0, cursor: Int64 = 0) -> QueuePlace {
    var place = QueuePlace()
    (place.load, place.position, place.cursor) = (load, position, cursor)
    place.grant = GrantID(high: 4, low: 4)
    return place
  }

  private static func facts(_ place: QueuePlace, sends: Bool = false) -> QueueFacts {
    var needs = QueueNeeds()
    (needs.canSend, needs.hasOperations) = (sends, sends)
    return QueueFacts(place: place, needs: needs, isFollowed: true, grant: nil, maySend: true)
  }

  @Test func aLoadThatBeginsAnewAgainAndAgainWaitsLongerEachTime() {
    var pump = QueuePump()
    let (start, page) = (Self.place(.reloading, position: nil), Self.place(.reloading, position: 7))
    var attempts: [Int] = []
    for _ in 0..<8 {
      pump.serve(.load, .pulled(PullResult(before: start, after: page)), chance: .max)
      pump.serve(.load, .pulled(PullResult(before: page, after: start)), chance: .max)
      attempts.append(pump.pulls.attempts)
    }
    #expect(attempts == [0, 0, 1, 2, 3, 4, 5, 6], "the pages on the way are no success")
    let (loaded, staging) = (Self.place(.loaded, cursor: 0), Self.place(.loaded, position: 7))
    pump.serve(.load, .pulled(PullResult(before: page, after: loaded)))
    #expect(!pump.pulls.hasFailed, "what is loaded is no failure")
    pump.serve(.pull, .pulled(PullResult(before: loaded, after: staging)), chance: .max)
    pump.serve(.pull, .pulled(PullResult(before: staging, after: start)), chance: .max)
    #expect(pump.pulls.attempts == 7, "the end of a load is no success where the next answer takes it back")
    pump.serve(.load, .pulled(PullResult(before: page, after: loaded)))
    pump.serve(.pull, .pulled(PullResult(before: loaded, after: Self.place(.loaded, position: 9, cursor: 9))))
    #expect(pump.doubts == QueuePump.Doubts() && !pump.pulls.hasFailed)
  }

  @Test func backsOffAfterAnswersThatChangeNothing() {
    var pump = QueuePump()
    let place = Self.place(.loaded)
    for _ in 0..<3 {
      pump.ask(.news)
      pump.serve(.pull, .pulled(PullResult(before: place, after: place)))
    }
    pump.ask(.news)
    #expect(pump.turn(Self.facts(place), at: .zero) == nil && pump.pulls.hasFailed)
    pump.serve(.pull, .pulled(PullResult(before: place, after: place, hasSettled: true)))
    #expect(!pump.pulls.hasFailed, "who has learned what became of operations has got something")
    for _ in 0..<3 { pump.serve(.push, .pushed(hasDecided: false)) }
    #expect(pump.pushes.hasFailed)
  }

  @Test func previewIsOnePageUnlessItsMembershipHasGone() {
    for load in [QueuePlace.Load.loading, .reloading] {
      var facts = Self.facts(Self.place(load, position: 7))
      (facts.isInvited, facts.isFollowed) = (true, true)
      #expect(QueuePump().turn(facts, at: .zero) == nil, "nobody has accepted it")
      facts.isFollowed = false
      #expect(QueuePump().turn(facts, at: .zero) == .load, "declined elsewhere: the server is asked why, while \(load)")
    }
  }

  @Test func aPollThatBeganBeforeALoadDoesNotEndItsWait() {
    var machine = SyncMachine.tested(home: .box)
    let (loaded, start) = (Self.place(.loaded), Self.place(.reloading, position: nil))
    let facts = SyncNews(places: [.box: loaded], needs: [:])
    #expect(machine.begin(facts, at: .zero).count == 1)
    var pump = QueuePump()
    for _ in 0..<3 { pump.serve(.pull, .pulled(PullResult(before: loaded, after: start))) }
    machine.change(.box) { [pump] in $0 = pump }
    machine.tell(.nothingNew, SyncNews(places: [.box: start], needs: [:]))
    #expect(machine.pumps[.box]?.pulls.attempts == 1)
    let later = Timestamp(millisecondsSince1970: 1_000)
    #expect(machine.begin(facts, at: later).count == 1)
    machine.tell(.nothingNew, facts, at: later)
    #expect(machine.pumps[.box]?.pulls.hasFailed == false, "the server knows the place, and nothing newer")
  }

  /// The server answers each commit, and loses it before the next delta. Each load comes to its end, but the like never
  /// arrives. The client must fail instead of sending it for ever.
  @Test func stopsResendingToServerThatLosesCommits() async throws {
    let time = TestTime()
    let server = try TestServer(time: time)
    let anna = try server.device(1)
    anna.store.create(Box())
    anna.store.create(Card(1, title: "Lake"))
    try await settle(anna)
    let backup = try server.backUp()
    anna.transport.goes { message, send in
      guard anna.transport.messages.count < 100 else { throw TestTransport.Lost() }
      let answer = await send()
      if message.call == "Commit" { try server.restore(backup, isSilent: true) }
      return answer
    }
    anna.store.perform(Like(card: Card.id(1)))
    await #expect { try await anna.sync() } throws: { "\($0)".contains("again and again") }
    #expect(anna.transport.messages.count < 30)
    #expect(try anna.card(1)?.likes == 1 && anna.store.pending == 1)

    anna.transport.goesStraight()
    try await settle(anna)
    #expect(try anna.card(1)?.likes == 1 && anna.store.pending == 0)
  }

  /// A restored server does not have the queue, and takes no changes from this version of the app, so the operation that
  /// makes the queue waits for an update. The client asked again and again, and said that the server loses things.
  @Test func asksOnceForAQueueThatCannotBeMadeNow() {
    var pump = QueuePump()
    let place = Self.place(.reloading, position: nil)
    var facts = Self.facts(place)
    facts.grant = GrantID(high: 1, low: 1)
    facts.needs.hasOperations = true
    #expect(pump.turn(facts, at: .zero) == .load)
    pump.serve(.load, .pulled(PullResult(before: place, after: place, isUnknown: true)), grant: facts.grant)
    #expect(pump.turn(facts, at: .zero) == nil && !pump.pulls.hasFailed)
    facts.needs.canSend = true
    #expect(pump.turn(facts, at: .zero) == .push, "the app was updated")
    pump.serve(.push, .pushed(hasDecided: true), grant: facts.grant)
    facts.needs.canSend = false
    #expect(pump.turn(facts, at: .zero) == .load)
  }

  /// The pump asks why again and again, and learns nothing. This is no failure, because the home queue may change
  /// several times before it names a new queue.
  @Test func askingWhyInVainIsNoFailure() {
    var pump = QueuePump()
    let place = Self.place(.loaded)
    for _ in 0..<6 {
      pump.ask(.question)
      pump.serve(.pull, .pulled(PullResult(before: place, after: place)))
    }
    #expect(!pump.pulls.hasFailed)
  }

  @Test func anAnswerThatBringsNothingEndsAFailure() {
    var pump = QueuePump()
    let place = Self.place(.loaded)
    pump.serve(.pull, .failed(SyncFailure(.waitWithQueue, .refused, "why")))
    pump.serve(.pull, .pulled(PullResult(before: place, after: place)))
    #expect(!pump.pulls.hasFailed)
  }

  @Test func pollsThatComeBackAtOnceWithNothingAreSlowed() {
    var machine = SyncMachine.tested(home: .box)
    let facts = SyncNews(places: [.box: Self.place(.loaded)], needs: [:])
    for round in 0..<4 {
      #expect(machine.begin(facts, at: .zero).count == 1, "poll \(round)")
      machine.tell(.nothingNew, facts)
    }
    #expect(machine.begin(facts, at: .zero).isEmpty && machine.problem?.code == .unreachable)
    let later = Timestamp(millisecondsSince1970: 1_000)
    #expect(machine.begin(facts, at: later).count == 1)
    machine.tell(.nothingNew, facts, at: Timestamp(millisecondsSince1970: 56_000))
    #expect(machine.problem == nil && machine.poll.hasty == 0)
  }

  @Test func batchesGrowAgainAfterRefusals() {
    var pump = QueuePump()
    let tooLarge = SyncFailure(TransportAnswer(status: 413, protocolVersion: nil, body: []))!
    for _ in 0..<20 { pump.serve(.push, .failed(tooLarge)) }
    #expect(pump.batch == 1 && pump.pushes.hasFailed)
    for _ in 0..<40 { pump.serve(.push, .pushed(hasDecided: true)) }
    #expect(pump.batch == ProtocolLimits.mutations)
    pump.serve(.push, .pushed(hasDecided: true, cutAfter: 64))
    #expect(pump.batch == 64, "the rest would be sent in vain again")
    pump.serve(.push, .pushed(hasDecided: true))
    #expect(pump.batch == 80)
  }

  @Test(arguments: [Int64.max, Int64.min, -1, 3_600])
  func boundsWaitThatServerAsksFor(seconds: Int64) {
    let answer = TransportAnswer(status: 503, protocolVersion: nil, retryAfterSeconds: seconds, body: [])
    for failure in [SyncFailure(answer)!, SyncFailure(RequestError(.unavailable, "why"), retryAfterSeconds: seconds)] {
      #expect((0...Backoff.longestMilliseconds).contains(failure.retryAfterMilliseconds))
    }
  }

  @Test func failingCommitsDoNotStopReading() async throws {
    let (_, anna, ben) = try await TestServer.withCardOfTwo(TestTime())
    anna.transport.goes { message, send in
      message.call == "Commit"
        ? TransportAnswer(
          status: 500, protocolVersion: "1",
          body: RequestError(.internalServerError, "it cannot").json.encoded) : await send()
    }
    anna.store.perform(Like(card: Card.id(1)))
    ben.store.update(Card.id(1)) { $0.title = "by ben" }
    try await ben.sync()
    try await anna.store.waitUntilSaved()
    let running = Task { try await anna.client.run() }
    for try await card in anna.store.updates(of: Card.id(1)) where card?.title == "by ben" { break }
    #expect(anna.store.pending == 1 && anna.store.failedOperations.isEmpty)
    running.cancel()
    try await running.value
    #expect(try await anna.store.syncFailures()[.box]?.message.contains("it cannot") == true)
    anna.transport.goesStraight()
    try await settle(anna)
    #expect(try anna.card(1)?.likes == 1 && anna.store.pending == 0)
    #expect(try await anna.store.syncFailures().isEmpty)
  }

  @Test func aTokenThatHasExpiredIsNoFailure() async throws {
    let (_, anna) = try await TestServer.withCard()
    anna.transport.expireToken()
    try await anna.sync()
    #expect(anna.transport.renewals == 1)
    anna.transport.signOut()
    await #expect { try await anna.client.syncOnce() } throws: { ($0 as? SyncError)?.code == .signedOut }
    #expect(await anna.client.status.problem?.code == .signedOut)
    anna.transport.signInAgain()
    try await anna.sync()
  }

  @Test func syncOnceCompletesThoughAskedToSlowDown() async throws {
    let time = TestTime()
    let server = try TestServer()
    let anna = try server.device(1, time: time)
    let seen = Seen()
    anna.transport.goes { _, send in
      guard seen.isRefused else { return await send() }
      let refusal = RequestError(.tooManyRequests, "Too many requests in a second.")
      return TransportAnswer(
        status: 429, protocolVersion: "1", retryAfterSeconds: 1, body: refusal.json.encoded)
    }
    anna.store.create(Box())
    for number in 1...20 { anna.store.create(Card(UInt64(number))) }
    try await anna.sync()
    #expect(anna.store.pending == 0 && seen.count > 3)
  }

  /// `@unchecked Sendable`: used by one task after the other.
  private final class Seen: @unchecked Sendable {
    private let lock = NSLock()
    private(set) var count = 0
    var isRefused: Bool {
      lock.withLock {
        count += 1
        return count <= 2 || count % 3 == 0
      }
    }
  }

  @Test func pausedClientRefusesSyncOnce() async throws {
    let (_, anna) = try await TestServer.withCard()
    await anna.client.pause()
    await #expect { try await anna.client.syncOnce() } throws: { ($0 as? SyncError)?.code == .paused }
    await anna.client.resume()
    try await anna.sync()
  }

  @Test func pauseEndsSyncOnceUnderWay() async throws {
    let (_, anna) = try await TestServer.withCard()
    let like = anna.store.perform(Like(card: Card.id(1)))
    try await anna.store.waitUntilSaved()
    anna.transport.goes { message, send in
      if message.names(like.id) { await anna.client.pause() }
      return await send()
    }
    await #expect { try await anna.client.syncOnce() } throws: { ($0 as? SyncError)?.code == .paused }
    await anna.client.resume()
    anna.transport.goesStraight()
    try await anna.sync()
    #expect(anna.store.pending == 0)
  }

  /// The run that heard of the missing file is over, so the next run has to send the operation again.
  @Test func nextRunResendsOperationThatLackedItsFile() async throws {
    let (server, anna) = try await TestServer.withCard()
    let waiting = anna.store.perform(Attach(card: Card.id(1), file: TestServer.abc))
    try await anna.sync()
    #expect(anna.store.pending == 1 && anna.transport.commits(of: waiting) == 1)
    try await server.uploadABC(to: .box, by: anna.store.user)
    try await anna.sync()
    #expect(anna.store.pending == 0 && anna.transport.commits(of: waiting) == 2)
  }

  /// The app calls `run` while its `syncOnce` in the background is still under way. `run` waits for that, and another
  /// `syncOnce` is refused.
  @Test func runWaitsForSyncOnceUnderWay() async throws {
    let (_, anna) = try await TestServer.withCard()
    let runs = Runs()
    let like = anna.store.perform(Like(card: Card.id(1)))
    try await anna.store.waitUntilSaved()
    anna.transport.goes { message, send in
      if message.names(like.id), await runs.begin(anna.client) {
        // Gives `run` time to be refused, if it is.
        for _ in 0..<100 { _ = await anna.client.status }
        await #expect { try await anna.client.syncOnce() } throws: { ($0 as? StoreError)?.code == .busy }
      }
      return await send()
    }
    try await anna.client.syncOnce()
    anna.store.perform(Like(card: Card.id(1)))
    while anna.store.pending > 0, await runs.error == nil { await Task.yield() }
    #expect(try anna.card(1)?.likes == 2)
    #expect(await runs.end() == nil)
  }

  /// Runs a client, only once, and keeps its error.
  private actor Runs {
    private var task: Task<Void, Never>?
    private(set) var error: String?

    func begin(_ client: SyncClient) -> Bool {
      guard task == nil else { return false }
      task = Task {
        do { try await client.run() } catch { self.error = "\(error)" }
      }
      return true
    }

    func end() async -> String? {
      task?.cancel()
      await task?.value
      return error
    }
  }

  @Test func anotherClientOfTheSameStoreTakesOver() async throws {
    let (_, anna) = try await TestServer.withCard()
    let first = Task { try await anna.client.run() }
    for await status in await anna.client.statusUpdates where status.activity == .idle { break }
    let other = SyncClient(store: anna.store, transport: anna.transport)
    let second = Task { try await other.run() }
    await #expect { try await first.value } throws: { ($0 as? StoreError)?.code == .busy }
    // The first client ended after the second began, and must not have removed the bell of the second.
    anna.store.perform(Like(card: Card.id(1)))
    for await status in await other.statusUpdates where status.activity == .idle && status.pendingOperations == 0 {
      break
    }
    #expect(try anna.card(1)?.likes == 1)
    second.cancel()
    try await second.value
  }

  /// Operations of a commit may be skipped behind one that has failed or waits for files. Only without such a one did
  /// the server cut the commit short for lack of time.
  @Test func commitCountsAsCutOnlyWithoutFailures() {
    func outcome(_ number: UInt64, _ status: OperationOutcome.Status) -> OperationOutcome {
      OperationOutcome(operation: OperationID(high: 1, low: number), status: status, at: 1, time: .zero)
    }
    var decided = CommitAnswer.Decided(grant: .zero, role: .owner, outcomes: [], waiting: [])
    #expect(Turn.Result.pushed(decided, of: 9) == .pushed(hasDecided: false))
    decided.outcomes = [outcome(1, .applied), outcome(2, .noEffect)]
    #expect(Turn.Result.pushed(decided, of: 9) == .pushed(hasDecided: true, cutAfter: 2))
    #expect(Turn.Result.pushed(decided, of: 3) == .pushed(hasDecided: true))
    decided.outcomes[0] = outcome(1, .voided)
    #expect(Turn.Result.pushed(decided, of: 9) == .pushed(hasDecided: true))
    decided.outcomes = [outcome(1, .applied)]
    decided.waiting = [CommitAnswer.Waiting(operation: OperationID(high: 1, low: 2), files: [ContentHash(of: [1])])]
    #expect(Turn.Result.pushed(decided, of: 9) == .pushed(hasDecided: true, lacksFiles: true))
  }

  @Test func newsAreForTheClientThatTookOver() async throws {
    let (_, anna) = try await TestServer.withCard()
    let first = try await anna.store.takeSync()
    let second = try await anna.store.takeSync()
    #expect(anna.store.takeSyncNews(by: first).places.isEmpty, "they are for somebody else")
    #expect(anna.store.takeSyncNews(by: second).places == anna.store.places)
    #expect(anna.store.takeSyncNews(by: second).places.isEmpty, "they are told once")
  }

  @Test func otherCommitsDoNotStopAskingForMissingFiles() throws {
    var machine = SyncMachine.tested(home: .box)
    var needs = QueueNeeds()
    (needs.hasOperations, needs.canSend, needs.waitsForFiles) = (true, true, true)
    let waiting = SyncNews(places: [.box: Self.place(.loaded)], needs: [.box: needs])
    let later = Timestamp(millisecondsSince1970: 400_000)
    machine.tell(.answered([.zero], .zero), waiting)
    /// Begins a commit, and returns whether the server is asked for files again.
    func commit(at now: Timestamp, lacksFiles: Bool, _ after: SyncNews) throws -> Bool {
      let begun = machine.begin(waiting, at: now)
      let turn = try #require(begun.turns.first)
      #expect(turn.kind == .push)
      machine.tell(.ended(turn, turn.all(.pushed(hasDecided: true, lacksFiles: lacksFiles))), after, at: now)
      return begun.contains(.tryFilesAgain(.box))
    }
    #expect(try !commit(at: .zero, lacksFiles: true, waiting))
    #expect(try !commit(at: .zero, lacksFiles: false, waiting))
    #expect(try commit(at: later, lacksFiles: true, waiting), "a commit of others says nothing of those that wait")
    let done = SyncNews(places: [:], needs: [:])
    #expect(try !commit(at: later, lacksFiles: false, done))
    #expect(!machine.begin(done, at: Timestamp(millisecondsSince1970: 900_000)).contains(.tryFilesAgain(.box)))
  }
}
