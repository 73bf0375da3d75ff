// Tests of the poll over all queues of a user: sums that tell whether anything is new, and where.

import Crypto
import Determinism
import Foundation
import SampleIDs
import SyncServer
import TestSupport
import Testing
import WireFormat

@testable import SyncProtocol

@Suite struct ChangedAllTests {
  /// A server whose tasks run in an order of the seed. Time passes only when nothing else can happen.
  private static func seeded(
    _ seed: UInt64
  ) throws -> (executor: SeededExecutor, storage: UnsureStorage, service: SyncService, folder: TemporaryFolder) {
    let executor = SeededExecutor(seed: seed)
    let environment = RuntimeEnvironment.seeded(
      seed, spawning: { executor.spawn($0) }, sleeping: { _ in for _ in 0..<1_000 { await Task.yield() } })
    let folder = try TemporaryFolder()
    let storage = UnsureStorage(try SQLiteStorage(path: folder.url("server.sqlite").path))
    let service = RuntimeEnvironment.$current.withValue(environment) { SyncService(storage: storage) }
    return (executor, storage, service, folder)
  }

  /// The request of a client that has read everything, and the places that it knows.
  private static func known(
    _ service: SyncService, by user: UserID, ranges: Int = 1
  ) async throws -> (request: ChangedAllRequest, places: [ChangedAllAnswer.Head]) {
    var everything: [ChangedAllAnswer.Head] = []
    var request = ChangedAllRequest(sums: PlaceSums(forQueues: ranges * 8), except: [], waitSeconds: 0)
    while true {
      let answer = try await service.changedAll(request, by: user)
      if answer.ranges.isEmpty { return (request, everything) }
      everything += answer.places
      for place in answer.places {
        request.sums.add(place.queue, epoch: place.epoch, grant: place.grant, cursor: place.head)
      }
    }
  }

  /// Computes a sum as docs/formats/sync-protocol.md describes it.
  @Test func sumOfARangeAddsItsHashes() throws {
    let (queue, epoch, grant) = (QueueID(high: 1, low: 0x102), EpochID.number(3), GrantID.number(4))
    var sums = PlaceSums(forQueues: 30)
    sums.add(queue, epoch: epoch, grant: grant, cursor: 5)
    sums.add(queue, epoch: epoch, grant: grant, cursor: 6)
    let terms = [5, 6].map { cursor -> UInt64 in
      let bytes =
        queue.rawValue.bytes + epoch.rawValue.bytes + grant.rawValue.bytes + [0, 0, 0, 0, 0, 0, 0, UInt8(cursor)]
      return SHA256.hash(data: bytes).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
    #expect(sums.numbers == [0, 0, terms[0] &+ terms[1], 0], "the last byte of the id, modulo the number of ranges")
    #expect(PlaceSums(bytes: sums.bytes) == sums && sums.bytes.count == 32)
    for count in [0, 1, 7, 24, 40, 257 * 8, 512 * 8] {
      #expect(PlaceSums(bytes: Array(repeating: 0, count: count)) == nil, "\(count) bytes")
    }
    #expect(PlaceSums(forQueues: 1).numbers.count == 1 && PlaceSums(forQueues: 1_000_000).numbers.count == 256)
  }

  @Test func namesOnlyRangesWithNews() async throws {
    let server = try TestServer()
    let queues = (0..<20).map { QueueID.queue(1 + $0) }
    for (number, queue) in queues.enumerated() {
      try await server.statuses([.init(UInt64(100 + number), .create(1, "a", in: queue))], in: queue)
    }
    let (known, places) = try await Self.known(server.service, by: .anna, ranges: 4)
    #expect(Set(places.map(\.queue)) == Set(queues).union([SyncID.homeQueue(ofUser: .anna)]))
    try await server.statuses([.init(1, .create(2, "b", in: queues[6]))], in: queues[6])
    let answer = try await server.service.changedAll(known, by: .anna)
    let range = known.sums.range(of: queues[6])
    #expect(answer.ranges == [range])
    let old = places.filter { known.sums.range(of: $0.queue) == range }
    #expect(Set(answer.places).symmetricDifference(old).map(\.queue) == [queues[6], queues[6]])
    var without = known
    without.except = [queues[6]]
    for place in old where place.queue == queues[6] {
      without.sums = PlaceSums(rangesOf: known.sums)
      for other in places where other.queue != place.queue {
        without.sums.add(other.queue, epoch: other.epoch, grant: other.grant, cursor: other.head)
      }
    }
    #expect(try await server.service.changedAll(without, by: .anna).ranges == [], "what is left out is no news")
    #expect(try await server.service.changedAll(known, by: .ben).places == [], "of others nothing is told")
  }

  /// A membership that ends shows in the queue itself, before the home queue is written.
  @Test func aMembershipThatEndsIsNews() async throws {
    let server = try TestServer()
    try await server.statuses([.init(1, .create(1, "a")), .init(2, OperationChanges(members: [.follow(.ben)]))])
    let (known, _) = try await Self.known(server.service, by: .ben)
    #expect(try await server.service.changedAll(known, by: .ben).ranges == [])
    try await server.statuses([.init(3, OperationChanges(members: [.unfollow(.ben)]))])
    let answer = try await server.service.changedAll(known, by: .ben)
    #expect(answer.ranges == [0] && !answer.places.contains { $0.queue == .queue })
  }

  /// A range is named whole, because otherwise a client could not tell whether a missing queue is gone. Ranges without
  /// room are left for the next answer.
  @Test func rangesThatDoNotFitAreLeftForTheNextAnswer() async throws {
    let server = try TestServer()
    let queues = (0..<1_100).map { QueueID.queue(1 + $0) }
    for (number, queue) in queues.enumerated() {
      try await server.commit([.init(UInt64(100 + number), .create(1, "a", in: queue))], in: queue)
    }
    let nothing = PlaceSums(forQueues: 32)
    let request = ChangedAllRequest(sums: nothing, except: [], waitSeconds: 0)
    let answer = try await server.service.changedAll(request, by: .anna)
    #expect(answer.ranges == [0, 1, 2] && answer.places.count <= ProtocolLimits.changedQueues)
    let one = ChangedAllRequest(sums: PlaceSums(forQueues: 1), except: [], waitSeconds: 0)
    #expect(try await server.service.changedAll(one, by: .anna).places.count == 1_101, "one range at least")
  }

  /// A commit ends Ben's membership while he polls. His poll is woken, although he is no member any more then.
  @Test(arguments: [
    OperationChanges(members: [.unfollow(.ben)]), OperationChanges(objects: [ObjectChange(.root, .delete)]),
  ])
  func wakesPollOfAMemberWhoseMembershipEnds(by changes: OperationChanges) async throws {
    let (executor, storage, service, folder) = try Self.seeded(1)
    defer { withExtendedLifetime(folder) {} }
    try executor.run {
      let create = CommitRequest(
        queue: .queue, mutations: [.init(1, .create(1, "a")), .init(2, OperationChanges(members: [.follow(.ben)]))])
      _ = try await service.commit(create, by: .anna)
      var (known, _) = try await Self.known(service, by: .ben)
      known.waitSeconds = 55
      async let answer = service.changedAll(known, by: .ben)
      while await service.parkedPolls == 0 { await Task.yield() }
      // The commit fails after it was written, so it is on disk. The home queue may be written much later.
      storage.failsAfterWriting = true
      await #expect(throws: StorageError.self) {
        try await service.commit(CommitRequest(queue: .queue, mutations: [.init(3, changes)]), by: .anna)
      }
      for _ in 0..<100 { await Task.yield() }
      #expect(await service.parkedPolls == 0, "nobody waits for the home queue")
      #expect(try await !answer.places.contains { $0.queue == .queue })
      #expect(try await !answer.ranges.isEmpty)
    }
  }

  /// A poll and a commit of another member, in the orders of 200 seeds: the poll always tells of the commit.
  @Test func noWakeUpIsLost() async throws {
    for seed in 1...UInt64(200) {
      let (executor, _, service, folder) = try Self.seeded(seed)
      defer { withExtendedLifetime(folder) {} }
      let answer = try executor.run {
        let create = CommitRequest(
          queue: .queue, mutations: [.init(1, .create(1, "a")), .init(2, OperationChanges(members: [.follow(.ben)]))])
        _ = try await service.commit(create, by: .anna)
        var (known, _) = try await Self.known(service, by: .ben)
        known.waitSeconds = 55
        async let answer = service.changedAll(known, by: .ben)
        async let commit = service.commit(
          CommitRequest(queue: .queue, mutations: [.init(3, .create(2, "b"))]), by: .anna)
        _ = try await commit
        return try await answer
      }
      #expect(answer.places.contains { $0.queue == .queue && $0.head == 4 }, "seed \(seed)")
    }
  }

  /// News of a queue that the request leaves out do not end the poll. A client that got nothing at once would ask again
  /// and again.
  @Test func newsOfExceptedQueuesDoNotEndThePoll() async throws {
    let (executor, _, service, folder) = try Self.seeded(1)
    defer { withExtendedLifetime(folder) {} }
    try executor.run {
      _ = try await service.commit(CommitRequest(queue: .queue, mutations: [.init(1, .create(1, "a"))]), by: .anna)
      var request = ChangedAllRequest(sums: PlaceSums(forQueues: 1), except: [.queue], waitSeconds: 0)
      for place in try await service.changedAll(request, by: .anna).places {
        request.sums.add(place.queue, epoch: place.epoch, grant: place.grant, cursor: place.head)
      }
      request.waitSeconds = 55
      let waiting = request
      async let answer = service.changedAll(waiting, by: .anna)
      while await service.parkedPolls == 0 { await Task.yield() }
      for number: UInt64 in 2...4 {
        _ = try await service.commit(
          CommitRequest(queue: .queue, mutations: [.init(number, .create(number, "b"))]), by: .anna)
        for _ in 0..<100 { await Task.yield() }
        #expect(await service.parkedPolls == 1, "it waits on")
      }
      _ = try await service.commit(CommitRequest(queue: .queue(9), mutations: []), by: .anna)
      #expect(try await answer.places.contains { $0.queue == .queue(9) })
    }
  }

  @Test func commitDoesNotWakePollsOfNonMembers() async throws {
    let (executor, _, service, folder) = try Self.seeded(1)
    defer { withExtendedLifetime(folder) {} }
    try executor.run {
      _ = try await service.commit(CommitRequest(queue: .queue, mutations: [.init(1, .create(1, "a"))]), by: .anna)
      var (known, _) = try await Self.known(service, by: .ben)
      known.waitSeconds = 55
      async let answer = service.changedAll(known, by: .ben)
      while await service.parkedPolls == 0 { await Task.yield() }
      _ = try await service.commit(CommitRequest(queue: .queue, mutations: [.init(2, .create(2, "b"))]), by: .anna)
      #expect(await service.parkedPolls == 1)
      #expect(try await answer.ranges == [])
    }
  }
}
