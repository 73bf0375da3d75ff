import GraphQL
import JSON
import SampleIDs
import SyncProtocol
// Tests that no answer has more bytes than clients read: the largest regular answers fit, and no document makes a
// larger one.
import SyncServer
import Testing
import WireFormat

@Suite struct AnswerSizeTests {
  private let service = GraphQLService(schema: .sync, limits: .sync)

  private func id<Object>(_ number: Int) -> ObjectID<Object> { ObjectID(high: .max, low: UInt64(number)) }

  /// Objects whose fields are as large as they may be. They share `bytes` of content.
  private func objects(_ count: Int, bytes: Int) -> [ObjectState] {
    let type = String(repeating: "t", count: ProtocolLimits.typeNameBytes)
    return (0..<count).map { number in
      let live = ObjectState.Live(
        type: type, content: [UInt8](repeating: 0xFF, count: bytes / count), newestBy: .min,
        system: SystemFields(createdBy: id(0), at: .zero))
      return ObjectState(id: UUIDValue(high: .max, low: UInt64(number)), revision: .max, live: live)
    }
  }

  private func page(objects: [ObjectState], awaiting: Int) -> DeltaPage {
    let time = Timestamp(millisecondsSince1970: -ProtocolLimits.timeMilliseconds)
    let outcomes = (0..<awaiting).map { number in
      OperationOutcome(
        operation: id(number), status: .rejected(RejectionCode.conditionFailed), at: .max, time: time)
    }
    var page = DeltaPage(grant: id(0), role: .writer, head: .max, cursor: .max, objects: objects)
    page.end = DeltaPage.End(
      outcomes: outcomes, retention: time, digest: QueueDigest(live: .max, sum: .max))
    return page
  }

  @Test func theLargestPageFits() async throws {
    let page = page(
      objects: objects(ProtocolLimits.pageObjects, bytes: ProtocolLimits.pageBytes), awaiting: ProtocolLimits.awaiting)
    let answer = DeltaAnswer(queue: id(0), time: .zero, result: .page(page))
    let root = GraphQLResolver(listing: { (_: DeltaRequest) in [answer] })
    let body = SyncCall.delta.body(DeltaRequest(queues: [.init(queue: id(0))]))
    let response = await service.answer(body, ["delta": root])
    #expect(response.errors == [])
    #expect(try SyncCall.delta.answer(response.body) == [answer])
  }

  @Test func theLargestCommitFits() async throws {
    // As many hashes as fit into a request, at 32 bytes each.
    let files = [ContentHash](
      repeating: ContentHash(words: (.max, .max, .max, .max)), count: ProtocolLimits.requestBytes / 4 * 3 / 32)
    let time = Timestamp(millisecondsSince1970: -ProtocolLimits.timeMilliseconds)
    let outcomes = (0..<ProtocolLimits.mutations).map {
      OperationOutcome(operation: id($0), status: .rejected(RejectionCode.conditionFailed), at: .max, time: time)
    }
    let waiting = stride(from: 0, to: files.count, by: ProtocolLimits.files).map { start in
      CommitAnswer.Waiting(operation: id(start), files: Array(files[start...].prefix(ProtocolLimits.files)))
    }
    let decided = CommitAnswer.Decided(
      grant: id(0), role: .writer, outcomes: outcomes, waiting: waiting)
    let answer = CommitAnswer(time: time, result: .decided(decided))
    let root = GraphQLResolver { (_: CommitRequest) in answer }
    let body = SyncCall.commit.body(CommitRequest(queue: id(0), mutations: []))
    let response = await service.answer(body, ["commit": root])
    #expect(response.errors == [])
    #expect(try SyncCall.commit.answer(response.body) == answer)
  }

  /// Asks for a field of each object under 190 names, or under one very long name.
  @Test(arguments: [
    (0..<190).map { "a\($0): content" }.joined(separator: " "), String(repeating: "a", count: 60_000) + ": type",
  ])
  func repeatedFieldsMakeAnAnswerTooLarge(fields: String) async {
    let objects = objects(1_000, bytes: ProtocolLimits.pageBytes)
    let page = ObjectsPage(
      time: .zero, history: id(0), head: .max, cursor: .max, scan: nil, objects: objects)
    let root = GraphQLResolver { (_: ObjectsRequest) in page }
    let text = "{ objects(queue: \"\(id(0) as QueueID)\") { time objects { live { \(fields) } } } }"
    let response = await service.job(GraphQLRequest(query: text), ["objects": root]).answer()
    #expect(response.errors.map(\.code) == [.tooLarge])
    #expect(response.data == .null && response.status == 200)
    #expect(response.body.count < 1_000)
  }

  @Test func fieldsAtTheTopShareTheSizeLimit() async {
    let page = page(objects: objects(1, bytes: ProtocolLimits.pageBytes * 5 / 4), awaiting: 0)
    let root = GraphQLResolver(listing: { (_: DeltaRequest) in
      [DeltaAnswer(queue: QueueID(high: 0, low: 1), time: .zero, result: .page(page))]
    })
    func answer(_ count: Int) async -> GraphQLResponse {
      let selection = "delta(queues: []) { page { objects { live { a: content b: content } } } }"
      let text = "{ \((0..<count).map { "a\($0): \(selection)" }.joined(separator: " ")) }"
      return await service.job(GraphQLRequest(query: text), ["delta": root]).answer()
    }
    let one = await answer(1)
    #expect(one.errors == [] && one.body.count <= ProtocolLimits.answerBytes)
    #expect(await answer(2).body.count <= ProtocolLimits.answerBytes)
    #expect(await answer(2).errors == [])
    #expect(await answer(3).errors.map(\.code) == [.tooLarge])
  }
}
