// Tests of the log as JSON, and of the ids of requests.

import Foundation
import JSON
import Logging
import SyncProtocol
import TestSupport
import Testing
import WireFormat

@testable import modelserver

@Suite struct LogTests {
  @Test func aLineIsJSON() throws {
    let line = JSONLog.line(
      .error, "a \"disk\"\nis full", ["request": "7f", "again": "2"],
      at: Timestamp(millisecondsSince1970: 1_700_000_000_123))
    #expect(
      line
        == #"{"time":"2023-11-14T22:13:20.123Z","level":"error","message":"a \"disk\"\nis full","again":"2","request":"7f"}"#
    )
  }

  @Test func theLogOfAServerIsJSONIfThatIsWanted() async throws {
    let server = try LiveServer([
      "--log", "json", "--jwks", "http://127.0.0.1:1/keys", "--issuer", "i", "--audience", "a",
    ])
    #expect(server.stop() == 0)
    let lines = try server.program.errors().split(separator: "\n")
    #expect(lines.count == 1)
    for line in lines {
      let value = try JSONValue(parsing: Array(line.utf8))
      guard case .object(let members) = value else {
        Issue.record("no object: \(line)")
        return
      }
      #expect(members.map(\.name) == ["time", "level", "message"])
      #expect(line.contains("cannot be read. Connection refused."))
    }
  }

  /// A proxy may name a request; nothing else that it sends gets into the log.
  @Test func everyAnswerNamesItsRequest() async throws {
    let server = try LiveServer()
    let token = Token.make("anna")
    let given = try await server.send("GET", "/health", ["X-Request-Id": "abc-DEF_1.2"])
    #expect(given.fields["x-request-id"] == "abc-DEF_1.2")
    var names: Set<String> = []
    for wrong in ["", "a b", "é", "\"}", String(repeating: "a", count: 65)] {
      let reply = try await server.send("GET", "/files/nothing", token: token, ["X-Request-Id": wrong])
      names.insert(try #require(reply.fields["x-request-id"]))
    }
    #expect(names.count == 5 && names.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{1,16}/) != nil }, "\(names)")
    #expect(server.stop() == 0)
  }
}
