// Answers that nobody reads: they are whole for whoever reads at last, and keep nobody else out.

import Foundation
import SyncProtocol
import Testing
import WireFormat

@Suite struct UnreadAnswerTests {
  private let anna = Token.make("anna")
  private let ben = Token.make("ben")

  /// 5.3 MB of answer: one object of 1 MB, four times, in base64. Two of these are a user's share of the smallest memory.
  private let body: String = {
    let delta = #"delta(queues: [{queue: "\#(UUIDValue.queue)"}]) { page { objects { live { content } } } }"#
    let query = "{ " + ["a", "b", "c", "d"].map { "\($0): \(delta) " }.joined() + "}"
    return "{\"query\": \"" + query.replacingOccurrences(of: "\"", with: "\\\"") + "\"}"
  }()

  private func server(_ flags: [String]) async throws -> LiveServer {
    let server = try LiveServer(["--body-megabytes", "16"] + flags)
    try await server.commit([.create(1, String(repeating: "x", count: 1_000_000), operation: 1)], token: anna)
    return server
  }

  private func ask(_ server: LiveServer, _ token: String) async throws -> Reply {
    try await server.send("POST", "/graphql", token: token, LiveServer.graphQL, body: Array(body.utf8))
  }

  /// A connection on which the answer has begun.
  private func unread(_ server: LiveServer) throws -> RawConnection {
    let connection = try RawConnection(server.url, window: 4_096)
    connection.send(
      RawRequest.head("POST", "/graphql", anna, length: body.utf8.count, more: "Connection: close\r\n") + body)
    let head = connection.text(through: "\r\n\r\n")
    #expect(head.hasPrefix("HTTP/1.1 200"), "\(head)")
    return connection
  }

  @Test func theyTakeTheirShare() async throws {
    let server = try await server(["--body-time", "1h"])
    let connections = [try unread(server), try unread(server)]
    let refused = try await ask(server, anna)
    #expect(refused.summary == "503 UNAVAILABLE" && refused.fields["retry-after"] == "1")
    // Others are served.
    let commit = CommitRequest(queue: .number(2), mutations: [])
    #expect(try await server.call(.commit, commit, token: ben).summary == "200")
    // Whoever reads at last gets all of it, and there is room again.
    let rest = connections[0].rest()
    #expect(rest.utf8.count > 5_000_000 && rest.hasSuffix("]}}]}}"), "\(rest.utf8.count)")
    #expect(try await ask(server, anna).summary == "200")
    _ = connections
  }

  @Test func theyAreCutOff() async throws {
    let server = try await server(["--body-time", "1s", "--requests-per-second", "10000"])
    let connections = [try unread(server), try unread(server)]
    while try await ask(server, anna).status == 503 {}
    for count in connections.map({ $0.rest().utf8.count }) { #expect(count < 5_000_000) }
    let count = try await ask(server, anna).bytes.count
    #expect(count > 5_000_000)
  }
}
