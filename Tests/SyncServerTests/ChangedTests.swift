// Tests of the long poll: sums tell whether anything is new and where, no wake-up is lost, and nobody waits for ever.

import Determinism
import Foundation
import SampleIDs
import SyncProtocol
import SyncServer
import Synchronization
import TestSupport
import Testing
import WireFormat

@Suite(.onEachStorage) struct ChangedTests {
  private static let nothing = PlaceSums(forQueues: 1)
  private static let follow = OperationChanges(members: [.follow(.ben)])

  /// A server whose tasks run in an order of the seed. Time passes only when nothing else can happen.
  private static func seeded(
    _ seed: UInt64
  ) throws -> (executor: SeededExecutor, storage: HookedStorage, service: SyncService, folder: TemporaryFolder) {
    let executor = SeededExecutor(seed: seed)
    let environment = RuntimeEnvironment.seeded(
      seed, spawning: { executor.spawn($0) }, sleeping: { _ in for _ in 0..<1_000 { await Task.yield() } })
    let folder = try TemporaryFolder()
    let storage = HookedStorage(try TestStorage())
    let service = RuntimeEnvironment.$current.withValue(environment) { SyncService(storage: storage) }
    return (executor, storage, service, folder)
  }

  @Test func withoutSumsTheTimeComesAtOnce() async throws {
    let storage = HookedStorage(try TestStorage())
    var limits = PollLimits()
    // A poll that waited would be one too many.
    limits.total = 0
    let service = SyncService(storage: storage, polls: limits)
    for wait in [0, 55] {
      let answer = try await service.changed(ChangedRequest(sums: nil, waitSeconds: wait), by: .anna)
      #expect(answer.ranges == [] && answer.places == [] && answer.time > .zero)
    }
    #expect(storage.reads == 0)
  }

  @Test func tellsNewsAtOnce() async throws {
    let server = try TestServer()
    let first = ChangedRequest(sums: Self.nothing, waitSeconds: 0)
    #expect(try await server.service.changed(first, by: .anna).ranges == [], "she has no queue yet, and no home queue")
    try await server.statuses([.init(1, .create(1, "a"))])
    let (sums, places) = try await server.service.known(by: .anna)
    #expect(Set(places.map(\.queue)) == [.queue, SyncID.homeQueue(ofUser: .anna)])
    #expect(try await server.service.changed(ChangedRequest(sums: sums, waitSeconds: 0), by: .anna).ranges == [])
    let patient = ChangedRequest(sums: Self.nothing, waitSeconds: 50)
    #expect(Set(try await server.service.changed(patient, by: .anna).places) == Set(places), "it does not wait")
    #expect(try await server.service.changed(first, by: .ben).places == [], "of others nothing is told")
  }

  @Test func namesOnlyRangesWithNews() async throws {
    let server = try TestServer()
    let queues = (0..<20).map { QueueID.queue(1 + $0) }
    for (number, queue) in queues.enumerated() {
      try await server.statuses([.init(UInt64(100 + number), .create(1, "a", in: queue))], in: queue)
    }
    let (sums, places) = try await server.service.known(by: .anna, ranges: 4)
    #expect(Set(places.map(\.queue)) == Set(queues).union([SyncID.homeQueue(ofUser: .anna)]))
    try await server.statuses([.init(1, .create(2, "b", in: queues[6]))], in: queues[6])
    let answer = try await server.service.changed(ChangedRequest(sums: sums, waitSeconds: 0), by: .anna)
    let range = sums.range(of: queues[6])
    #expect(answer.ranges == [range])
    let old = places.filter { sums.range(of: $0.queue) == range }
    #expect(Set(answer.places).symmetricDifference(old).map(\.queue) == [queues[6], queues[6]])
  }

  /// A membership that ends shows in the queue itself, before the home queue is written.
  @Test func aMembershipThatEndsIsNews() async throws {
    let server = try TestServer()
    try await server.statuses([.init(1, .create(1, "a")), .init(2, Self.follow)])
    let poll = ChangedRequest(sums: try await server.service.known(by: .ben).sums, waitSeconds: 0)
    #expect(try await server.service.changed(poll, by: .ben).ranges == [])
    try await server.statuses([.init(3, OperationChanges(members: [.unfollow(.ben)]))])
    let answer = try await server.service.changed(poll, by: .ben)
    #expect(answer.ranges == [0] && !answer.places.contains { $0.queue == .queue })
  }

  /// A range is named whole, because otherwise a client could not tell whether a missing queue is gone. Ranges without
  /// room are left for the next answer.
  @Test func rangesThatDoNotFitAreLeftForTheNextAnswer() async throws {
    let server = try TestServer()
    let queues = (0..<1_100).map { QueueID.queue(1 + $0) }
    for (number, queue) in queues.enumerated() {
      try await server.commit([.init(UInt64(100 + number), .create(id: queue.root, "a"))], in: queue)
    }
    let four = ChangedRequest(sums: PlaceSums(forQueues: 32), waitSeconds: 0)
    let answer = try await server.service.changed(four, by: .anna)
    #expect(answer.ranges == [0, 1, 2] && answer.places.count <= ProtocolLimits.changedQueues)
    let one = ChangedRequest(sums: Self.nothing, waitSeconds: 0)
    #expect(try await server.service.changed(one, by: .anna).places.count == 1_101, "one range at least")
  }

  /// A poll and a commit, in the orders of 200 seeds: the poll always tells of the commit.
  @Test(arguments: [UserID.anna, .ben]) func race12_noWakeUpIsLost(of user: UserID) async throws {
    for seed in 1...UInt64(200) {
      let (executor, _, service, folder) = try Self.seeded(seed)
      defer { withExtendedLifetime(folder) {} }
      let answer = try executor.run {
        let create = CommitRequest(queue: .queue, mutations: [.init(1, .create(1, "a")), .init(2, Self.follow)])
        _ = try await service.commit(create, by: .anna)
        let poll = ChangedRequest(sums: try await service.known(by: user).sums, waitSeconds: 55)
        async let answer = service.changed(poll, by: user)
        async let commit = service.commit(
          CommitRequest(queue: .queue, mutations: [.init(3, .create(2, "b"))]), by: .anna)
        _ = try await commit
        return try await answer
      }
      #expect(answer.places.contains { $0.queue == .queue && $0.head == 4 }, "seed \(seed)")
    }
  }

  /// Lets a user who has read everything poll, and calls `meanwhile` while the poll waits. Returns its answer.
  private static func poll(
    by user: UserID, isMember: Bool = true,
    _ meanwhile: @escaping @Sendable (SyncService, HookedStorage) async throws -> Void
  ) throws -> ChangedAnswer {
    let (executor, storage, service, folder) = try seeded(1)
    defer { withExtendedLifetime(folder) {} }
    return try executor.run {
      try await commit([OperationChanges(objects: [.create(1, "a")])] + (isMember ? [follow] : []), to: service)
      let poll = ChangedRequest(sums: try await service.known(by: user).sums, waitSeconds: 55)
      async let answer = service.changed(poll, by: user)
      while await service.parkedPolls == 0 { await Task.yield() }
      try await meanwhile(service, storage)
      return try await answer
    }
  }

  private static func commit(_ changes: [OperationChanges], to service: SyncService) async throws {
    let mutations = changes.map { CommitRequest.Mutation(.random(in: 1 ... .max), $0) }
    _ = try await service.commit(CommitRequest(queue: .queue, mutations: mutations), by: .anna)
  }

  /// A commit fails after it was written. It is on disk, though its sender hears of a failure. Polls must be woken, also
  /// that of a user whose membership the commit has ended.
  @Test(
    arguments: [
      (UserID.anna, OperationChanges(objects: [.create(2, "b")])), (.ben, OperationChanges(members: [.unfollow(.ben)])),
      (.ben, OperationChanges(objects: [ObjectChange(.root, .delete)])),
    ])
  func wakesPollsOfACommitThatFailsAfterItWasWritten(user: UserID, changes: OperationChanges) throws {
    let answer = try Self.poll(by: user) { service, storage in
      storage.failNextWrite(.alwaysAfterwards)
      await #expect(throws: StorageError.self) { try await Self.commit([changes], to: service) }
      for _ in 0..<100 { await Task.yield() }
      #expect(await service.parkedPolls == 0, "nobody waits for the home queue, which may be written much later")
    }
    #expect(!answer.ranges.isEmpty && answer.places.contains { $0.queue == .queue } == (user == .anna))
  }

  @Test func homeQueueThatIsBornWakesThePoll() async throws {
    let (executor, _, service, folder) = try Self.seeded(1)
    defer { withExtendedLifetime(folder) {} }
    try executor.run {
      let home = SyncID.homeQueue(ofUser: .ben)
      async let answer = service.changed(ChangedRequest(sums: Self.nothing, waitSeconds: 55), by: .ben)
      while await service.parkedPolls == 0 { await Task.yield() }
      _ = try await service.delta(DeltaRequest(queues: [.init(queue: home)]), by: .ben)
      #expect(try await answer.places.map(\.queue) == [home])
    }
  }

  /// A poll is woken by any change of its user's queues. One that finds nothing for its app waits on: a client that got
  /// nothing at once would ask again and again.
  @Test func newsOfAnotherAppDoNotEndThePoll() async throws {
    let answer = try Self.poll(by: .anna) { service, _ in
      for number: UInt64 in 2...4 {
        let create = CommitRequest.Mutation(number, .create(number, "b", in: .queue(8)))
        try await service.push(CommitRequest(queue: .queue(8), mutations: [create]), by: Asker(.anna, schema: "Wallet"))
        for _ in 0..<100 { await Task.yield() }
        #expect(await service.parkedPolls == 1, "it waits on")
      }
      _ = try await service.commit(CommitRequest(queue: .queue(9), mutations: []), by: .anna)
    }
    #expect(answer.places.contains { $0.queue == .queue(9) })
  }

  @Test func commitDoesNotWakePollsOfNonMembers() async throws {
    let answer = try Self.poll(by: .ben, isMember: false) { service, _ in
      try await Self.commit([OperationChanges(objects: [.create(2, "b")])], to: service)
      #expect(await service.parkedPolls == 1)
    }
    #expect(answer.ranges == [])
  }
}

// The end of waits, and their limits.
extension ChangedTests {
  @Test func pollEndsAfterItsWaitTime() async throws {
    // The server's sleep returns at once, and is counted.
    let slept = Mutex<Int64>(0)
    let server = try TestServer(sleeping: { milliseconds in slept.withLock { $0 += milliseconds } })
    try await server.statuses([.init(1, .create(1, "a"))])
    let poll = ChangedRequest(sums: try await server.service.known(by: .anna).sums, waitSeconds: 55)
    #expect(try await server.service.changed(poll, by: .anna).ranges == [])
    let waited = slept.withLock { $0 }
    #expect(waited >= 49_500 && waited <= 55_000, "55 seconds, up to a tenth less at random")
  }

  /// A commit to a queue whose members have a hundred polls wakes some at once, and the others after pauses.
  @Test func manyPollsOfAQueueAreWokenInSteps() throws {
    let executor = SeededExecutor(seed: 1)
    let service = Mutex<SyncService?>(nil)
    let parked = Mutex<[Int]>([])
    let environment = RuntimeEnvironment.seeded(
      1, spawning: { executor.spawn($0) },
      sleeping: { milliseconds in
        for _ in 0..<10_000 { await Task.yield() }
        guard milliseconds == 100, let count = await service.withLock({ $0 })?.parkedPolls else { return }
        parked.withLock { $0.append(count) }
      })
    let folder = try TemporaryFolder()
    let storage = try SQLiteStorage(path: folder.url("server.sqlite").path)
    var limits = PollLimits()
    limits.perUser = 250
    let made = RuntimeEnvironment.$current.withValue(environment) { SyncService(storage: storage, polls: limits) }
    service.withLock { $0 = made }
    try executor.run {
      _ = try await made.commit(CommitRequest(queue: .queue, mutations: [.init(1, .create(1, "a"))]), by: .anna)
      let poll = ChangedRequest(sums: try await made.known(by: .anna).sums, waitSeconds: 55)
      try await withThrowingTaskGroup(of: [ChangedAnswer.Head].self) { polls in
        for _ in 0..<250 { polls.addTask { try await made.changed(poll, by: .anna).places } }
        while await made.parkedPolls < 250 { await Task.yield() }
        _ = try await made.commit(CommitRequest(queue: .queue, mutations: [.init(2, .create(2, "b"))]), by: .anna)
        for try await places in polls { #expect(places.contains { $0.queue == .queue && $0.head == 3 }) }
      }
    }
    #expect(parked.withLock { $0.prefix(2) } == [150, 50])
  }

  @Test func pollLimitSparesRequestsThatDoNotWait() async throws {
    let folder = try TemporaryFolder()
    var limits = PollLimits()
    limits.total = 0
    let storage = try SQLiteStorage(path: folder.url("server.sqlite").path)
    let service = SyncService(storage: storage, polls: limits)
    let (hasty, patient) = (
      ChangedRequest(sums: Self.nothing, waitSeconds: 0), ChangedRequest(sums: Self.nothing, waitSeconds: 1)
    )
    #expect(try await service.changed(hasty, by: .anna).ranges == [])
    let error = await #expect(throws: RequestError.self) { try await service.changed(patient, by: .anna) }
    #expect(error?.code == .tooManyRequests)
  }

  @Test func shutdownAnswersAllPolls() async throws {
    // Sleeping takes an hour, so only `close` can answer the polls.
    let server = try TestServer(sleeping: { _ in try await Task.sleep(for: .seconds(3_600)) })
    try await server.statuses([.init(1, .create(1, "a"))])
    let poll = ChangedRequest(sums: try await server.service.known(by: .anna).sums, waitSeconds: 55)
    async let first = server.service.changed(poll, by: .anna)
    async let second = server.service.changed(poll, by: .anna)
    while await server.service.parkedPolls < 2 { await Task.yield() }
    await server.service.close()
    #expect(try await first.ranges == [])
    #expect(try await second.ranges == [])
    #expect(try await server.service.changed(poll, by: .anna).ranges == [])
  }
}
