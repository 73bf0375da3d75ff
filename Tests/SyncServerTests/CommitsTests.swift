// Tests of commits of several queues in one request.

import Foundation
import JSON
import SampleIDs
import Testing
import WireFormat

@testable import SyncProtocol
@testable import SyncServer

@Suite(.onEachStorage) struct CommitsTests {
  private func commit(_ queue: UInt64, _ mutations: [CommitRequest.Mutation]) -> CommitRequest {
    CommitRequest(queue: .queue(queue), mutations: mutations)
  }

  @Test func decidesEachCommitOfARequestByItself() async throws {
    let server = try TestServer()
    try await server.statuses([.init(1, .create(1, "a"))], in: .queue(3), by: .ben)
    var commits = (1...20).map { (number: UInt64) in
      commit(
        number,
        [
          .init(1, .create(id: QueueID.queue(number).root, "a")),
          .init(100 + number, OperationChanges(members: [.follow(.ben)])),
        ])
    }
    let answers = try await server.service.commits(CommitsRequest(commits: commits), by: .anna)
    #expect(answers.count == 20)
    for (index, (commit, answer)) in zip(commits, answers).enumerated() {
      if commit.queue == .queue(3) {
        guard case .refused(.revoked) = answer.result else {
          Issue.record("anna is no member of it")
          continue
        }
      } else if case .decided(let decided) = answer.result {
        #expect(decided.role == .owner && decided.outcomes.map(\.operation) == commit.mutations.map(\.operation))
        #expect(decided.outcomes.map(\.status) == [.applied, .applied])
        let grant = try await server.service.grant(of: .anna, in: commit.queue)
        #expect(decided.grant == grant, "the answers are in the order of the request")
        commits[index].grant = grant
      } else {
        Issue.record("\(commit.queue) was not decided: \(answer.result)")
      }
    }
    // The same operations again get the same answers.
    let again = try await server.service.commits(CommitsRequest(commits: commits), by: .anna)
    #expect(again.map(\.result) == answers.map(\.result))
  }
}

// A commit while others wait.
extension CommitsTests {
  /// `HookedStorage` says that others wait whenever Anna writes.
  @Test func aLargeCommitIsDecidedInPartsWhereOthersWait() async throws {
    let service = SyncService(storage: HookedStorage(try TestStorage()))
    var rest = (1...200).map { CommitRequest.Mutation(UInt64($0), .create(UInt64($0), "a")) }
    var counts: [Int] = []
    while !rest.isEmpty, counts.count < 9 {
      let answer = try await service.commit(commit(1, rest), by: .anna)
      guard case .decided(let decided) = answer.result else { break }
      #expect(decided.outcomes.map(\.operation) == rest.prefix(decided.outcomes.count).map(\.operation))
      #expect(decided.outcomes.allSatisfy { $0.status == .applied } && decided.waiting.isEmpty)
      counts.append(decided.outcomes.count)
      rest.removeFirst(decided.outcomes.count)
    }
    #expect(counts == [64, 64, 64, 8], "what was skipped is sent again")
    let all = (1...200).map { CommitRequest.Mutation(UInt64($0), .create(UInt64($0), "a")) }
    let answer = try await service.commit(commit(2, all), by: .ben)
    let decided = try #require(answer.result.decided)
    #expect(decided.outcomes.count == 200, "nobody waits for ben")
  }

  /// Few mutations may have much to do.
  @Test func aCommitOfLargeMutationsIsDecidedInParts() async throws {
    let service = SyncService(storage: HookedStorage(try TestStorage()))
    func decided(_ mutations: [CommitRequest.Mutation]) async throws -> Int? {
      guard case .decided(let decided) = try await service.commit(commit(1, mutations), by: .anna).result else {
        return nil
      }
      return decided.outcomes.count
    }
    let wide = (1...3 as ClosedRange<UInt64>).map { number in
      CommitRequest.Mutation(number, OperationChanges(objects: (0..<200).map { .delete(number * 200 + $0) }))
    }
    #expect(try await decided(wide) == 1, "200 objects are a turn")
    #expect(try await decided([.init(4, .create(1, String(repeating: "x", count: 1_000_000)))]) == 1)
    let edits = (5...9 as ClosedRange<UInt64>).map { CommitRequest.Mutation($0, .set(1, "\($0)")) }
    #expect(try await decided(edits) == 5, "its text is short after the first one")
    #expect(try await decided([.init(10, .create(2, String(repeating: "x", count: 1_000_000)))]) == 1)
    let more = (11...15 as ClosedRange<UInt64>).map { CommitRequest.Mutation($0, .create(2, "a")) }
    #expect(try await decided(more) == 2, "2 MB of contents, read and written, are a turn")
  }
}

extension CommitsTests {
  private func error(of commits: [CommitRequest]) -> MessageError? {
    do {
      guard case .object(let members) = CommitsRequest(commits: commits).json else { return nil }
      _ = try CommitsRequest(MessageReader(.object(members)))
      return nil
    } catch { return error }
  }

  @Test func boundsCommitsAndMutationsOfARequest() {
    let mutations = (1...251).map {
      CommitRequest.Mutation(operation: .number(UInt64($0)), firstSent: .zero, changes: [])
    }
    #expect(error(of: []) == nil)
    #expect(error(of: (1...100).map { commit($0, []) }) == nil)
    #expect(error(of: (1...101).map { commit($0, []) }) == MessageError(.tooLarge, at: "commits"))
    #expect(error(of: [commit(1, []), commit(1, [])]) == MessageError(.invalidValue, at: "commits"))
    #expect(error(of: [commit(1, mutations), commit(2, mutations)]) == MessageError(.tooLarge, at: "commits"))
  }
}
