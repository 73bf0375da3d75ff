// Tests of answers that a client does not read: a late reader still gets all of an answer, and other users are served.

import Foundation
import SampleIDs
import SyncProtocol
import TestSupport
import Testing
import WireFormat

@Suite struct UnreadAnswerTests {
  private let anna = Token.make("anna")
  private let ben = Token.make("ben")

  /// A request with an answer of 5.3 MB: one object of 1 MB, four times, in base64. Two such answers take a user's
  /// share of the smallest memory.
  private let body: String = {
    let delta = #"delta(queues: [{queue: "\#(QueueID.queue)"}]) { page { objects { live { content } } } }"#
    let query = "{ " + ["a", "b", "c", "d"].map { "\($0): \(delta) " }.joined() + "}"
    return "{\"query\": \"" + query.replacingOccurrences(of: "\"", with: "\\\"")
      + "\", \"extensions\": {\"syncSchema\": \"Moments\"}}"
  }()

  private func server(_ flags: [String]) async throws -> LiveServer {
    let server = try LiveServer(["--body-megabytes", "16"] + flags)
    try await server.commit([.create(1, String(repeating: "x", count: 1_000_000), operation: 1)], token: anna)
    return server
  }

  private func ask(_ server: LiveServer, _ token: String) async throws -> Reply {
    try await server.send("POST", "/graphql", token: token, LiveServer.graphQL, body: Array(body.utf8))
  }

  /// Sends the request, and reads only the head of its answer.
  private func unread(_ server: LiveServer, isLast: Bool = true) throws -> RawConnection {
    let connection = try RawConnection(server.url, window: 4_096)
    let more = isLast ? "Connection: close\r\n" : ""
    connection.send(RawRequest.head("POST", "/graphql", anna, length: body.utf8.count, more: more) + body)
    let head = connection.text(through: "\r\n\r\n")
    #expect(head.hasPrefix("HTTP/1.1 200"), "\(head)")
    return connection
  }

  @Test func unreadAnswersTakeTheirUsersMemory() async throws {
    let server = try await server(["--body-time", "1h"])
    let connections = [try unread(server), try unread(server)]
    let refused = try await ask(server, anna)
    #expect(refused.summary == "503 UNAVAILABLE" && refused.fields["retry-after"] == "1")
    // Others are served.
    #expect(try await server.call(.commit, .birth(of: .queue(2)), token: ben).summary == "200")
    // A client that reads at last gets all of it, and there is room again.
    let rest = connections[0].rest()
    #expect(rest.utf8.count > 5_000_000 && rest.hasSuffix("]}}]}}"), "\(rest.utf8.count)")
    #expect(try await ask(server, anna).summary == "200")
    _ = connections
  }

  /// Unread answers are cut off. The system takes little of an answer ahead, so the server soon notices a lack of
  /// reads.
  @Test func cutsOffUnreadAnswers() async throws {
    let server = try await server(["--body-time", "3s", "--idle-time", "3s"])
    let connections = [try unread(server), try unread(server)]
    // Waits for both, because there is room for a request as soon as the first is cut off.
    while try await server.metric("modelserver_connections") != 0 {}
    for count in connections.map({ $0.rest().utf8.count }) { #expect(count < 1_000_000) }
    let count = try await ask(server, anna).bytes.count
    #expect(count > 5_000_000)
  }

  @Test func stoppingServerSendsAnswersToTheirEnd() async throws {
    let server = try await server(["--body-time", "1h", "--shutdown-time", "1h"])
    let connection = try unread(server, isLast: false)
    server.program.signal(SIGTERM)
    while (try? await server.send("GET", "/health", toOperatorPort: true).status) == 200 {}
    let rest = connection.rest()
    #expect(rest.utf8.count > 5_000_000 && rest.hasSuffix("]}}]}}"), "\(rest.utf8.count)")
    #expect(server.program.wait() == 0)
  }

  /// Clients such as `nc -N` end their side after the request. They get the whole answer.
  @Test func clientThatEndsSendingGetsTheWholeAnswer() async throws {
    let server = try await server(["--body-time", "1h"])
    let connection = try unread(server, isLast: false)
    connection.endSending()
    let rest = connection.rest()
    #expect(rest.utf8.count > 5_000_000 && rest.hasSuffix("]}}]}}"), "\(rest.utf8.count)")
  }

  @Test func anUnreadFileIsCutOff() async throws {
    let server = try await server(["--body-time", "3s", "--idle-time", "3s"])
    let file = [UInt8](repeating: 1, count: 5_000_000)
    let hash = ContentHash(of: file)
    #expect(try await server.upload(file, at: 0, of: hash, token: anna).summary == "204")
    let connection = try RawConnection(server.url, window: 4_096)
    connection.send(RawRequest.head("GET", "/files/\(QueueID.queue)/\(hash)", anna, length: 0))
    while try await server.metric("modelserver_connections") != 0 {}
    let count = connection.rest().utf8.count
    #expect(count < 1_000_000)
  }
}
