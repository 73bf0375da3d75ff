// Tests of signals at the service: who may show them, who is told, and how polls wait for them.

import Determinism
import SampleIDs
import SyncProtocol
import SyncServer
import Synchronization
import TestSupport
import Testing
import WireFormat

@Suite(.onEachStorage) struct SignalTests {
  private static func change(_ text: String?, in queue: QueueID = .queue, seconds: Int = 5) -> SignalRequest {
    let content = text.map { Array($0.utf8) }
    return SignalRequest(
      session: UUIDValue(high: 0, low: 1),
      signals: [.init(queue: queue, type: "typing", content: content, seconds: seconds)])
  }

  /// A server whose tasks run in an order of the seed, with a queue of Anna and Ben. Time stands still unless a test
  /// lets the clock go on.
  private static func running(
    _ body: @escaping @Sendable (TestServer, Hands) async throws -> Void
  ) async throws {
    let hands = Hands()
    let server = try TestServer(sleeping: { try await hands.sleep($0) }, clock: { hands.now })
    try await server.statuses([
      .init(1, .create(1, "a")), .init(2, OperationChanges(members: [.follow(.ben, as: .reader)])),
    ])
    try await body(server, hands)
    hands.end()
  }

  private static func poll(
    _ user: UserID, _ server: TestServer, waitSeconds: Int = 0, state: UUIDValue? = nil, in queue: QueueID = .queue
  ) async throws -> ChangedAnswer {
    let sums = try await server.service.known(by: user).sums
    return try await server.service.changed(
      ChangedRequest(sums: sums, waitSeconds: waitSeconds, watched: [WatchedQueue(queue, state: state)]), by: user)
  }

  private static func texts(_ answer: ChangedAnswer) -> [String] {
    answer.signals.flatMap(\.signals).map { String(decoding: $0.content, as: UTF8.self) }
  }

  @Test func membersAreTold() async throws {
    try await Self.running { server, hands in
      let answer = try await server.service.signal(Self.change("a"), by: Asker(.anna))
      #expect(answer.taken == 1)
      let told = try await Self.poll(.ben, server)
      #expect(Self.texts(told) == ["a"] && told.signals.first?.signals.first?.user == .anna && told.ranges == [])
      let state = try #require(told.signals.first?.state)
      #expect(try await Self.poll(.ben, server, state: state).signals == [], "it is known")
      #expect(try await Self.poll(.anna, server).signals == [], "it is her own")
      // Readers show signals too.
      #expect(try await server.service.signal(Self.change("b"), by: Asker(.ben)).taken == 1)
      #expect(await server.service.shownSignals == 2)
      while Self.texts(try await Self.poll(.anna, server)) != ["b"] { await hands.letPass(250) }
    }
  }

  @Test func othersAreNotTold() async throws {
    try await Self.running { server, _ in
      _ = try await server.service.signal(Self.change("a"), by: Asker(.anna))
      #expect(try await Self.poll(.cleo, server).signals == [])
      #expect(try await server.service.signal(Self.change("c"), by: Asker(.cleo)).taken == 0)
      #expect(Self.texts(try await Self.poll(.ben, server)) == ["a"])
      // A client that knows signals of a queue that it left is told that there are none.
      let left = try await Self.poll(.cleo, server, state: UUIDValue(high: 7, low: 7))
      #expect(left.signals == [QueueSignals.none(in: .queue)])
      for queue in [QueueID.queue(77), .zero, SyncID.homeQueue(ofUser: .ben)] {
        #expect(try await server.service.signal(Self.change("a", in: queue), by: Asker(.anna)).taken == 0)
      }
      // In another app the queue does not exist.
      #expect(try await server.service.signal(Self.change("a"), by: Asker(.anna, schema: "Wallet")).taken == 0)
    }
  }

  @Test func memberWhoIsTakenOutShowsNothingAndIsToldNothing() async throws {
    try await Self.running { server, _ in
      _ = try await server.service.signal(Self.change("b"), by: Asker(.ben))
      #expect(Self.texts(try await Self.poll(.anna, server)) == ["b"])
      try await server.statuses([.init(3, OperationChanges(members: [.unfollow(.ben)]))])
      _ = try await server.service.signal(Self.change("a"), by: Asker(.anna))
      #expect(try await Self.poll(.ben, server).signals == [])
      #expect(try await server.service.signal(Self.change("b"), by: Asker(.ben)).taken == 0)
      #expect(await server.service.shownSignals == 1)
    }
  }

  @Test func wakesTheWaitingPoll() async throws {
    try await Self.running { server, _ in
      async let answer = Self.poll(.ben, server, waitSeconds: 55)
      while await server.service.parkedPolls == 0 { await Task.yield() }
      _ = try await server.service.signal(Self.change("a"), by: Asker(.anna))
      #expect(try await Self.texts(answer) == ["a"])
    }
  }

  @Test func wakesThePollWhenTheTimeIsOver() async throws {
    try await Self.running { server, hands in
      _ = try await server.service.signal(Self.change("a"), by: Asker(.anna))
      let state = try #require(try await Self.poll(.ben, server).signals.first?.state)
      async let answer = Self.poll(.ben, server, waitSeconds: 55, state: state)
      while await server.service.parkedPolls == 0 { await Task.yield() }
      let begin = hands.now
      while await server.service.shownSignals > 0 { await hands.letPass(250) }
      let told = try await answer
      #expect(told.signals == [QueueSignals.none(in: .queue)])
      #expect((5_000...5_500).contains(hands.now - begin))
    }
  }

  /// The poll of a stranger, and that of a member who watches another queue.
  @Test(arguments: [(UserID.cleo, QueueID.queue), (.ben, .queue(5))])
  func otherPollsAreNotWoken(user: UserID, queue: QueueID) async throws {
    try await Self.running { server, hands in
      async let answer = Self.poll(user, server, waitSeconds: 1, in: queue)
      while await server.service.parkedPolls == 0 { await Task.yield() }
      _ = try await server.service.signal(Self.change("a"), by: Asker(.anna))
      for _ in 0..<100 { await Task.yield() }
      #expect(await server.service.parkedPolls == 1)
      while await server.service.parkedPolls > 0 { await hands.letPass(500) }
      #expect(try await answer.signals == [])
    }
  }
}

/// The hands of a clock that a test moves. Sleeps end when the time has come.
private final class Hands: Sendable {
  private let state = Mutex(State())

  private struct State {
    var now: Int64 = 1_000_000
    var isOver = false
    var sleeps: [(end: Int64, continuation: CheckedContinuation<Void, any Error>)] = []
  }

  var now: Int64 { state.withLock { $0.now } }

  func sleep(_ milliseconds: Int64) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      let isOver = state.withLock { state in
        if !state.isOver { state.sleeps.append((state.now + milliseconds, continuation)) }
        return state.isOver
      }
      if isOver { continuation.resume(throwing: CancellationError()) }
    }
  }

  /// Lets time pass, and what waited for it go on.
  func letPass(_ milliseconds: Int64) async {
    let due = state.withLock { state in
      state.now += milliseconds
      let now = state.now
      defer { state.sleeps.removeAll { $0.end <= now } }
      return state.sleeps.filter { $0.end <= now }.map(\.continuation)
    }
    for continuation in due { continuation.resume() }
    for _ in 0..<100 { await Task.yield() }
  }

  /// Ends all sleeps; later ones fail at once.
  func end() {
    let left = state.withLock { state in
      state.isOver = true
      defer { state.sleeps = [] }
      return state.sleeps.map(\.continuation)
    }
    for continuation in left { continuation.resume(throwing: CancellationError()) }
  }
}
