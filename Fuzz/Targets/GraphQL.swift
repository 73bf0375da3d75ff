// The fuzz target of the server's GraphQL: any bytes give an answer that clients can read.

import GraphQL
import JSON
import SyncProtocol
import SyncServer
import WireFormat

/// Answers `bytes` as the body of a request, or else as a document with variables of every name that clients use.
public func fuzzGraphQL(_ bytes: UnsafeRawBufferPointer) {
  var body = Array(bytes)
  if (try? GraphQLRequest(body: body)) == nil {
    body = GraphQLRequest(query: String(decoding: bytes, as: UTF8.self), variables: variables).body
  }
  let asked = body
  let answered = InlineExecutor.run { await GraphQLService(schema: .sync).answer(asked, roots) }
  guard let answer = try? JSONValue(parsing: answered.body) else {
    preconditionFailure("the answer is no JSON")
  }
  precondition(answered.hasData == (answer["data"] != nil), "the body is not the answer")
  precondition(!answered.errors.isEmpty || answer["data"]?.isNull == false, "an answer without data and without error")
  precondition((answered.status == 200) == answered.hasData, "the status is not that of the answer")
  let again = InlineExecutor.run { await GraphQLService(schema: .sync).answer(asked, roots) }
  precondition(again.body == answered.body, "the same request has another answer")
}

private let queue = QueueID(UUIDValue(high: 0x4000, low: 1 << 63 | 2))
private let grant = GrantID(queue.rawValue)
private let object = ObjectState(
  id: .bound(to: queue, chosen: 1), revision: 3,
  live: ObjectState.Live(
    type: "note", content: [1, 2, 3], newestBy: -1, system: SystemFields(createdBy: UserID(queue.rawValue), at: .zero)))
private let deleted = ObjectState(id: .bound(to: queue, chosen: 2), revision: 4, live: nil)

private let roots: [String: GraphQLResolver] = [
  "commit": GraphQLResolver { (request: CommitRequest) in
    if request.grant == nil { throw RequestError(.unavailable, "Not now.") }
    return CommitAnswer(time: .zero, result: .refused(.noQueue))
  },
  "delta": GraphQLResolver(listing: { (request: DeltaRequest) in
    request.queues.map { queue in
      let page = DeltaPage(grant: grant, role: .writer, head: 4, cursor: 4, objects: [object, deleted])
      return DeltaAnswer(queue: queue.queue, time: .zero, result: queue.scan == nil ? .page(page) : .refused(.noQueue))
    }
  }),
  "changed": GraphQLResolver { (request: ChangedRequest) in
    guard let sums = request.sums else { return ChangedAnswer(time: .zero, ranges: [], places: []) }
    let place = ChangedAnswer.Head(queue: queue, grant: grant, head: 4)
    return ChangedAnswer(time: .zero, ranges: [sums.range(of: queue)], places: [place])
  },
  "commits": GraphQLResolver(listing: { (request: CommitsRequest) in
    request.commits.map { commit in
      let decided = CommitAnswer.Decided(
        grant: GrantID(commit.queue.rawValue), role: .owner, outcomes: [])
      return CommitAnswer(time: .zero, result: .decided(decided))
    }
  }),
  "objects": GraphQLResolver { (request: ObjectsRequest) in
    if request.cursor == 7 { throw RequestError(.reset, "Begin again.") }
    return ObjectsPage(time: .zero, history: HistoryID(queue.rawValue), head: 4, cursor: 4, objects: [object, deleted])
  },
]

private let variables: [JSONValue.Member] = [
  JSONValue.Member("queue", .id(queue)), JSONValue.Member("history", .id(queue)), JSONValue.Member("grant", .id(queue)),
  JSONValue.Member("cursor", .int64(6)), JSONValue.Member("limit", .count(5)),
  JSONValue.Member("waitSeconds", .count(1)), JSONValue.Member("sums", .base64(PlaceSums(forQueues: 1).bytes)),
  JSONValue.Member("types", .list(texts: ["note"])),
  JSONValue.Member("queues", [["queue": .id(queue), "cursor": .int64(1)]]), JSONValue.Member("mutations", []),
  JSONValue.Member("scan", ["newestBy": .int64(1), "id": .id(queue)]), JSONValue.Member("yes", .bool(true)),
]
