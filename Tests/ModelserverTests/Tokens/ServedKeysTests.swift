// Tests of the real server with the keys of a sign-in service: in a file, and at a URL.

import Foundation
import SyncProtocol
import TestSupport
import Testing

@testable import modelserver

@Suite struct ServedKeysTests: Sendable {
  private let samples: TokenSamples
  private let good: String
  private static let rules = ["--issuer", TokenSamples.issuer, "--audience", "photos"]

  init() throws {
    samples = try TokenSamples()
    good = try samples.good("RS256")
  }

  private func status(_ server: LiveServer, _ token: String) async throws -> Int {
    try await server.call(.changed, ChangedRequest(sums: nil, waitSeconds: 0), token: token).status
  }

  @Test func keysInAFileAreReadAgainAtSIGHUP() async throws {
    let folder = try TemporaryFolder()
    try folder.write("keys.json", String(decoding: samples.keySet("keys"), as: UTF8.self))
    let server = try LiveServer(["--jwks", "keys.json"] + Self.rules, in: folder)
    #expect(try await status(server, good) == 200)
    #expect(try await status(server, Token.make("anna")) == 401, "the rules hold for secrets too")
    try folder.write("keys.json", String(decoding: samples.keySet("nextKeys"), as: UTF8.self))
    server.program.signal(SIGHUP)
    #expect(server.program.line() == "modelserver has read the secret file again; its secrets: 1.")
    #expect(server.program.line() == "modelserver has read the keys of keys.json again; its keys: 2.")
    #expect(try await status(server, try samples.token("next")) == 200)
    #expect(try await status(server, try samples.good("ES256")) == 401)
    try folder.write("keys.json", "{}")
    server.program.signal(SIGHUP)
    #expect(server.program.line() == "modelserver has read the secret file again; its secrets: 1.")
    #expect(try await status(server, good) == 200)
    server.program.signal(SIGTERM)
    #expect(server.program.wait() == 0)
    let log = try server.program.errors()
    #expect(log.contains("The keys of keys.json cannot be read. It is not a key set") && log.contains("stay in use"))
    for part in good.split(separator: ".") { #expect(!log.contains(part), "nothing of a token is in the log") }
  }

  @Test func keysAtAURLAreFetched() async throws {
    let host = try KeyHost()
    host.publish(samples.keySet("keys"), ["Content-Type: application/json"])
    let server = try LiveServer(["--jwks", host.url] + Self.rules)
    for (name, token) in samples.tokens("good") { #expect(try await status(server, token) == 200, "\(name)") }
    #expect(host.requests == 1)
    host.publish(samples.keySet("nextKeys"))
    server.program.signal(SIGHUP)
    #expect(server.program.line() == "modelserver has read the secret file again; its secrets: 1.")
    #expect(server.program.line() == "modelserver has read the keys of \(host.url) again; its keys: 2.")
    #expect(try await status(server, try samples.token("next")) == 200)
    #expect(try server.program.errors() == "")
    #expect(server.stop() == 0)
  }

  @Test(arguments: [
    ("404 Not Found", "The answer was 404 Not Found."),
    ("302 Found", "It has moved to https://elsewhere.example.com/keys: name that address instead."),
    ("200 OK", "It is not a key set"), ("200 Large", "It has more than 256 kB."),
  ]) func aHostWithoutKeysMakesClientsWait(answer: String, reason: String) async throws {
    let host = try KeyHost()
    let body = answer == "200 Large" ? Array(repeating: UInt8(ascii: " "), count: 1 << 20) : Array("<html>".utf8)
    host.publish(body, status: answer, answer.hasPrefix("302") ? ["Location: https://elsewhere.example.com/keys"] : [])
    let server = try LiveServer(["--jwks", host.url] + Self.rules)
    #expect(try await status(server, good) == 503)
    let log = try server.program.errors()
    #expect(log.contains("The keys of \(host.url) cannot be read. \(reason)"), "\(log)")
    #expect(server.stop() == 0)
  }

  /// It begins an answer and never ends it: that takes ten seconds, and not for ever.
  @Test func aHostThatStallsIsGivenUp() async throws {
    let host = try KeyHost()
    host.publish(samples.keySet("keys"), promising: 1_000)
    let server = try LiveServer(["--jwks", host.url] + Self.rules)
    #expect(try await status(server, Token.make("anna", claims: Self.own)) == 200)
    #expect(try server.program.errors().contains("They did not come within 10 seconds."))
    #expect(server.stop() == 0)
  }

  private static let own = #"{"sub":"anna","exp":9999999999,"iss":"\#(TokenSamples.issuer)","aud":"photos"}"#

  @Test func aHostThatIsDownMakesClientsWait() async throws {
    let server = try LiveServer(["--jwks", "http://127.0.0.1:1/keys"] + Self.rules)
    #expect(try await status(server, good) == 503)
    #expect(try server.program.errors().contains("The keys of http://127.0.0.1:1/keys cannot be read."))
    #expect(server.stop() == 0)
  }
}
