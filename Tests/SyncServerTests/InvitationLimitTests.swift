// Tests of the number of strangers whom a user may add to queues in a day.

import SampleIDs
import SyncProtocol
import SyncServer
import Synchronization
import Testing
import WireFormat

@Suite(.onEachStorage) struct InvitationLimitTests {
  private let tooMany = OperationOutcome.Status.rejected(RejectionCode.tooManyInvitations)

  private func user(_ number: UInt64) -> UserID { UserID(high: 0xD0 + number, low: 1) }

  private func follow(_ users: [UserID]) -> OperationChanges {
    OperationChanges(members: users.map { .follow($0) })
  }

  @Test func strangersBeyondTheLimitAreRefusedUntilTheNextDay() async throws {
    let time = Time(at: 86_400_000 * 20_000 + 5_000)
    let server = try TestServer(invitations: InvitationLimit(perDay: 3), clock: time.clock)
    try await server.statuses([.init(1, .create(1, "a"))])
    #expect(try await server.statuses([.init(2, follow([user(1), user(2)]))]) == [.applied])
    #expect(try await server.statuses([.init(3, follow([user(3), user(4)]))]) == [tooMany], "none of both")
    let members = try server.storage.read { try $0.members(of: .queue).count }
    #expect(members == 3)
    #expect(
      try await server.statuses([.init(4, follow([user(3)])), .init(5, follow([user(4)]))]) == [.applied, tooMany])
    // Another user has a limit of their own.
    #expect(try await server.statuses([.init(6, follow([user(5)]))], by: user(1)) == [.applied])
    time.pass(86_400_000)
    #expect(try await server.statuses([.init(7, follow([user(6)]))]) == [.applied])
  }

  @Test func peopleWhoShareAQueueAreNoStrangers() async throws {
    let server = try TestServer(invitations: InvitationLimit(perDay: 1))
    try await server.statuses([.init(1, .create(1, "a"))])
    #expect(try await server.statuses([.init(2, follow([user(1)]))]) == [.applied])
    for number: UInt64 in 2...5 {
      let other = QueueID.queue(number)
      #expect(try await server.statuses([.init(10 + number, follow([user(1)]))], in: other) == [.applied])
    }
    #expect(try await server.statuses([.init(3, follow([user(2)]))]) == [tooMany])
    // A person that has left every shared queue is a stranger again.
    let leave = OperationChanges(members: [.unfollow(user(1))])
    for number: UInt64 in 2...5 {
      try await server.statuses([.init(20 + number, leave)], in: .queue(number), by: user(1))
    }
    #expect(try await server.statuses([.init(4, leave)], by: user(1)) == [.applied])
    #expect(try await server.statuses([.init(5, follow([user(1)]))]) == [tooMany])
  }

  @Test func membershipsOfOnePersonCount() async throws {
    let server = try TestServer(invitations: InvitationLimit(perDay: 1, membershipsPerDay: 3))
    for number: UInt64 in 1...5 {
      let status = try await server.statuses([.init(number, follow([user(1)]))], in: .queue(number))
      #expect(status == [number <= 3 ? .applied : tooMany])
    }
  }

  @Test func unappliedMutationsCountNoInvitations() async throws {
    let server = try TestServer(invitations: InvitationLimit(perDay: 1))
    try await server.statuses([.init(1, .create(1, "a"))])
    let absent = OperationChanges(
      objects: [
        ObjectChange(.object(9), .create(type: "card", .none), condition: .content(ContentHash(words: (1, 1, 1, 1))))
      ],
      members: [.follow(user(1))])
    #expect(try await server.statuses([.init(2, absent)]) == [.rejected(RejectionCode.conditionFailed)])
    let waiting = OperationChanges(members: [.follow(user(1))], files: [ContentHash(words: (1, 1, 1, 1))])
    #expect(try await server.statuses([.init(3, waiting)]) == [nil])
    #expect(try await server.statuses([.init(4, follow([user(2)]))]) == [.applied])
  }
}

private final class Time: Sendable {
  private let milliseconds: Mutex<Int64>
  init(at milliseconds: Int64) { self.milliseconds = Mutex(milliseconds) }
  func pass(_ more: Int64) { milliseconds.withLock { $0 += more } }
  var clock: @Sendable () -> Int64 { { self.milliseconds.withLock { $0 } } }
}
