// Tests of GraphQL over HTTP: media types, statuses, tokens, metrics, and the version in every answer.

import Foundation
import ModelSupport
import MomentsModels
import SampleIDs
import SyncProtocol
import TestSupport
import Testing
import WireFormat

@Suite struct GraphQLTests {
  static let good = "application/graphql-response+json"
  static let legacy = "application/json"
  static let poll = #"{"query":"{changed{ranges}}"}"#

  /// Content type, `Accept`, body; then the answer, and its type.
  static let table: [(type: String?, accept: String?, body: String, summary: String, answerType: String)] = [
    (legacy, good, poll, "200", good),
    (legacy, legacy, poll, "200", legacy),
    (legacy, "*/*", poll, "200", good),
    (legacy, "application/*;q=0.5", poll, "200", good),
    (legacy, "\(good);q=0.5, \(legacy)", poll, "200", legacy),
    (legacy, "\(legacy), \(good)", poll, "200", good),
    (legacy, "*/*, \(good);q=0", poll, "200", legacy),
    (legacy, "text/html", poll, "406 NOT_ACCEPTABLE", legacy),
    (legacy, "\(good);q=0, \(legacy);q=0", poll, "406 NOT_ACCEPTABLE", legacy),
    ("application/json; charset=utf-8", good, poll, "200", good),
    ("application/json; charset=latin1", good, poll, "415 UNSUPPORTED_MEDIA_TYPE", legacy),
    ("text/plain", good, poll, "415 UNSUPPORTED_MEDIA_TYPE", legacy),
    (legacy, good, "{", "400 BAD_REQUEST", good),
    (legacy, legacy, "{", "400 BAD_REQUEST", legacy),
    (legacy, good, #"{"query":"{"}"#, "400 GRAPHQL_PARSE_FAILED", good),
    (legacy, legacy, #"{"query":"{"}"#, "200 GRAPHQL_PARSE_FAILED", legacy),
    (legacy, good, #"{"query":"{nothing}"}"#, "400 GRAPHQL_VALIDATION_FAILED", good),
    (legacy, legacy, #"{"query":"{nothing}"}"#, "200 GRAPHQL_VALIDATION_FAILED", legacy),
    (legacy, good, #"{"query":"{changed(waitSeconds:56){ranges}}"}"#, "400 BAD_USER_INPUT", good),
    (
      legacy, good, #"{"query":"{objects(queue:\"0a110000-0000-4000-8000-0000000000ff\"){head}}"}"#, "200 FORBIDDEN",
      good
    ),
  ]

  @Test func choosesMediaTypeAndStatusOfAnswers() async throws {
    let server = try LiveServer(["--requests-per-second", "10000"])
    let anna = Token.make("anna")
    for row in Self.table {
      var fields: [String: String] = [:]
      fields["Content-Type"] = row.type
      fields["Accept"] = row.accept
      let reply = try await server.send("POST", "/graphql", token: anna, fields, body: Array(row.body.utf8))
      #expect(reply.summary == row.summary, "\(row)")
      #expect(reply.fields["content-type"]?.hasPrefix(row.answerType) == true, "\(row)")
      #expect(reply.fields["sync-protocol-version"] == "1")
    }
  }

  @Test func everyAnswerNamesTheVersionTheServerAndItsMethods() async throws {
    let server = try LiveServer()
    let identity = try await server.send("GET", "/health").fields["sync-server"]
    #expect(identity.flatMap { UUIDValue($0) } != nil)
    let paths = [("GET", "/graphql", "POST"), ("POST", "/health", "GET, HEAD"), ("GET", "/nowhere", nil)]
    for (method, path, allow) in paths as [(String, String, String?)] {
      let reply = try await server.send(method, path)
      #expect(reply.fields["sync-protocol-version"] == "1" && reply.fields["allow"] == allow)
      #expect(reply.fields["sync-server"] == identity)
    }
    let refused = try await server.send("POST", "/graphql", LiveServer.graphQL, body: [])
    #expect(refused.fields["www-authenticate"] == "Bearer")
    #expect(try await server.send("GET", "/health").text == #"{"status":"ok","protocolVersion":1}"#)
  }

  @Test func metricsCountRequestsAndHoldNoSecrets() async throws {
    let server = try LiveServer()
    let anna = Token.make("anna")
    var birth = CommitRequest.birth(of: .queue)
    birth.mutations.append(.create(1, "secret text", operation: 1))
    _ = try await server.call(.commit, birth, token: anna)
    _ = try await server.send("GET", "/nowhere")
    _ = try await server.send("GET", "/files/\(QueueID.queue)/\(ContentHash(of: [1]))", token: anna)
    let text = try await server.send("GET", "/metrics", toOperatorPort: true).text
    for line in [
      #"modelserver_requests_total{route="graphql",method="POST",status="200"} 1"#,
      #"modelserver_requests_total{route="none",method="GET",status="404"} 1"#,
      #"modelserver_requests_total{route="files",method="GET",status="404"} 1"#,
      #"modelserver_errors_total{code="NOT_FOUND"} 2"#, #"modelserver_call_seconds_count{call="commit"} 1"#,
    ] { #expect(text.contains(line + "\n"), "\(line) in \(text)") }
    for secret in ["secret text", "anna", "\(QueueID.queue)"] { #expect(!text.contains(secret)) }
    #expect(try server.program.errors() == "", "nothing went wrong, so nothing is said")
  }

  @Test func tokens() async throws {
    let server = try LiveServer(["--issuer", "https://login.example.com"])
    func claims(_ more: String) -> String {
      Token.make("", claims: #"{"sub":"anna","iss":"https://login.example.com","exp":9999999999\#(more)}"#)
    }
    let good = "200"
    let bad = "401 UNAUTHENTICATED"
    let none = #"{"alg":"none","typ":"JWT"}"#
    func header(_ header: String) -> String {
      Token.make("", header: header, claims: #"{"sub":"anna","iss":"https://login.example.com","exp":9999999999}"#)
    }
    let cases: [(String, String)] = [
      (claims(""), good), (claims(#","nbf":1000000000"#), good), (claims(#","nbf":9999999990"#), bad),
      (Token.make("anna"), bad),
      (Token.make("", claims: #"{"iss":"https://login.example.com","exp":9999999999}"#), bad),
      (Token.make("", claims: #"{"sub":"anna","iss":"https://login.example.com"}"#), bad),
      (Token.make("", claims: #"{"sub":"","iss":"https://login.example.com","exp":9999999999}"#), bad),
      (Token.make("", claims: #"{"sub":"anna","iss":"https://other.example.com","exp":9999999999}"#), bad),
      (Token.make("", claims: "{"), bad), ("a.b", bad), ("", bad),
      (claims("").split(separator: ".").prefix(2).joined(separator: ".") + ".", bad),
      (Token.make("anna", secret: "", header: none), bad), (String(repeating: "x", count: 9_000), bad),
      (header(#"{"alg":"HS256"}"#), good), (header(#"{"alg":"HS256","typ":"at+jwt","kid":"1"}"#), good),
      (header(#"{"alg":"HS512"}"#), bad), (header(#"{"alg":"RS256"}"#), bad), (header(none), bad),
      (header(#"{"typ":"JWT"}"#), bad), (header(#"{"alg":"HS256","typ":"JWE"}"#), bad),
      (header(#"{"alg":"HS256","crit":["exp"]}"#), bad), (header("{"), bad), (header("[]"), bad),
      (claims("") + "=", bad), (claims("") + ".x", bad), ("." + claims(""), bad),
    ]
    for (token, expected) in cases {
      let reply = try await server.call(.changed, ChangedRequest(sums: nil, waitSeconds: 0), token: token)
      #expect(reply.summary == expected, "\(token.prefix(80))")
    }
    // The user's id depends on the issuer.
    try await server.commit([], token: claims(""))
    let home = SyncID.homeQueue(
      ofUser: SyncID.user(subject: "anna", issuer: "https://login.example.com"), schema: MomentsSchema.name)
    let delta = try await server.call(.delta, DeltaRequest(queues: [.init(queue: home)]), token: claims(""))
    #expect(delta.summary == "200" && delta.text.contains("sync.membership"))
  }
}
