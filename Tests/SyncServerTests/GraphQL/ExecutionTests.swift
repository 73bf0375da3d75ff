import Foundation
import GraphQL
import JSON
import SyncProtocol
// Tests of answers: only the selected fields, in their order, and errors beside them.
import SyncServer
import TestSupport
import Testing
import WireFormat

@Suite struct ExecutionTests {
  /// The values of the fields at the top.
  static let root: JSONValue = [
    "changed": [
      "time": "7", "ranges": [.number("3"), .number("5")],
      "places": [["queue": "q", "grant": "g", "head": "9"]],
    ],
    "delta": [
      [
        "queue": "q", "time": "7", "refusal": .null,
        "page": [
          "grant": "g", "head": "9", "cursor": "9", "scan": .null,
          "objects": [
            [
              "id": "a", "revision": "8",
              "live": ["type": "photo", "content": "AA==", "newestBy": .null, "createdBy": "u"],
            ],
            ["id": "b", "revision": "9", "live": .null],
          ],
          "end": ["outcomes": [], "retention": "0", "digest": ["live": "1", "sum": "5"]],
        ],
      ],
      ["queue": "r", "time": "7", "page": .null, "refusal": ["reason": "REVOKED", "outcomes": .null]],
      ["queue": "broken", "time": "7", "page": ["grant": "g", "cursor": "9", "objects": [.null]]],
    ],
    "objects": ["time": "7", "history": .null],
  ]

  struct Case: Sendable {
    var query: String
    var variables: JSONValue

    init(_ query: String, _ variables: JSONValue = [:]) {
      self.query = query
      self.variables = variables
    }
  }

  static let cases: [Case] = [
    Case("query($a: Boolean!) { x: __typename @skip(if: $a) y: __typename @include(if: $a) }", ["a": .bool(true)]),
    Case("query($a: Boolean!) { x: __typename @skip(if: $a) y: __typename @include(if: $a) }", ["a": .bool(false)]),
    Case("query($a: Boolean = true) { x: __typename @skip(if: $a) y: __typename }"),
    Case("query($w: Int) { changed(waitSeconds: $w) { time } }"),
    Case("query($w: Int) { changed(waitSeconds: $w) { time } }", ["w": .number("5"), "unknown": .null]),
    Case("query($s: Base64) { changed(sums: $s) { b: ranges a: time } }"),
    Case("query($s: Base64) { changed(sums: $s) { places { head } } }", ["s": .null]),
    Case("query($q: [DeltaInput!]!) { delta(queues: $q) { b: queue a: time } }", ["q": []]),
    Case("query($q: [DeltaInput!]!) { delta(queues: $q) { queue } }", ["q": ["queue": "q"]]),
    Case(
      """
      { delta(queues: []) { page { objects { live { type } } } ...f page { objects { id } head } } }
      fragment f on DeltaAnswer { queue page { objects { live { content type } } } }
      """),
    Case("{ delta(queues: []) { refusal { reason outcomes { at } } page { scan { id } end { digest { sum } } } } }"),
    Case("{ changed { time @skip(if: true) } }"),
    Case("{ delta(queues: []) { __typename page { __typename objects { __typename } } } }"),
    // A missing value that may not be null makes its parent null, up to the next one that may be null.
    Case("{ objects(queue: \"q\") { time history } }"),
    Case("{ delta(queues: []) { queue page { grant objects { id } } } }"),
    Case("{ changed { time } delta(queues: []) { a: page { b: head } c: page { cursor } queue } }"),
    Case("{ changed { time } objects(queue: \"q\") { head } }"),
    // With missing or wrong variables nothing is executed.
    Case("query($a: Boolean!) { x: __typename @skip(if: $a) }"),
    Case("query($a: Boolean!) { x: __typename @skip(if: $a) }", ["a": .null]),
    Case("query($a: Boolean!) { x: __typename @skip(if: $a) }", ["a": "yes"]),
    Case("query($w: Int) { changed(waitSeconds: $w) { time } }", ["w": .number("5.5")]),
    Case("query($w: Int) { changed(waitSeconds: $w) { time } }", ["w": .number("2147483648")]),
    Case("query($q: [DeltaInput!]!) { delta(queues: $q) { queue } }", ["q": [.null]]),
    Case("query($q: [DeltaInput!]!) { delta(queues: $q) { queue } }", ["q": [[:]]]),
    Case("query($q: [DeltaInput!]!) { delta(queues: $q) { queue } }", ["q": [["queue": "q", "new": "x"]]]),
  ]

  /// Data and the paths of errors are the same as those of the reference implementation.
  @Test func theReferenceImplementationAnswersTheSame() async throws {
    let plain = Documents.valid.filter { !$0.contains("$") && !$0.contains("query B") && !$0.contains("mutation") }
    let cases = Self.cases + plain.map { Case($0) }
    let judged = try Reference.run(
      "execute", cases.map { ["query": .string($0.query), "variables": $0.variables, "root": Self.root] })
    guard let judged else { return }
    #expect(judged.count == cases.count)
    var (whole, partial, none) = (0, 0, 0)
    for (index, sample) in cases.enumerated() {
      let (query, variables) = (sample.query, sample.variables)
      guard case .object(let members) = variables else { continue }
      let response = await Self.answer(GraphQLRequest(query: query, variables: members))
      #expect(response.data ?? .null == judged[index]["data"], "\(query) \(variables)")
      let paths = JSONValue.array(response.errors.map { $0.path.isEmpty ? .null : .array($0.path) })
      #expect(paths == judged[index]["paths"], "\(query) \(variables)")
      switch response.data {
      case nil: none += 1
      case .null?: partial += 1
      default: whole += 1
      }
    }
    #expect(whole > 10 && partial > 1 && none > 5)
  }

  @Test(arguments: [
    (#"{"query": "{ __typename }"}"#, 200, 200, #"{"data":{"__typename":"Query"}}"#),
    ("NONSENSE", 400, 400, nil), (#"{"qeury": "{__typename}"}"#, 400, 400, nil), (#"{"query": 5}"#, 400, 400, nil),
    (#"{"query": "{__typename}", "variables": [7]}"#, 400, 400, nil), (#"{"query": "{"}"#, 400, 200, nil),
    (#"{"query": "{a}"}"#, 400, 200, nil), (#"{"query": "query A{__typename}", "operationName": "B"}"#, 400, 200, nil),
    (
      #"{"query": "query A{a:__typename} query B{b:__typename}", "operationName": "B", "variables": null}"#, 200, 200,
      #"{"data":{"b":"Query"}}"#
    ),
    (#"{"query": "query A{__typename} query B{__typename}"}"#, 400, 200, nil),
    (#"{"query": "mutation{__typename}", "extensions": {}}"#, 200, 200, #"{"data":{"__typename":"Mutation"}}"#),
    ("[]", 400, 400, nil), ("", 400, 400, nil),
  ])
  func answersEachBodyWithItsStatus(body: String, status: Int, legacyStatus: Int, expected: String?) async {
    let response = await GraphQLService(schema: .sync).answer(Array(body.utf8), [:])
    #expect(response.status == status && response.legacyStatus == legacyStatus)
    let text = String(decoding: response.body, as: UTF8.self)
    if let expected { #expect(text == expected) } else { #expect(text.hasPrefix(#"{"errors":[{"message":"#)) }
  }

  @Test func nullVariableDoesNotTakeItsDefault() async {
    let query = "query($w: Int) { changed(waitSeconds: $w) { time } }"
    let given = await Self.answer(
      GraphQLRequest(query: query, variables: [JSONValue.Member("w", .null)]))
    #expect(given.errors == [GraphQLError(.badUserInput, "`$w` is null.")])
    let absent = await Self.answer(GraphQLRequest(query: query))
    #expect(absent.errors == [])
  }

  @Test func aBodyThatIsTooLargeIsNotRead() async {
    let body = [UInt8](repeating: 0x20, count: ProtocolLimits.requestBytes + 1)
    #expect(await GraphQLService(schema: .sync).answer(body, [:]).status == 413)
  }

  @Test func aDocumentThatIsTooLargeIsNotRead() async {
    func answer(_ count: Int) async -> GraphQLResponse {
      await Self.answer(GraphQLRequest(query: "{ __typename }" + String(repeating: "#", count: count - 14)))
    }
    #expect(await answer(64 << 10).data == ["__typename": "Query"])
    #expect(await answer((64 << 10) + 1).errors.map(\.code) == [.validationFailed])
  }

  @Test func callsAndAnswersArriveUnchanged() async throws {
    let request = CommitRequest(
      queue: id(1), grant: id(3),
      mutations: [
        CommitRequest.Mutation(operation: id(5), firstSent: .zero, attempt: 7, changes: [1, 2, 3], isVoid: true)
      ])
    let outcome = OperationOutcome(operation: id(5), status: .voided, at: 4, attempt: 7)
    let decided = CommitAnswer.Decided(grant: id(3), role: .reader, outcomes: [outcome])
    let answer = CommitAnswer(time: .zero, result: .decided(decided))
    let root = GraphQLResolver { (received: CommitRequest) in
      guard received == request else { throw RequestError(.badRequest, "\(received)") }
      return answer
    }
    let response = await GraphQLService(schema: .sync).answer(SyncCall.commit.body(request), ["commit": root])
    #expect(response.status == 200)
    #expect(try SyncCall.commit.answer(response.body) == answer)
  }

  @Test func errorsNameTheirFieldAndHideInternals() async throws {
    struct Secret: Error {}
    let busy = GraphQLResolver { (_: ChangedRequest) -> ChangedAnswer in throw RequestError(.unavailable, "busy") }
    let broken = GraphQLResolver { (_: ChangedRequest) -> ChangedAnswer in throw Secret() }
    let body = SyncCall.changed.body(ChangedRequest(sums: nil, waitSeconds: 0))
    let first = await GraphQLService(schema: .sync).answer(body, ["changed": busy])
    #expect(
      String(decoding: first.body, as: UTF8.self)
        == #"{"errors":[{"message":"busy","locations":[{"line":2,"column":3}],"path":["changed"],"#
        + #""extensions":{"code":"UNAVAILABLE"}}],"data":null}"#)
    #expect(first.status == 200)
    let second = await GraphQLService(schema: .sync).answer(body, ["changed": broken])
    #expect(second.errors.map(\.code) == [.internalServerError])
    #expect(!String(decoding: second.body, as: UTF8.self).contains("Secret"))
  }

  @Test func codesOfGraphQLAreCodesOfTheProtocol() {
    for code in [GraphQLError.Code.parseFailed, .validationFailed, .badUserInput, .tooLarge, .internalServerError] {
      #expect(RequestError.Code(rawValue: code.name).map { GraphQLError.Code($0) } == code)
    }
  }

  @Test func nothingIsExecutedBeforeAllArgumentsAreRead() async {
    let root = GraphQLResolver { (request: CommitRequest) -> CommitAnswer in
      Issue.record("\(request) was executed")
      throw RequestError(.unavailable, "")
    }
    let text = """
      mutation {
        a: commit(queue: "00010203-0405-4607-8809-0a0b0c0d0e0f", mutations: []) { time }
        b: commit(queue: "nothing", mutations: []) { time }
      }
      """
    let response = await GraphQLService(schema: .sync).job(GraphQLRequest(query: text), ["commit": root]).answer()
    #expect(response.status == 400)
    #expect(response.errors.map(\.message) == ["`commit`: `queue` has a value that is not allowed."])
    #expect(response.errors.map(\.code) == [.badUserInput])
  }

  @Test(
    arguments: [
      ("{", "it is not JSON"), ("[]", "it is not a JSON object"), ("{}", "`query` is missing"),
      (#"{"query":1}"#, "`query` is not a string"), (#"{"query":"{}","variables":[]}"#, "`variables` is not an object"),
      (#"{"query":"{}","extensions":{"syncUser":1}}"#, "`extensions.syncUser` has the wrong type"),
      (#"{"query":"{}","extensions":{"syncUser":"anna"}}"#, "`extensions.syncUser` has a value that is not allowed"),
    ])
  func explainsWhyABodyIsNoRequest(body: String, reason: String) async {
    let response = await GraphQLService(schema: .sync).answer(Array(body.utf8), [:])
    #expect(response.errors.map(\.message) == ["The body is not a GraphQL request: \(reason)."])
    #expect(response.status == 400)
  }

  static func answer(_ request: GraphQLRequest) async -> GraphQLResponse {
    var roots: [String: GraphQLResolver] = [:]
    for name in ["changed", "delta", "objects"] {
      roots[name] = GraphQLResolver(prepare: { _ in { { Self.root[name] ?? .null } } })
    }
    return await GraphQLService(schema: .sync).job(request, roots).answer()
  }

  private func id<Object>(_ number: UInt64) -> ObjectID<Object> { ObjectID(UUIDValue(high: 0, low: number)) }
}
