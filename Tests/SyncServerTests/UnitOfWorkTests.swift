// A unit of work in memory is what the database is after its writes.

import SyncProtocol
import TestSupport
import Testing
import WireFormat

@testable import SyncServer

@Suite(.onEachStorage) struct UnitOfWorkTests {
  private static let users: [UserID] = [.anna, .ben]
  private static let objects: [UUIDValue] = (1...4).map { .object($0) }
  private static let keys: [RowKey] =
    [.queue, .members, .usage, .duty(HomeDuty(user: .anna, queue: .queue, head: 1, schema: ""))]
    + objects.map { .object($0) } + (1...4).map { .outcome(.number($0)) }
    + users.flatMap { [.membership(of: $0, in: .queue), .usageBy($0), .queueCount(of: $0)] }

  /// Each decision writes some rows, and then reads all: sums too are those that the next decision finds.
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func readsSeeWhatTheDatabaseWillHave(seed: UInt64) async throws {
    let (server, dice) = (try TestServer(), Dice(seed))
    for _ in 0..<30 {
      let seen = try server.storage.write(to: .queue) { transaction in
        let (seen, writes) = try transaction.decide(on: .queue, reading: Self.keys) { work in
          for _ in 0..<dice.random.below(6 as Int) { work.write(try Self.write(&dice.random, work)) }
          return try Self.rows(work)
        }
        try transaction.write(writes, to: .queue)
        return seen
      }
      let stored = try server.storage.read { snapshot in
        try snapshot.decide(on: .queue, reading: Self.keys) { try Self.rows($0) }.result
      }
      #expect(seen == stored)
    }
  }

  /// `@unchecked Sendable`: used by one thread.
  private final class Dice: @unchecked Sendable {
    var random: SeededRandom
    init(_ seed: UInt64) { random = SeededRandom(seed: seed) }
  }

  private static func write(_ random: inout SeededRandom, _ work: UnitOfWork) throws -> RowWrite {
    let user = random.pick(users)
    switch random.below(5 as Int) {
    case 0:
      var queue = StoredQueue(of: "")
      queue.head = random.below(100 as Int64)
      return .queue(queue)
    case 1:
      return .outcome(
        OperationOutcome(operation: .number(1 + random.below(4 as UInt64)), status: .applied, at: 1), of: user)
    case 2:
      let membership = StoredMembership(role: .writer, grant: .zero, by: random.pick(users), since: .zero)
      // The user who added a member stays the same.
      let known = try work.membership(of: user)
      return .membership(random.chance(30) ? nil : known ?? membership, of: user)
    default:
      let id = random.pick(objects)
      let before = try work.object(id)?.live
      let live = ObjectState.Live(
        type: "note", content: [UInt8](repeating: 1, count: random.below(50 as Int)), newestBy: nil,
        system: before?.system ?? SystemFields(createdBy: user, at: .zero))
      let revision = (try work.queue()?.head ?? 0) * 1_000 + random.below(1_000_000_000 as Int64)
      return .object(ObjectState(id: id, revision: revision, live: random.chance(25) ? nil : live))
    }
  }

  private static func rows(_ work: UnitOfWork) throws -> [String] {
    try keys.map { key in
      switch key {
      case .queue: "\(try work.queue().map { "\($0)" } ?? "none")"
      case .members: "\(try work.members().map { "\($0) \($1)" }.sorted())"
      case .object(let id): "\(try work.object(id).map { "\($0)" } ?? "none")"
      case .outcome(let id): "\(try work.outcome(of: id).map { "\($0.status)" } ?? "none")"
      case .membership(let user, _): "\(try work.membership(of: user).map { "\($0)" } ?? "none")"
      case .queueCount(let user): "\(try work.queueCount(of: user))"
      case .usage, .usageBy: "\(try work.usage(key))"
      default: "\(try work.isThere(key))"
      }
    }
  }

  @Test func aRowThatWasNotNamedIsLoaded() async throws {
    let server = try TestServer()
    try await server.statuses([.init(1, .create(1, "a"))])
    let revision = try server.storage.read { snapshot in
      try snapshot.decide(on: .queue, reading: [.queue]) { work in
        (try work.queue()?.head, try work.object(.object(1))?.revision)
      }.result
    }
    #expect(revision.0 == 2 && revision.1 == 2)
  }
}
