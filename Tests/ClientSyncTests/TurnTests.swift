// Tests of the order of turns: edits first, first loads last and in turns, and every turn ends once.

import ModelSupport
import SampleIDs
import Testing

@testable import ClientSync

@Suite struct TurnTests {
  private static let home = QueueID.queue(0xFF)
  private static let loads = (1...6).map { QueueID.queue(70 + $0) }

  /// A machine that has read its home queue, which names the loads; the box is loaded.
  private struct World {
    var machine = SyncMachine.tested(home: TurnTests.home)
    var facts = SyncNews(places: [:], needs: [:])
    /// In the order in which they have begun.
    var underWay: [Turn] = []

    init(loads: [QueueID]) {
      for queue in [TurnTests.home, .box] {
        var place = QueuePlace()
        (place.load, place.position) = (.loaded, 0)
        facts.places[queue] = place
      }
      machine.tell(.answered([Timestamp(millisecondsSince1970: 1)], .zero), facts)
      let queues = [.box] + loads
      let grants = queues.map { ($0, GrantID($0.rawValue)) }
      machine.tell(.memberships(Dictionary(uniqueKeysWithValues: grants)), facts)
    }

    /// Begins turns, and returns them.
    mutating func begin() -> [Turn] {
      let begun = machine.begin(facts, at: .zero).turns
      underWay += begun
      return begun
    }

    /// Ends the turn that began first. A load never comes to its last page.
    mutating func endFirst() {
      let turn = underWay.removeFirst()
      var results: Turn.Results = [:]
      for queue in turn.queues {
        var result = PullResult(before: facts.places[queue] ?? QueuePlace(), after: QueuePlace(), hasSettled: true)
        result.after = result.before
        switch turn.kind {
        case .push: facts.needs[queue] = nil
        case .pull: break
        case .load: (result.after.load, result.after.position) = (.loading, (result.before.position ?? 0) + 1)
        }
        facts.places[queue] = result.after
        results[queue] = turn.kind == .push ? .pushed(hasDecided: true) : .pulled(result)
      }
      machine.tell(.ended(turn, results), facts)
    }

    mutating func edit(_ queue: QueueID) {
      var needs = QueueNeeds()
      (needs.hasOperations, needs.canSend) = (true, true)
      facts.needs[queue] = needs
    }
  }

  /// First loads take every request that they may have. An edit leaves all the same, before any of them ends.
  @Test func editsDoNotWaitForFirstLoads() {
    var world = World(loads: Self.loads)
    #expect(world.begin().map(\.queues) == [Self.loads], "what begins to read comes in one answer")
    world.endFirst()
    #expect(world.begin().map(\.kind) == [.load, .load, .load], "a place is free for what the user does")
    for round in 1...30 {
      world.edit(.box)
      #expect(world.begin().first?.queues == [.box], "the edit of round \(round) waits for first loads")
      for _ in 0..<4 {
        world.endFirst()
        _ = world.begin()
      }
    }
  }

  /// The home queue has the place that loads leave free. Then a load fetches no page ahead, so that its turn ends.
  @Test func editThatFindsNoPlaceIsKnownToWait() {
    var world = World(loads: Self.loads)
    _ = world.begin()
    world.endFirst()
    #expect(world.begin().map(\.kind) == [.load, .load, .load])
    world.machine.change(Self.home) { $0.ask(.news) }
    #expect(world.begin().map(\.queues) == [[Self.home]] && !world.machine.isPushWaiting(at: .zero))
    world.edit(.box)
    #expect(world.begin().isEmpty && world.machine.isPushWaiting(at: .zero))
    world.endFirst()
    #expect(!world.machine.isPushWaiting(at: .zero) && world.begin().map(\.queues) == [[.box]])
  }

  /// Pushes have a request of their own while requests are free. With more queues, several share one.
  @Test func pushesOfManyQueuesShareRequests() {
    var world = World(loads: [])
    let queues = (1...250).map { QueueID.queue(1_000 + $0) }
    for queue in queues.prefix(3) {
      world.facts.places[queue] = world.facts.places[.box]
      world.edit(queue)
    }
    #expect(world.begin().map(\.queues) == queues.prefix(3).map { [$0] })
    world = World(loads: [])
    for queue in queues {
      world.facts.places[queue] = world.facts.places[.box]
      world.edit(queue)
    }
    let begun = world.begin()
    #expect(begun.map(\.kind) == [.push, .push, .push, .push])
    #expect(begun.map(\.queues.count) == [63, 63, 62, 62] && Set(begun.flatMap(\.queues)).count == 250)
    // A queue whose shared request was refused goes alone, until it is answered.
    let refusal = SyncFailure(.waitWithQueue, .refused, "One of them is bad.")
    world.machine.tell(.ended(begun[0], begun[0].failed(refusal)), world.facts)
    let alone = world.begin()
    #expect(alone.map(\.queues.count) == [1] && begun[0].queues.contains(alone[0].queues[0]))
  }

  /// Others may make a user a member of any number of queues, so followed queues are read before invitations.
  @Test func followedQueuesAreReadBeforeInvitations() {
    var world = World(loads: Self.loads)
    let invited = Set(Self.loads.prefix(2))
    world.facts = SyncNews(places: world.facts.places, needs: [:], invited: invited)
    #expect(world.begin().map(\.queues) == [Array(Self.loads.dropFirst(2)), Array(Self.loads.prefix(2))])
    // An invitation in which the user has done something is read like a followed queue.
    world = World(loads: Self.loads)
    world.facts = SyncNews(places: world.facts.places, needs: [:], invited: invited)
    world.facts.needs[Self.loads[0]] = QueueNeeds()
    world.facts.needs[Self.loads[0]]?.hasOperations = true
    #expect(world.begin().map(\.queues) == [[Self.loads[0]] + Self.loads.dropFirst(2), [Self.loads[1]]])
  }

  /// News of a preview are not fetched, and `syncOnce` ended with an old one. The accepted queue has to be asked for.
  @Test func asksAgainForQueueOnceItIsAccepted() {
    var world = World(loads: [])
    world.facts.invited = [.box]
    #expect(world.begin().isEmpty)
    world.facts.invited = []
    #expect(world.begin().map(\.queues) == [[.box]])
  }

  @Test func newsOfLoadedQueuesDoNotWaitForFirstLoads() {
    var world = World(loads: Self.loads)
    _ = world.begin()
    world.machine.tell(.nothingNew, world.facts)
    world.machine.change(.box) { $0.ask(.news) }
    #expect(world.begin().flatMap(\.queues) == [.box])
  }

  @Test func firstLoadsTakeTurns() {
    var world = World(loads: Self.loads)
    var pages: [QueueID: Int] = [:]
    for page in 1...120 {
      for queue in world.begin().flatMap(\.queues) { pages[queue, default: 0] += 1 }
      world.endFirst()
      let counts = Self.loads.map { pages[$0, default: 0] }
      #expect(counts.max()! - counts.min()! <= 1, "after page \(page) a queue is ahead: \(counts)")
    }
  }

  @Test func editsGoFirstAndFirstLoadsLast() {
    var world = World(loads: Array(Self.loads.prefix(1)))
    let other = QueueID.queue(99)
    world.facts.places[other] = world.facts.places[.box]
    // All begin at the same moment, in an order that is not that of their ids.
    world.machine.change(.box) { $0.ask(.news) }
    world.machine.change(Self.home) { $0.ask(.news) }
    world.edit(other)
    #expect(world.begin().flatMap(\.queues) == [other, Self.home, .box, Self.loads[0]])
  }

  /// Many queues that are read page by page: none is served twice before all were served once.
  @Test func newsTakeTurns() {
    var world = World(loads: [])
    let queues = (1...9).map { QueueID.queue(80 + $0) }
    for queue in queues {
      world.facts.places[queue] = world.facts.places[.box]
      world.facts.places[queue]?.position = 1
    }
    var order: [QueueID] = []
    for _ in 0..<18 {
      for queue in queues where world.machine.pumps[queue]?.request == nil {
        world.machine.change(queue) { $0.ask(.news) }
      }
      order += world.begin().flatMap(\.queues)
      world.endFirst()
    }
    #expect(Set(order.prefix(9)) == Set(queues) && Set(order.dropFirst(9).prefix(9)) == Set(queues))
  }

  @Test func firstLoadsOfManyQueuesShareRequests() {
    let loads = (1...250).map { QueueID.queue(1_000 + $0) }
    var world = World(loads: loads)
    let turns = world.begin()
    #expect(turns.map(\.queues.count) == [100, 100, 50] && turns.flatMap(\.queues) == loads)
    #expect(turns.allSatisfy { $0.kind == .load })
    let queues = (1...9).map { QueueID.queue(80 + $0) }
    for queue in queues {
      world.facts.places[queue] = world.facts.places[.box]
      world.machine.change(queue) { $0.ask(.news) }
    }
    #expect(world.begin().map(\.queues) == [queues], "news of queues come together too")
  }

  @Test func asksAgainForLoadsThatAnswerHadNoRoomFor() {
    var world = World(loads: Self.loads)
    let turn = world.begin()[0]
    var loaded = QueuePlace()
    (loaded.load, loaded.position) = (.loaded, 0)
    world.facts.places[Self.loads[0]] = loaded
    let result = PullResult(before: QueuePlace(), after: loaded)
    world.machine.tell(.ended(turn, [Self.loads[0]: .pulled(result)]), world.facts)
    #expect(world.begin().map(\.queues) == [Array(Self.loads.dropFirst())])
    #expect(world.machine.problem == nil)
  }

  @Test func asksAgainForNewsThatAnswerHadNoRoomFor() {
    var world = World(loads: [])
    let queues = (1...9).map { QueueID.queue(80 + $0) }
    for queue in queues {
      world.facts.places[queue] = world.facts.places[.box]
      world.machine.change(queue) { $0.ask(.news) }
    }
    let turn = world.begin()[0]
    let before = world.facts.places[.box] ?? QueuePlace()
    let result = PullResult(before: before, after: before, hasSettled: true)
    world.machine.tell(.ended(turn, [queues[0]: .pulled(result)]), world.facts)
    #expect(world.begin().map(\.queues) == [Array(queues.dropFirst())], "those that are left out")
  }

  /// Each answer has room for one queue only. Queues that had no room come before queues that were answered.
  @Test func queueWithoutRoomInAnswerComesFirst() {
    var world = World(loads: [])
    let queues = (1...3).map { QueueID.queue(80 + $0) }
    for queue in queues { world.facts.places[queue] = world.facts.places[.box] }
    var answered: [QueueID] = []
    for _ in queues {
      for queue in queues { world.machine.change(queue) { $0.ask(.news) } }
      let turn = world.begin()[0]
      let place = world.facts.places[.box] ?? QueuePlace()
      answered.append(turn.queues[0])
      let result = PullResult(before: place, after: place, hasSettled: true)
      world.machine.tell(.ended(turn, [turn.queues[0]: .pulled(result)]), world.facts)
    }
    #expect(answered == queues)
  }

  @Test func queueWithEditsIsFetchedAlone() {
    var world = World(loads: [])
    let queues = (1...4).map { QueueID.queue(80 + $0) }
    for queue in queues { world.facts.places[queue] = world.facts.places[.box] }
    world.edit(queues[1])
    #expect(world.begin().map(\.queues) == [[queues[1]]])
    world.endFirst()
    // Sending and fetching take turns. This time the queue fetches, and has something to send afterwards.
    world.edit(queues[1])
    for queue in queues { world.machine.change(queue) { $0.ask(.news) } }
    let asked = world.begin().map(\.queues)
    #expect(Set(asked) == [[queues[1]], [queues[0], queues[2], queues[3]]], "an edit waits for one answer only")
  }

  /// The server fails at a shared request. Its first queue is then asked for alone, so that the others do not wait
  /// behind it for ever.
  @Test func firstQueueOfFailedRequestIsAskedForAlone() {
    var world = World(loads: Self.loads)
    let failure = SyncFailure(RequestError(.unavailable, "why"), retryAfterSeconds: nil)
    let turn = world.begin()[0]
    world.machine.tell(.ended(turn, turn.failed(failure)), world.facts)
    #expect(world.machine.connection.attempts == 1)
    world.machine.tell(.nothingNew, world.facts)
    #expect(Set(world.begin().map(\.queues)) == [[Self.loads[0]], Array(Self.loads.dropFirst())])
  }

  /// The server refuses a shared request because of one queue. Then each queue is asked for alone. The others are read,
  /// and only the bad one waits.
  @Test func queuesOfRefusedRequestAreAskedForAlone() {
    var world = World(loads: Self.loads)
    let (good, bad) = (Array(Self.loads.dropFirst()), Self.loads[0])
    let failure = SyncFailure(.waitWithQueue, .refused, "why")
    var place = QueuePlace()
    (place.load, place.position) = (.loaded, 0)
    var asked: [[QueueID]] = []
    while true {
      let turns = world.begin()
      if turns.isEmpty { break }
      asked += turns.map(\.queues)
      for turn in turns {
        if turn.queues.contains(bad) {
          world.machine.tell(.ended(turn, turn.failed(failure)), world.facts, chance: .max)
        } else {
          for queue in turn.queues { world.facts.places[queue] = place }
          let result = PullResult(before: QueuePlace(), after: place)
          world.machine.tell(.ended(turn, turn.all(.pulled(result))), world.facts)
        }
      }
    }
    #expect(asked.first == Self.loads && Set(asked.dropFirst()) == Set(Self.loads.map { [$0] }))
    #expect(world.machine.failures.keys.sorted() == [bad])
    for queue in good { world.machine.change(queue) { $0.ask(.news) } }
    #expect(world.begin().map(\.queues) == [good], "what was answered is trusted again")
  }

  @Test func turnEndsOnce() async {
    await #expect(processExitsWith: .failure) {
      var machine = SyncMachine.tested(home: .box)
      let facts = SyncNews(places: [:], needs: [:])
      let turns = machine.begin(facts, at: .zero).turns
      for turn in turns + turns { machine.tell(.ended(turn, turn.all(.nothing)), facts) }
    }
    await #expect(processExitsWith: .failure, "a turn that was never given out") {
      var machine = SyncMachine.tested(home: .box)
      let facts = SyncNews(places: [:], needs: [:])
      _ = machine.begin(facts, at: .zero)
      let other = Turn(queues: [.box], kind: .load, number: 9)
      machine.tell(.ended(other, other.all(.nothing)), facts)
    }
  }

  /// With a real client: first loads that never get an answer do not keep an edit from leaving.
  @Test func editLeavesWhileFirstLoadsHang() async throws {
    let (server, anna) = try await TestServer.withCard()
    let ben = try server.device(2)
    for number: UInt64 in 2...7 {
      let box = QueueID.queue(number)
      ben.store.create(Box(box))
      ben.store.create(Card(number, in: box))
      ben.store.perform(Member(card: Card.id(number, in: box), user: anna.store.user, change: .joins))
    }
    try await ben.sync()
    let hanging = Hanging()
    let home = "\(anna.store.homeQueueID)"
    anna.transport.goes { message, send in
      let text = String(decoding: message.body, as: UTF8.self)
      guard message.call == "Delta", !text.contains(home), !text.contains("\(QueueID.box)") else { return await send() }
      await hanging.hang()
      throw CancellationError()
    }
    let running = Task { try await anna.client.run() }
    await hanging.waits(for: 1)
    let like = anna.store.perform(Like(card: Card.id(1)))
    for await status in await anna.client.statusUpdates where status.pendingOperations == 0 { break }
    #expect(anna.transport.commits(of: like) == 1)
    #expect(await hanging.count == 1, "six queues are one request")
    running.cancel()
    await hanging.end()
    try await running.value
  }

  @Test func statusSaysSinceWhenTheDeviceIsUpToDate() async throws {
    let time = TestTime()
    let anna = try TestServer(time: time).device(1, time: time)
    anna.store.create(Box(.box))
    #expect(await anna.client.status.lastSynced == nil)
    try await anna.sync()
    let first = try #require(await anna.client.status.lastSynced)
    time.pass(60_000)
    anna.transport.goes { _, _ in throw TestTransport.Lost() }
    anna.store.create(Card(1))
    await #expect(throws: SyncError.self) { try await anna.sync() }
    #expect(await anna.client.status.lastSynced == first, "nothing has come since")
    anna.transport.goesStraight()
    try await anna.sync()
    let second = try #require(await anna.client.status.lastSynced)
    #expect(second.millisecondsSince1970 >= first.millisecondsSince1970 + 60_000)
  }

  /// Holds requests until `end`.
  private actor Hanging {
    private(set) var count = 0
    private var hanging: [CheckedContinuation<Void, Never>] = []
    private var waiter: (count: Int, continuation: CheckedContinuation<Void, Never>)?

    func hang() async {
      count += 1
      if let waiter, count >= waiter.count {
        self.waiter = nil
        waiter.continuation.resume()
      }
      await withCheckedContinuation { hanging.append($0) }
    }

    func waits(for count: Int) async {
      if self.count >= count { return }
      await withCheckedContinuation { waiter = (count, $0) }
    }

    func end() {
      for request in hanging { request.resume() }
      hanging = []
    }
  }
}

extension [SyncMachine.Action] {
  var turns: [Turn] {
    compactMap { if case .begin(let turn) = $0 { turn } else { nil } }
  }
  var queues: [QueueID] { turns.flatMap(\.queues) }
}

extension QueuePump {
  /// One turn, from its beginning to its end.
  mutating func serve(_ kind: Turn.Kind, _ result: Turn.Result, grant: GrantID? = nil, chance: UInt64 = 0) {
    let turn = Turn(queues: [.box], kind: kind, number: order.lastTurn + 1)
    begin(turn, grant: grant)
    end(turn, result, at: .zero, chance: chance)
  }
}
