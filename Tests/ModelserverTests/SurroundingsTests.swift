// Tests that problems around a server are reported to its operator: too little disk, a clock that has gone back.

import Foundation
import GRDB
import TestSupport
import Testing

@Suite struct SurroundingsTests {
  private func waitForLog(_ words: String, of server: LiveServer) async throws {
    while try !server.program.errors().contains(words) { _ = try await server.send("GET", "/health") }
  }

  @Test func reportsANearlyFullDisk() async throws {
    // More than any disk has.
    let server = try LiveServer(["--least-free-megabytes", "100000000"])
    for isOperator in [false, true] {
      let reply = try await server.send("GET", "/ready", toOperatorPort: isOperator)
      #expect(reply.summary == "503 UNAVAILABLE" && reply.text.contains("The disk is nearly full: "))
      #expect(try await server.send("GET", "/health", toOperatorPort: isOperator).status == 200, "it is alive")
    }
    #expect(try #require(await server.metric("modelserver_disk_free_bytes")) > 0)
    try await waitForLog("The disk is nearly full: ", of: server)
  }

  @Test func healthyServerIsReadyAndLogsNothing() async throws {
    let server = try LiveServer(["--least-free-megabytes", "1"])
    for isOperator in [false, true] {
      #expect(try await server.send("GET", "/ready", toOperatorPort: isOperator).status == 200)
    }
    #expect(server.stop() == 0)
    #expect(try server.program.errors() == "", "a server that is well says nothing")
  }

  @Test func reportsAClockThatWasSetBack() async throws {
    let folder = try TemporaryFolder()
    let server = try LiveServer(in: folder)
    #expect(server.stop() == 0)
    let database = try DatabaseQueue(path: folder.url("team.sqlite").path)
    try await database.write { try $0.execute(sql: "UPDATE clock SET newest = newest + 86400000") }
    try database.close()
    try await waitForLog("seconds behind the newest time", of: LiveServer(in: folder))
  }
}
