// Tests of compressed requests and answers of the real server.

import Foundation
import SyncProtocol
import TestSupport
import Testing
import WireFormat

@Suite struct CompressedBodyTests {
  /// A body of `size` bytes that asks for nothing: the rest is spaces.
  private static func poll(of size: Int) -> [UInt8] {
    let text = Array(GraphQLTests.poll.utf8)
    return text + Array(repeating: UInt8(ascii: " "), count: size - text.count)
  }

  private func post(_ server: LiveServer, _ body: [UInt8], _ coding: String?) async throws -> Reply {
    var fields = LiveServer.graphQL
    fields["Content-Encoding"] = coding
    return try await server.send("POST", "/graphql", token: Token.make("anna"), fields, body: body)
  }

  @Test func compressedRequestIsRead() async throws {
    let server = try LiveServer()
    let body = try #require(Gzip.compress(Self.poll(of: 100_000)))
    #expect(try await post(server, body, "gzip").summary == "200")
    #expect(try await post(server, body, "GZip").summary == "200")
    #expect(try await post(server, Array(body.dropLast()), "gzip").summary == "400 BAD_REQUEST")
    #expect(try await post(server, body, nil).summary == "400 BAD_REQUEST")
    for coding in ["br", "deflate", "gzip, gzip"] {
      let refused = try await post(server, body, coding)
      #expect(refused.summary == "415 UNSUPPORTED_MEDIA_TYPE" && refused.fields["accept-encoding"] == "gzip")
    }
  }

  /// The limit is of the bytes before they are compressed, and refused bodies leave no memory taken.
  @Test func bombIsTooLarge() async throws {
    let server = try LiveServer()
    let piece = try #require(Gzip.compress(Self.poll(of: 2 << 20)))
    #expect(try await post(server, piece, "gzip").summary == "200")
    let bomb = try compressedZeros(megabytes: 64)
    #expect(bomb.count < 100_000)
    for _ in 0..<20 { #expect(try await post(server, bomb, "gzip").summary == "413 TOO_LARGE") }
    #expect(try await post(server, Self.poll(of: 4 << 20), nil).summary == "200")
  }

  @Test func answerIsCompressedWhereTheRequestAllowsIt() async throws {
    let server = try LiveServer()
    let anna = Token.make("anna")
    let text = String(repeating: "a long text, ", count: 1_000)
    try await server.commit([.create(1, text, operation: 1)], token: anna)
    let question =
      #"{"query":"{objects(queue:\"\#(QueueID.queue)\"){objects{live{content}}}}","extensions":{"syncSchema":"Moments"}}"#
    let sizes = ["gzip", "identity", "gzip;q=0, *;q=0.5", "br, *"].map { coding in
      let connection = try? RawConnection(server.url)
      connection?.send(
        "POST /graphql HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(anna)\r\nContent-Type: application/json\r\n"
          + "Accept-Encoding: \(coding)\r\nConnection: close\r\nContent-Length: \(question.utf8.count)\r\n\r\n\(question)"
      )
      let answer = connection?.rest().lowercased() ?? ""
      return (answer.utf8.count, answer.contains("content-encoding: gzip"))
    }
    #expect(sizes.map { $0.1 } == [true, false, false, true])
    #expect(sizes[0].0 < sizes[1].0 / 5 && sizes[2].0 >= sizes[1].0 - 10)
  }

  private func compressedZeros(megabytes: Int) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let script = "head -c \(megabytes << 20) /dev/zero | gzip -9 > bomb.gz"
    let run = try Program(url: URL(filePath: "/bin/sh")).run(["-c", script], in: folder.url)
    #expect(run.status == 0)
    return [UInt8](try Data(contentsOf: folder.url("bomb.gz")))
  }
}
