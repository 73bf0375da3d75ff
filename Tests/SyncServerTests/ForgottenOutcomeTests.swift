// Tests of outcomes that change while upkeep forgets them.

import SyncProtocol
import SyncServer
import Testing
import WireFormat

@Suite(.onEachStorage) struct ForgottenOutcomeTests {
  private let server: FileServer

  /// A queue of Anna that Ben reads.
  init() async throws {
    server = try FileServer()
    try await server.commit([.follow(.ben), .role(.ben, .reader)])
  }

  private func outcome(attempt: Int) async throws -> OperationOutcome.Status? {
    let mutation = CommitRequest.Mutation(
      7, .create(1, "a"), firstSent: SettableTime.start + 60_000, attempt: attempt)
    let request = CommitRequest(queue: .queue, mutations: [mutation])
    return try await server.service.commit(request, by: .ben).result.decided?.outcomes.first?.status
  }

  /// An operation that was refused a year ago is tried again, and applied, after upkeep has read the old refusal. Its new
  /// outcome stays: else its user would be told that nobody knows what has become of it.
  @Test func aNewOutcomeStaysWhereAnOldOneWasFound() async throws {
    #expect(try await outcome(attempt: 0) == .rejected("forbidden"))
    server.time.pass(days: 366)
    try await server.commit([.role(.ben, .writer)])
    server.storage.afterNextRead { _ = try await outcome(attempt: 1) }
    try await server.service.performUpkeep(UpkeepRules())
    #expect(try await outcome(attempt: 1) == .applied)
  }

  @Test func anOldOneGoes() async throws {
    #expect(try await outcome(attempt: 0) == .rejected("forbidden"))
    server.time.pass(days: 366)
    try await server.service.performUpkeep(UpkeepRules())
    #expect(try await outcome(attempt: 0) == .unknown)
  }
}
