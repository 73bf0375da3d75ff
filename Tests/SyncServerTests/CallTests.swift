// Tests of calls as clients send them: bytes in, bytes out, through GraphQL to the database.

import GraphQL
import SyncProtocol
import SyncServer
import Testing
import WireFormat

@Suite(.onEachStorage) struct CallTests {
  let server: TestServer

  init() throws { server = try TestServer() }

  private func call<Request, Answer>(
    _ call: SyncCall<Request, Answer>, _ request: Request, by user: UserID = .anna
  ) async throws -> Answer {
    let response = await server.service.answer(call.body(request), by: user)
    #expect(response.status == 200)
    return try call.answer(response.body)
  }

  @Test func answersCallsGivenAsBytes() async throws {
    let create = CommitRequest(queue: .queue, mutations: [.init(1, .create(id: .root, "Summit", newestBy: 5))])
    let decided = try #require(try await call(.commit, create).result.decided)
    #expect(decided.outcomes.map(\.status) == [.applied])
    let place = DeltaRequest.Queue(queue: .queue, grant: decided.grant, awaiting: [.number(1)])
    let answers = try await call(.delta, DeltaRequest(queues: [place]))
    let page = try #require(answers.first?.result.page)
    #expect(page.objects.first?.live?.newestBy == 5)
    #expect(page.objects.first?.live?.system.createdBy == .anna)
    #expect(page.end?.outcomes == decided.outcomes)
    #expect(page.end?.digest == QueueDigest(page.objects))
    let changed = ChangedRequest(sums: PlaceSums(forQueues: 0), waitSeconds: 0)
    #expect(try await call(.changed, changed).places.map(\.queue).contains(.queue))
    #expect(try await call(.changed, ChangedRequest(sums: nil, waitSeconds: 0)).places == [])
    #expect(try await call(.objects, ObjectsRequest(queue: .queue)).objects == page.objects)
    var again = create
    again.grant = decided.grant
    #expect(try await call(.commits, CommitsRequest(commits: [again])).map(\.result) == [.decided(decided)])
  }

  @Test func aRequestThatNamesAUserIsServedForThatUserOnly() async throws {
    let create = CommitRequest(queue: .queue, mutations: [.init(1, .create(id: .root, "Summit", newestBy: 5))])
    let body = SyncCall.commit.body(create, of: .anna)
    let refused = await server.service.answer(body, by: .ben)
    #expect(refused.status == 401 && refused.legacyStatus == 401)
    #expect { _ = try SyncCall.commit.answer(refused.body) } throws: {
      ($0 as? RequestError)?.code == .unauthenticated
    }
    let place = DeltaRequest(queues: [DeltaRequest.Queue(queue: .queue)])
    #expect(try await call(.delta, place).first?.result == .refused(.noQueue), "nothing was applied")
    #expect(await server.service.answer(body, by: .anna).status == 200)
  }
}
