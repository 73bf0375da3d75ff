// Tests of how mutations are decided: each once, in order, together with its effect.

import SampleIDs
import SyncProtocol
import SyncServer
import Testing
import WireFormat

@Suite(.onEachStorage) struct CommitTests {
  let server: TestServer

  init() throws { server = try TestServer() }

  private func rejected(_ code: String) -> OperationOutcome.Status { .rejected(code) }

  @Test func knownOperationIsNotAppliedAgain() async throws {
    let create = CommitRequest.Mutation(1, .create(1, "a"))
    #expect(try await server.statuses([create]) == [.applied])
    #expect(try await server.statuses([create, create]) == [.applied, .applied])
    // The same id with other changes is the same operation.
    #expect(try await server.statuses([CommitRequest.Mutation(1, .delete(1))]) == [.applied])
    #expect(try await server.page()?.objects.map(\.revision) == [2])
  }

  @Test func refusedMutationSkipsLaterOnesOfItsObjects() async throws {
    let mutations: [CommitRequest.Mutation] = [
      .init(1, .create(1, "a")), .init(2, .set(1, "b", if: .content("z"))), .init(3, .set(1, "c")),
      .init(4, OperationChanges(objects: [.set(1, "d"), .create(2, "e")])), .init(5, .set(2, "f")),
      .init(6, .create(3, "g")),
    ]
    let conditionFailed = rejected(RejectionCode.conditionFailed)
    #expect(try await server.statuses(mutations) == [.applied, conditionFailed, nil, nil, nil, .applied])
    #expect(try await server.statuses(Array(mutations[2...])) == [.applied, .applied, .applied, .applied])
  }

  @Test func voidInvalidAndUnknownMutationsChangeNothing() async throws {
    #expect(
      try await server.statuses([.init(1, OperationChanges(objects: [.create(1, "a")]), isVoid: true)]) == [.voided])
    #expect(try await server.statuses([.init(1, .create(1, "a"))]) == [.voided])
    let broken = CommitRequest.Mutation(
      operation: .number(2), firstSent: Timestamp(millisecondsSince1970: 4_000_000_000_000), changes: [0xFF])
    #expect(try await server.statuses([broken]) == [rejected(RejectionCode.invalid)])
    #expect(try await server.statuses([.init(2, .create(2, "a"))]) == [rejected(RejectionCode.invalid)])
    try await server.service.forgetOutcomes(in: .queue, before: Timestamp(millisecondsSince1970: 5_000_000_000_000))
    for _ in 0..<2 { #expect(try await server.statuses([.init(3, .create(3, "a"))]) == [.unknown]) }
    #expect(try await server.page()?.objects == [])
  }

  @Test func changesAfterADeleteHaveNoEffect() async throws {
    try await server.statuses([.init(1, .create(1, "a")), .init(2, .delete(1))])
    let late: [CommitRequest.Mutation] = [
      .init(3, .set(1, "b")), .init(4, .delete(1)), .init(5, .create(1, "c")), .init(6, .set(9, "d")),
    ]
    #expect(try await server.statuses(late) == [.noEffect, .noEffect, .noEffect, .noEffect])
    #expect(try await server.page()?.head == 3)
    #expect(try await server.statuses([.init(7, .create(1, "again", Revival(isReviving: true)))]) == [.applied])
    #expect(try await server.page()?.objects.count == 1)
  }

  @Test func aCreateOvercomesTheDeletesThatWereSeen() async throws {
    try await server.statuses([.init(1, .create(1, "a")), .init(2, .delete(1))])
    let history = server.storage.history.current
    func create(_ history: HistoryID, _ cursor: Int64) -> ObjectChange {
      .create(1, "again", Revival(seen: SeenVersion(history: history, cursor: cursor)))
    }
    #expect(try await server.statuses([.init(3, create(history, 2))]) == [.noEffect])
    #expect(try await server.statuses([.init(4, create(history, 3)), .init(5, .delete(1))]) == [.applied, .applied])
    #expect(try await server.statuses([.init(6, create(history, 4))]) == [.noEffect])
    #expect(try await server.statuses([.init(7, create(.number(77), 1))]) == [.applied], "of another history")
  }

  @Test func unchangedContentGetsNoNewRevision() async throws {
    try await server.statuses([.init(1, .create(1, "a"))])
    #expect(try await server.statuses([.init(2, .create(1, "b")), .init(3, .set(1, "a"))]) == [.applied, .applied])
    #expect(try await server.page()?.head == 2)
  }

  @Test func conditionsAreCheckedAgainstTheLiveObject() async throws {
    try await server.statuses([.init(1, .create(1, "a"))])
    var absent = ObjectChange.create(1, "b")
    absent.condition = .absent
    #expect(try await server.statuses([.init(2, absent)]) == [rejected(RejectionCode.conditionFailed)])
    #expect(try await server.statuses([.init(3, .set(1, "c", if: .content("a")))]) == [.applied])
    #expect(
      try await server.statuses([.init(4, .set(1, "d", if: .content("a")))]) == [
        rejected(RejectionCode.conditionFailed)
      ]
    )
    try await server.statuses([.init(5, .delete(1))])
    #expect(
      try await server.statuses([.init(7, .set(1, "d", if: .content("c")))]) == [
        rejected(RejectionCode.conditionFailed)
      ]
    )
    var again = ObjectChange.create(1, "b", Revival(isReviving: true))
    again.condition = .absent
    #expect(try await server.statuses([.init(6, again)]) == [.applied])
  }

  @Test func aRejectedMutationLeavesNothing() async throws {
    try await server.statuses([.init(1, .create(1, "a"))])
    let mixed = OperationChanges(objects: [.create(2, "b"), .create(1, "c", type: "other")])
    #expect(try await server.statuses([.init(2, mixed)]) == [rejected(RejectionCode.invalid)])
    #expect(try await server.page()?.objects.map(\.id) == [.object(1)])
    let large = OperationChanges(objects: [.create(3, String(repeating: "x", count: 1_000_000))])
    #expect(try await server.statuses([.init(3, large)]) == [.applied])
    let appended = ObjectChange(
      .object(3),
      .patch(
        try {
          var patch = PatchBuilder()
          patch.set(3, String(repeating: "y", count: 100_000))
          return try patch.patch()
        }()))
    #expect(try await server.statuses([.init(4, appended)]) == [rejected(RejectionCode.tooLarge)])
  }

  /// The root of a queue has the queue's id. Every other id must be bound to the queue.
  @Test func aCreateNeedsAnIDThatIsBoundToItsQueue() async throws {
    let unbound: [UUIDValue] = [
      UUIDValue(high: 0xF, low: 1), QueueID.queue(2).root, .object(1, in: .queue(2)), .object(1, in: .zero), .zero,
      SyncID.homeQueue(ofUser: .anna).root,
    ]
    for (number, id) in unbound.enumerated() {
      let status = try await server.statuses([.init(UInt64(number), .create(id: id, "a"))])
      #expect(status == [rejected(RejectionCode.invalid)], "\(id)")
    }
    let mixed = OperationChanges(objects: [.create(1, "a"), .create(id: unbound[0], "b")])
    #expect(try await server.statuses([.init(20, mixed)]) == [rejected(RejectionCode.invalid)])
    #expect(try await server.page()?.objects == [])
    let right: [CommitRequest.Mutation] = [.init(21, .create(id: .root, "root")), .init(22, .create(1, "a"))]
    #expect(try await server.statuses(right) == [.applied, .applied])
    #expect(try await server.page()?.objects.count == 2)
  }

  @Test func rejectsInvalidTypeNames() async throws {
    for (number, name) in ["", "a\u{1}", "é", "a b", String(repeating: "x", count: 101)].enumerated() {
      let status = try await server.statuses([.init(UInt64(number), .create(1, "a", type: name))])
      #expect(status == [rejected(RejectionCode.invalid)], "\(name)")
    }
  }

  @Test func mutationWaitsForAMissingFile() async throws {
    let changes = OperationChanges(objects: [.create(1, "a")], files: [ContentHash(words: (1, 2, 3, 4))])
    let result = try await server.commit([.init(1, changes), .init(2, .set(1, "b")), .init(3, .create(2, "c"))])
    let decided = try #require(result.decided)
    #expect(decided.waiting == [.init(operation: .number(1), files: changes.files)])
    #expect(decided.outcomes.map(\.operation) == [.number(3)])
  }

  @Test func refusesStrangersAndOtherGrants() async throws {
    let create = CommitRequest.Mutation(1, .create(1, "a"))
    let decided = try #require(try await server.commit([create]).decided)
    let outcomes = try #require(try await server.first([create], by: .ben).refusal?.outcomesOfRevoked)
    #expect(outcomes.map(\.status) == [.applied])
    #expect(try await server.commit([create], grant: .number(1)) == .refused(.stale(decided.grant)))
    #expect(try await server.first([create]) == .refused(.stale(decided.grant)), "it may be of an earlier membership")
  }
}
