// Tests of the end of a server: waiting polls are answered, requests under way are finished, and nothing is lost.

import Foundation
import SampleIDs
import SyncProtocol
import TestSupport
import Testing
import WireFormat

@Suite struct ShutdownTests {
  private let anna = Token.make("anna")

  @Test func parkedPollsAreAnsweredAndEverythingIsKept() async throws {
    let server = try LiveServer()
    try await server.commit([.create(1, "a", operation: 1)], token: anna)
    let bytes = Array("a file".utf8)
    let hash = ContentHash(of: bytes)
    #expect(try await server.upload(bytes, at: 0, of: hash, token: anna).summary == "204")
    let half = Array("an upload that goes on".utf8)
    _ = try await server.upload(Array(half.prefix(5)), at: 0, isLast: false, of: ContentHash(of: half), token: anna)

    let request = try await server.waitingPoll(anna)
    async let first = server.call(.changed, request, token: anna)
    async let second = server.call(.changed, request, token: anna)
    try await server.waitForPolls(2)
    #expect(server.stop() == 0)
    for reply in try await [first, second] { #expect(try SyncCall.changed.answer(reply.bytes).ranges == []) }

    let again = try LiveServer(in: server.folder)
    let delta = DeltaRequest(queues: [.init(queue: .queue, cursor: 0, awaiting: [.number(1)])])
    let page = try #require(try await again.page(delta, token: anna))
    #expect(page.objects.count == 2 && page.objects.map(\.id).contains(.object(1)), "it, and the member")
    #expect(page.end?.outcomes.map(\.status) == [.applied])
    #expect(try await again.send("GET", "/files/\(QueueID.queue)/\(hash)", token: anna).bytes == bytes)
    // The server hashes the bytes from before the restart again.
    let rest = try await again.upload(Array(half.dropFirst(5)), at: 5, of: ContentHash(of: half), token: anna)
    #expect(rest.summary == "204")
    #expect(again.stop() == 0)
  }

  @Test func aRequestUnderWayIsFinished() async throws {
    let server = try LiveServer(["--shutdown-time", "1h", "--body-time", "1h"])
    var birth = CommitRequest.birth(of: .queue)
    birth.mutations.append(.create(1, "a", operation: 1))
    let body = SyncCall.commit.body(birth)
    let connection = try RawConnection(server.url)
    connection.send(RawRequest.head("POST", "/graphql", anna, length: body.count, more: "Expect: 100-continue\r\n"))
    // The server has asked for the body, so the request is under way.
    #expect(connection.text(through: "\r\n\r\n").hasPrefix("HTTP/1.1 100"))
    connection.send(String(decoding: body.prefix(10), as: UTF8.self))
    server.program.signal(SIGTERM)
    // The operator's port stays open until the end.
    while try await server.send("GET", "/health", toOperatorPort: true).summary != "503 UNAVAILABLE" {}
    connection.send(String(decoding: body.dropFirst(10), as: UTF8.self))
    let answer = connection.rest()
    #expect(answer.hasPrefix("HTTP/1.1 200") && answer.contains("APPLIED"), "\(answer)")
    #expect(server.program.wait() == 0)
  }

  @Test func secondSignalStopsTheServerAtOnce() async throws {
    let server = try LiveServer(["--shutdown-time", "1h", "--body-time", "1h"])
    let connection = try RawConnection(server.url)
    connection.send(RawRequest.head("POST", "/graphql", anna, length: 100, more: "Expect: 100-continue\r\n"))
    #expect(connection.text(through: "\r\n\r\n").hasPrefix("HTTP/1.1 100"))
    server.program.signal(SIGINT)
    while try await server.send("GET", "/health", toOperatorPort: true).status != 503 {}
    server.program.signal(SIGINT)
    #expect(server.program.wait() == 1)
  }

  @Test func aKilledServerHasLostNothing() async throws {
    let server = try LiveServer()
    for number in 1...20 as ClosedRange<UInt64> {
      try await server.commit([.create(number, "a", operation: number)], token: anna)
    }
    server.program.signal(SIGKILL)
    #expect(server.program.wait() == -SIGKILL)
    let again = try LiveServer(in: server.folder)
    let page = try await again.page(DeltaRequest(queues: [.init(queue: .queue, cursor: 0)]), token: anna)
    #expect(page?.objects.count == 21, "20, and the member")
  }
}

extension LiveServer {
  /// The page of the first queue; nil if it is refused.
  func page(_ delta: DeltaRequest, token: String) async throws -> DeltaPage? {
    let answers = try SyncCall.delta.answer(try await call(.delta, delta, token: token).bytes)
    guard case .page(let page)? = answers.first?.result else { return nil }
    return page
  }

  /// A poll of a user who has read everything, so the poll waits.
  func waitingPoll(_ token: String) async throws -> ChangedRequest {
    var sums = PlaceSums(forQueues: 1)
    let first = ChangedRequest(sums: sums, waitSeconds: 0)
    let places = try SyncCall.changed.answer(try await call(.changed, first, token: token).bytes).places
    if places.isEmpty { throw NotParked(description: "the user has no queue") }
    for place in places { sums.add(place.queue, grant: place.grant, cursor: place.head) }
    return ChangedRequest(sums: sums, waitSeconds: 55)
  }

  /// Asks until `count` polls wait. Throws after 10,000 attempts.
  func waitForPolls(_ count: Int) async throws {
    var last: Int?
    for _ in 0..<10_000 {
      last = try await metric("modelserver_parked_polls")
      if last == count { return }
    }
    throw NotParked(description: "\(last.map { "\($0)" } ?? "no") polls are parked, not \(count)")
  }

  /// Asks until `count` connections count as strangers; false after a minute.
  func hasStrangers(_ count: Int) async throws -> Bool {
    let start = ContinuousClock.now
    while ContinuousClock.now - start < .seconds(60) {
      if try await metric("modelserver_strangers") == count { return true }
    }
    return false
  }

  func metric(_ name: String) async throws -> Int? {
    let text = try await send("GET", "/metrics", toOperatorPort: true).text
    return text.split(separator: "\n").first { $0.hasPrefix(name + " ") }.flatMap { Int($0.dropFirst(name.count + 1)) }
  }
}

/// The reason why a test of polls cannot go on.
struct NotParked: Error, CustomStringConvertible {
  var description: String
}

enum RawRequest {
  /// The head of the first and last part of a file of ten bytes.
  static func partHead(_ path: String, _ token: String) -> String {
    head("PATCH", path, token, length: 10).replacingOccurrences(
      of: "application/json", with: "application/partial-upload\r\nUpload-Offset: 0\r\nUpload-Complete: ?1")
  }

  static func head(_ method: String, _ path: String, _ token: String, length: Int, more: String = "") -> String {
    """
    \(method) \(path) HTTP/1.1\r
    Host: localhost\r
    Authorization: Bearer \(token)\r
    Content-Type: application/json\r
    Content-Length: \(length)\r
    \(more)\r

    """
  }
}
