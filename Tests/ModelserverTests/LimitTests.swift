// Tests that every limit holds, and is reported with an error of the protocol.

import Foundation
import ModelSupport
import MomentsModels
import NIOCore
import SampleIDs
import SyncProtocol
import Testing
import WireFormat

@testable import modelserver

@Suite struct LimitTests {
  private let anna = Token.make("anna")
  private let ben = Token.make("ben")

  private func poll(_ server: LiveServer, _ token: String) async throws -> Reply {
    try await server.call(.changed, server.waitingPoll(token), token: token)
  }

  private func answer(to text: String, of server: LiveServer) throws -> String {
    let connection = try RawConnection(server.url)
    connection.send(text)
    return connection.rest()
  }

  /// A request for another protocol, as curl asks for HTTP/2, is answered in HTTP/1.1. Then the connection ends,
  /// because nothing behind the request would be read.
  @Test(arguments: [
    "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n", "Connection: upgrade\r\nUpgrade: websocket\r\n",
  ])
  func answersAnUpgradeAndClosesTheConnection(fields: String) throws {
    let server = try LiveServer([])
    let request = "GET /health HTTP/1.1\r\nHost: x\r\n"
    let plain = try answer(to: request + "\r\n" + request + "Connection: close\r\n\r\n", of: server)
    #expect(plain.components(separatedBy: "200 OK").count == 3)
    let answer = try answer(to: request + fields + "\r\n" + request + "\r\n", of: server).lowercased()
    #expect(answer.hasPrefix("http/1.1 200 ok") && answer.contains("connection: close\r\n"))
    #expect(answer.components(separatedBy: "200 ok").count == 2, "what comes behind it would not be understood")
  }

  @Test func polls() async throws {
    let server = try LiveServer(["--max-polls", "3", "--max-polls-per-user", "2"])
    try await server.commit([.init(1, OperationChanges(members: [.follow(.user("ben"))]))], token: anna)
    async let first = poll(server, anna)
    async let second = poll(server, anna)
    try await server.waitForPolls(2)
    let refused = try await poll(server, anna)
    #expect(refused.summary == "200 TOO_MANY_REQUESTS" && refused.fields["retry-after"] == "1")
    async let third = poll(server, ben)
    try await server.waitForPolls(3)
    #expect(try await poll(server, ben).summary == "200 TOO_MANY_REQUESTS")
    // A commit wakes all polls, and there is room again.
    try await server.commit([.create(1, "a", operation: 2)], token: anna)
    for reply in try await [first, second, third] {
      #expect(try SyncCall.changed.answer(reply.bytes).places.contains { $0.queue == .queue })
    }
    #expect(try await server.metric("modelserver_parked_polls") == 0)
  }

  /// Connections that send nothing are strangers. Too many are closed, and users still get in.
  @Test func strangers() async throws {
    // They are not closed for their silence, however slow the machine is.
    let server = try LiveServer(
      ["--max-strangers", "2", "--token-time", "3s", "--header-time", "1h", "--idle-time", "1h"])
    let known = try RawConnection(server.url)
    let body = SyncCall.changed.body(ChangedRequest(sums: nil, waitSeconds: 0))
    known.post(body, anna)
    #expect(known.text(through: "\"places\":[]").hasPrefix("HTTP/1.1 200"))
    let idle = try (0..<4).map { _ in try RawConnection(server.url) }
    var open = 0
    // Strangers beyond the limit stay for three seconds, and are closed some time after that.
    let start = ContinuousClock.now
    while ContinuousClock.now - start < .seconds(3.5) || open > 3 && ContinuousClock.now - start < .seconds(1_800) {
      open = try await server.metric("modelserver_connections") ?? 0
    }
    #expect(open == 3, "two of four strangers stay, and the one that has shown a token")
    #expect(try await server.call(.changed, ChangedRequest(sums: nil, waitSeconds: 0), token: anna).status == 200)
    withExtendedLifetime((known, idle)) {}
  }

  /// A stranger's refusal ends its connection, so that pipelined requests of strangers do not keep others waiting.
  @Test func strangersGetOneRefusal() throws {
    let server = try LiveServer()
    let refused = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
    let answer = try answer(to: String(repeating: refused, count: 3_000), of: server).lowercased()
    #expect(answer.components(separatedBy: "http/1.1 404").count == 2 && answer.contains("connection: close\r\n"))
    let well = "GET /health HTTP/1.1\r\nHost: x\r\n\r\n"
    let answers = try self.answer(to: String(repeating: well, count: 100), of: server)
    #expect(answers.components(separatedBy: "HTTP/1.1 200").count - 1 <= ConnectionState.mostUnanswered)
    // A connection that has shown a token stays, also after a refusal.
    let known = try RawConnection(server.url)
    #expect(request(known, anna) == "HTTP/1.1 200")
    #expect(request(known, "no token") == "HTTP/1.1 401" && request(known, anna) == "HTTP/1.1 200")
  }

  /// One request over a connection of its own, which stays open.
  private func request(_ connection: RawConnection, _ token: String) -> String {
    let body = SyncCall.changed.body(ChangedRequest(sums: nil, waitSeconds: 0))
    connection.post(body, token)
    return String(connection.text(through: "}").prefix(12))
  }

  @Test func boundsConnectionsOfAUser() throws {
    let server = try LiveServer(["--max-connections-per-user", "2"])
    let connections = try (0..<4).map { _ in try RawConnection(server.url) }
    #expect(connections[..<3].map { request($0, anna) } == ["HTTP/1.1 200", "HTTP/1.1 200", "HTTP/1.1 429"])
    #expect(request(connections[0], anna) == "HTTP/1.1 200", "it is counted once")
    #expect(request(connections[3], ben) == "HTTP/1.1 200", "others have their own")
    // As of a proxy: a connection is that of its newest user.
    #expect(request(connections[1], ben) == "HTTP/1.1 200" && request(connections[2], anna) == "HTTP/1.1 200")
    #expect(request(connections[3], anna) == "HTTP/1.1 429")
  }

  @Test func closedConnectionLeavesItsUser() async throws {
    let server = try LiveServer(["--max-connections-per-user", "1"])
    for round in 1...3 {
      do {
        let connection = try RawConnection(server.url)
        #expect(request(connection, anna) == "HTTP/1.1 200", "round \(round)")
      }
      // The server's answers to `metric` come over another port.
      while try #require(try await server.metric("modelserver_connections")) > 0 {}
    }
  }

  @Test func leavingStrangerFreesItsPlace() async throws {
    // It is not closed for its silence, however slow the machine is.
    let server = try LiveServer(
      ["--max-strangers", "1", "--token-time", "1s", "--header-time", "1h", "--idle-time", "1h"])
    for round in 1...3 {
      do {
        let connection = try RawConnection(server.url)
        #expect(try await server.hasStrangers(1), "round \(round): it counts and stays")
        withExtendedLifetime(connection) {}
      }
      try #require(try await server.hasStrangers(0), "round \(round): it has left its place")
    }
  }

  @Test func boundsStrangersByAddressAndInTotal() throws {
    var strangers = Strangers(patience: 0, perAddress: 2, total: 3)
    #expect(["a", "a", "a", "b", "c"].map { strangers.admit($0) } == [true, true, false, true, false])
    strangers.leave("a")
    #expect(strangers.admit("c") && !strangers.admit("a") && strangers.count == 3)
    for address in ["a", "b", "c", "c", "nobody"] { strangers.leave(address) }
    #expect(strangers.count == 0)
    let near = try SocketAddress(ipAddress: "2001:db8:1:2::1", port: 1)
    let far = try SocketAddress(ipAddress: "2001:db8:1:3::1", port: 1)
    let same = try SocketAddress(ipAddress: "2001:db8:1:2:ffff::9", port: 2)
    #expect(Strangers.name(of: near) == Strangers.name(of: same) && Strangers.name(of: near) != Strangers.name(of: far))
  }

  /// A server that listens on `::` sees IPv4 addresses in this form.
  @Test func strangersWithIPv4AddressesAreToldApart() throws {
    let names = try ["::ffff:192.0.2.1", "::ffff:192.0.2.2", "192.0.2.1"].map {
      Strangers.name(of: try SocketAddress(ipAddress: $0, port: 1))
    }
    #expect(names == ["192.0.2.1", "192.0.2.2", "192.0.2.1"])
  }

  /// More polls wait than there are workers, and another request is served all the same.
  @Test func waitingPollsHoldNoWorker() async throws {
    let server = try LiveServer()
    try await server.commit([], token: anna)
    let poll = try await server.waitingPoll(anna)
    try await withThrowingTaskGroup(of: Reply.self) { group in
      for _ in 0..<10 { group.addTask { try await server.call(.changed, poll, token: anna) } }
      try await server.waitForPolls(10)
      let delta = DeltaRequest(queues: [.init(queue: .queue)])
      #expect(try await server.call(.delta, delta, token: anna).summary == "200")
      try await server.commit([.create(1, "a", operation: 2)], token: anna)
      for try await reply in group {
        #expect(try SyncCall.changed.answer(reply.bytes).places.contains { $0.queue == .queue })
      }
    }
  }

  @Test func aClientThatGoesFreesItsPoll() async throws {
    let server = try LiveServer(["--max-polls", "1"])
    try await server.commit([], token: anna)
    let body = SyncCall.changed.body(try await server.waitingPoll(anna), schema: MomentsSchema.name)
    var connection: RawConnection? = try RawConnection(server.url)
    connection?.post(body, anna)
    try await server.waitForPolls(1)
    connection = nil
    try await server.waitForPolls(0)
    _ = connection
  }

  @Test func boundsRequestsPerSecondOfAUser() async throws {
    let server = try LiveServer(["--requests-per-second", "1"])
    let (anna, request) = (anna, ChangedRequest(sums: nil, waitSeconds: 0))
    let summaries = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 1...20 { group.addTask { try await server.call(.changed, request, token: anna).summary } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    // Two are served at once, and one more for each second that passes meanwhile.
    #expect(Set(summaries) == ["200", "429 TOO_MANY_REQUESTS"] && summaries.filter { $0 == "200" }.count >= 2)
    #expect(try await server.call(.changed, request, token: ben).status == 200)
  }

  @Test func bodies() async throws {
    let server = try LiveServer(["--file-megabytes", "1"])
    let large = [UInt8](repeating: 32, count: ProtocolLimits.requestBytes + 1)
    #expect(
      try await server.send("POST", "/graphql", token: anna, LiveServer.graphQL, body: large).summary == "413 TOO_LARGE"
    )
    // A body that does not announce its length is counted as it comes.
    let connection = try RawConnection(server.url)
    let head = RawRequest.head("POST", "/graphql", anna, length: 0)
      .replacingOccurrences(of: "Content-Length: 0", with: "Transfer-Encoding: chunked")
    connection.send(head)
    for _ in 0..<5 { connection.send("100000\r\n" + String(repeating: " ", count: 1 << 20) + "\r\n") }
    let answer = connection.rest()
    #expect(answer.hasPrefix("HTTP/1.1 413") && answer.contains("TOO_LARGE"), "\(answer)")
    try await server.commit([], token: anna)
    let file = [UInt8](repeating: 1, count: 1 << 20)
    let whole = try await server.upload(file + [1], at: 0, of: ContentHash(of: file + [1]), token: anna)
    #expect(whole.summary == "413 TOO_LARGE")
    #expect(try await server.upload(file, at: 0, of: ContentHash(of: file), token: anna).summary == "204")
  }

  @Test func quotas() async throws {
    let server = try LiveServer(["--queue-bytes", "25", "--user-bytes", "15"])
    try await server.commit([.init(1, OperationChanges(members: [.follow(.user("ben"))]))], token: anna)
    func upload(_ text: String, _ token: String, length: Int? = nil) async throws -> Reply {
      var fields = ["Content-Type": "application/partial-upload", "Upload-Offset": "0", "Upload-Complete": "?1"]
      fields["Upload-Length"] = length.map { "\($0)" }
      let path = "/files/\(QueueID.queue)/\(ContentHash(of: Array(text.utf8)))"
      return try await server.send("PATCH", path, token: token, fields, body: Array(text.utf8))
    }
    #expect(try await upload("0123456789", anna).summary == "204")
    #expect(try await upload("a123456789", anna).summary == "507 QUOTA_EXCEEDED")
    #expect(try await upload("a123456789", ben, length: 16).summary == "507 QUOTA_EXCEEDED")
    #expect(try await upload("a123456789", ben, length: -1).summary == "400 BAD_REQUEST")
    #expect(try await upload("a123456789", ben, length: 10).summary == "204")
    #expect(try await upload("b12345", ben).summary == "507 QUOTA_EXCEEDED")
    #expect(try await server.metric(#"modelserver_errors_total{code="QUOTA_EXCEEDED"}"#) == 3)
  }

  @Test func refusesTheLargestContentLength() async throws {
    let server = try LiveServer()
    try await server.commit([], token: anna)
    let head = RawRequest.head("POST", "/graphql", anna, length: .max)
    let fileHead = RawRequest.head("PATCH", "/files/\(QueueID.queue)/\(ContentHash(of: [1]))", anna, length: .max)
      .replacingOccurrences(of: "application/json", with: "application/partial-upload\r\nUpload-Offset: 0")
    for text in [head, fileHead] {
      let answer = try answer(to: text, of: server)
      #expect(answer.hasPrefix("HTTP/1.1 413") && answer.contains("TOO_LARGE"), "\(answer)")
    }
  }

  /// Only bytes that came count against the memory for bodies, so announced bodies keep nobody out.
  @Test func announcedBodyTakesNoMemory() async throws {
    let server = try LiveServer(["--body-megabytes", "16"])
    let head = RawRequest.head(
      "POST", "/graphql", anna, length: ProtocolLimits.requestBytes, more: "Expect: 100-continue\r\n")
    let connections = try (0..<5).map { _ in try RawConnection(server.url) }
    for connection in connections {
      connection.send(head)
      // The server reads the body from here on.
      let answer = connection.text(through: "\r\n\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 100"), "\(answer)")
    }
    #expect(try await server.call(.commit, .birth(of: .queue), token: ben).summary == "200")
    _ = connections
  }

  /// A waiting poll takes none of the memory for bodies, however large its body was.
  @Test func waitingPollTakesNoMemoryForItsBody() async throws {
    let server = try LiveServer(["--body-megabytes", "16"])
    try await server.commit([], token: anna)
    let poll = SyncCall.changed.body(try await server.waitingPoll(anna), schema: MomentsSchema.name)
    let body = poll + [UInt8](repeating: 0x20, count: ProtocolLimits.requestBytes - poll.count)
    let anna = anna
    try await withThrowingTaskGroup(of: String.self) { group in
      // One after the other, because a body counts while it is read.
      for count in 1...4 {
        group.addTask { try await server.send("POST", "/graphql", token: anna, LiveServer.graphQL, body: body).summary }
        try await server.waitForPolls(count)
      }
      try await server.commit([.create(1, "a", operation: 1)], token: anna)
      for try await summary in group { #expect(summary == "200") }
    }
  }

  @Test func timesOutSlowHeadsAndBodies() async throws {
    let server = try LiveServer(["--header-time", "1s", "--body-time", "1s", "--idle-time", "3s"])
    let timeout = "HTTP/1.1 408"
    let head = try RawConnection(server.url)
    head.send("POST /graphql HTTP/1.1\r\nHost: ")
    let answer = head.rest()
    #expect(answer.hasPrefix(timeout) && answer.contains("REQUEST_TIMEOUT"), "\(answer)")
    let body = try RawConnection(server.url)
    body.send(RawRequest.head("POST", "/graphql", anna, length: 10) + "{")
    #expect(body.rest().hasPrefix(timeout))
    let idle = try RawConnection(server.url)
    #expect(idle.rest() == "", "nobody asked, so nobody is answered")
    // A connection that was answered, and sends nothing more.
    let kept = try RawConnection(server.url)
    kept.send("GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(kept.rest().hasPrefix("HTTP/1.1 200"))
  }

  @Test func refusesTextThatIsNotHTTP() async throws {
    let server = try LiveServer()
    for text in ["HELLO\r\n\r\n", "GET / HTTP/1.1\r\nX: " + String(repeating: "x", count: 100_000) + "\r\n\r\n"] {
      let answer = try answer(to: text, of: server)
      #expect(answer.hasPrefix("HTTP/1.1 400") && answer.contains("BAD_REQUEST"), "\(answer)")
    }
  }

  /// A request without a valid host, or with two, is refused (RFC 9112, section 3.2).
  @Test(arguments: ["", "Host: a\r\nHost: b\r\n", "Host: a/b\r\n", "Host: a b\r\n", "Host: \u{e4}\r\n"])
  func refusesRequestsWithoutOneValidHost(fields: String) throws {
    let server = try LiveServer()
    let answer = try answer(to: "GET /health HTTP/1.1\r\n\(fields)\r\n", of: server)
    #expect(answer.hasPrefix("HTTP/1.1 400") && answer.contains("BAD_REQUEST"), "\(answer)")
  }

  /// HTTP/1.0, as `ab` and old proxies speak it. The connection ends after the answer.
  @Test func answersHTTP10Requests() throws {
    let server = try LiveServer()
    #expect(try answer(to: "GET /health HTTP/1.0\r\n\r\n", of: server).hasPrefix("HTTP/1.1 200"))
    #expect(try answer(to: "GET /health HTTP/1.0\r\nHost: [::1]:80\r\n\r\n", of: server).hasPrefix("HTTP/1.1 200"))
  }

  @Test func connections() async throws {
    let server = try LiveServer(["--max-connections", "1"])
    var first: RawConnection? = try RawConnection(server.url)
    first?.send("GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(first?.text(through: "}").contains("200") == true)
    // The second connection waits until the first has gone.
    let second = try RawConnection(server.url)
    second.send("GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    #expect(try await server.metric("modelserver_connections") == 1)
    first = nil
    #expect(second.rest().hasPrefix("HTTP/1.1 200"))
  }
}
