// Tests of how a queue is born: by a commit that creates its root, and a home queue by any of its user.

import SampleIDs
import SyncProtocol
import SyncServer
import Testing
import WireFormat

@Suite(.onEachStorage) struct BirthTests {
  let server: TestServer

  init() throws { server = try TestServer() }

  private static let home = SyncID.homeQueue(ofUser: .anna)

  private static func root(_ queue: QueueID, isVoid: Bool = false) -> CommitRequest.Mutation {
    .init(1, .create(id: queue.root, "root"), isVoid: isVoid)
  }

  private static func note(_ queue: QueueID) -> CommitRequest.Mutation { .init(2, .create(1, "a", in: queue)) }

  /// With an id of version 8, as objects have, a user who knows an object could create a queue of that id.
  @Test(
    arguments: [
      ("the root and a note", .queue, [root(.queue), note(.queue)], [.applied, .applied]),
      ("a void root", .queue, [root(.queue, isVoid: true), note(.queue)], [.voided, .applied]),
      ("a note before the root", .queue, [note(.queue), root(.queue)], [.applied, .applied]),
      ("a delete of the root", .queue, [.init(1, ObjectChange(.root, .delete))], nil),
      ("the root of another queue", .queue, [root(.queue(2))], nil), ("nothing", .queue, [], nil),
      ("what cannot be read", .queue, [.init(operation: .number(1), firstSent: .zero, changes: [0xFF])], nil),
      ("a note in the own home queue", home, [note(home)], [.applied]),
      ("nothing in the own home queue", home, [], []),
      ("a root in the own home queue", home, [root(home)], [.rejected(RejectionCode.invalid)]),
      ("another's home queue", SyncID.homeQueue(ofUser: .ben), [root(SyncID.homeQueue(ofUser: .ben))], nil),
      ("the id of an object", QueueID(.object(1)), [root(QueueID(.object(1)))], nil),
      ("the id of a user", QueueID(SyncID.user(subject: "anna", issuer: nil).rawValue), nil, nil),
      ("an id of version 0", .number(1), nil, nil),
      ("an id of version 4 without a variant", QueueID(high: 0x4000, low: 1), nil, nil), ("no id", .zero, nil, nil),
    ] as [(String, QueueID, [CommitRequest.Mutation]?, [OperationOutcome.Status]?)])
  func birthNeedsTheRoot(
    name: String, queue: QueueID, mutations: [CommitRequest.Mutation]?, expected: [OperationOutcome.Status]?
  ) async throws {
    let result = try await server.first(mutations ?? [Self.root(queue)], in: queue)
    guard let expected else {
      // An id that could be that of a queue with an identity tells nothing.
      let refusal = queue.isDerived ? QueueRefusal.revoked(outcomes: [], retention: .zero) : .noQueue
      #expect(result == .refused(refusal), "\(name)")
      #expect(try await server.delta(.init(queue: queue)) == .refused(refusal), "\(name)")
      return
    }
    let decided = try #require(result.decided)
    #expect(decided.role == .owner && decided.outcomes.map(\.status) == expected, "\(name)")
    #expect(try await server.page(queue)?.grant == decided.grant)
    // Repeated without a grant, because the answer was lost. A pull tells the outcomes.
    #expect(try await server.first([Self.root(queue)], in: queue) == .refused(.stale(decided.grant)))
  }

  @Test func aQueueOfAVoidRootHasNoRoot() async throws {
    _ = try await server.first([Self.root(.queue, isVoid: true)])
    #expect(try await server.page()?.objects == [])
    #expect(
      try await server.statuses([Self.root(.queue), .init(3, .create(id: .root, "root"))]) == [.voided, nil],
      "what is not done skips what follows")
    #expect(try await server.statuses([.init(3, .create(id: .root, "root"))]) == [.applied])
  }
}
