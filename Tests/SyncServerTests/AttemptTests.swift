// Tests of attempts: an outcome that changed nothing holds for its attempt and earlier ones, every other one for ever.

import SyncProtocol
import SyncServer
import Testing
import WireFormat

@Suite(.onEachStorage) struct AttemptTests {
  let server: TestServer

  init() async throws {
    server = try TestServer()
    try await server.statuses([.init(1, .create(1, "a")), .init(2, .create(2, "a"))])
  }

  private func outcomes(_ mutations: [CommitRequest.Mutation]) async throws -> [OperationOutcome] {
    guard case .decided(let decided) = try await server.commit(mutations) else { return [] }
    return decided.outcomes
  }

  /// As a sender that was refused, waits until the object is as its condition says, and whose copies arrive late.
  @Test func aRefusalIsDecidedAgainForALaterAttemptOnly() async throws {
    let failed = OperationOutcome.Status.rejected(RejectionCode.conditionFailed)
    let steps: [(sent: Int, status: OperationOutcome.Status, decided: Int, head: Int64)] = [
      (0, failed, 0, 3), (0, failed, 0, 3), (3, failed, 3, 3), (2, failed, 3, 3),
      (3, failed, 3, 4), (4, .applied, 4, 5), (3, .applied, 4, 5), (0, .applied, 4, 5), (5, .applied, 4, 5),
    ]
    for (number, step) in steps.enumerated() {
      if number == 4 { #expect(try await server.statuses([.init(8, .set(1, "b"))]) == [.applied]) }
      let told = try await outcomes([.init(9, .set(1, "c", if: .content("b")), attempt: step.sent)])
      #expect(told.map(\.status) == [step.status] && told.map(\.attempt) == [step.decided], "step \(number)")
      let page = try #require(try await server.page(awaiting: [.number(9)]))
      #expect(page.head == step.head && page.end?.outcomes == told, "step \(number)")
    }
    let told = try #require(try await server.commit([.init(9, .delete(1))], by: .ben).refusal?.outcomesOfRevoked)
    #expect(told.map(\.attempt) == [4])
  }

  /// An edit of an object that was not there, and came.
  @Test func whatHadNoEffectIsDecidedAgain() async throws {
    #expect(try await server.statuses([.init(9, .set(7, "b"))]) == [.noEffect])
    #expect(try await server.statuses([.init(8, .create(7, "a"))]) == [.applied])
    for (attempt, status) in [(0, OperationOutcome.Status.noEffect), (1, .applied), (0, .applied), (2, .applied)] {
      #expect(try await server.statuses([.init(9, .set(7, "b"), attempt: attempt)]) == [status])
    }
    #expect(try await server.page(awaiting: [])?.head == 5, "applied once")
  }

  /// Also that of a later attempt, which its sender has taken back.
  @Test(
    arguments: [
      ([.init(9, .set(1, "b"))], .applied), ([.init(9, .set(1, "b"), isVoid: true)], .voided),
      ([.init(9, .set(1, "b", if: .content("z"))), .init(9, .set(1, "b"), attempt: 3, isVoid: true)], .voided),
      ([], .unknown),
    ] as [([CommitRequest.Mutation], OperationOutcome.Status)])
  func everyOtherOutcomeIsFinal(mutations: [CommitRequest.Mutation], status: OperationOutcome.Status) async throws {
    for mutation in mutations { try await server.statuses([mutation]) }
    if mutations.isEmpty { try await server.service.forgetOutcomes(in: .queue, before: Self.late) }
    let first = try await outcomes([mutations.last ?? .init(9, .set(1, "b"))])
    #expect(first.map(\.status) == [status] && first.map(\.attempt) == [mutations.last?.attempt ?? 0])
    #expect(try await outcomes([.init(9, .set(2, "c"), attempt: 7)]) == first)
  }

  private static let late = Timestamp(millisecondsSince1970: 5_000_000_000_000)

  /// Behind an operation that was not done, a later attempt is skipped too, and keeps the outcome that it had.
  @Test func aLaterAttemptIsSkippedLikeAnyOther() async throws {
    let refused = try await outcomes([.init(9, .set(1, "c", if: .content("b")))])
    let mutations: [CommitRequest.Mutation] = [
      .init(8, .set(1, "d", if: .content("z"))), .init(9, .set(1, "c", if: .content("a")), attempt: 1),
      .init(10, OperationChanges(objects: [.set(1, "e"), .set(2, "e")])), .init(11, .set(2, "f")),
    ]
    #expect(try await outcomes(mutations).map(\.operation) == [.number(8)])
    #expect(try await server.page(awaiting: [.number(9)])?.end?.outcomes == refused)
    let rest = try await outcomes(Array(mutations[1...]))
    #expect(rest.map(\.status) == [.applied, .applied, .applied] && rest.map(\.attempt) == [1, 0, 0])
  }
}
