// Tests of a database with damaged pages: the server serves what is whole, and reports the damage to its operator.

import Foundation
import SyncProtocol
import TestSupport
import Testing
import WireFormat

@Suite struct DamageTests {
  /// `isWriter`: a commit notices the damage; otherwise a delta does.
  @Test(arguments: [false, true]) func damagedServerStaysAliveAndTells(isWriter: Bool) async throws {
    let anna = Token.make("anna")
    let folder = try TemporaryFolder()
    let server = try LiveServer(in: folder)
    // Fills more than one page, so that the first page of the table has no text.
    let text = String(repeating: "needle ", count: 1_000)
    try await server.commit((1...20).map { .create($0, text, operation: $0) }, token: anna)
    #expect(server.stop() == 0)
    try damage(folder, pagesWith: "needle")

    let again = try LiveServer(in: folder)
    let delta = DeltaRequest(queues: [.init(queue: .queue)])
    let commit = CommitRequest(queue: .queue, mutations: (1...20).map { .create($0, "text", operation: 100 + $0) })
    let reply =
      try await isWriter ? again.push(commit, token: anna) : again.call(.delta, delta, token: anna)
    #expect(reply.code == "INTERNAL_SERVER_ERROR")
    for isOperator in [false, true] {
      let health = try await again.send("GET", "/health", toOperatorPort: isOperator)
      #expect(health.summary == "200" && health.text.contains(#""status":"damaged""#))
    }
    #expect(try await again.send("GET", "/ready").status == 200)
    #expect(try await again.metric("modelserver_damaged") == 1)
    #expect(try await again.call(.changed, ChangedRequest(sums: nil, waitSeconds: 0), token: anna).status == 200)
    let log = try again.program.errors()
    #expect(log.contains("team.sqlite is damaged: ") && !log.contains("SELECT") && !log.contains("INSERT"), "\(log)")
  }

  /// Overwrites every page that has a text, except the first page of the file.
  private func damage(_ folder: TemporaryFolder, pagesWith text: String) throws {
    var bytes = [UInt8](try Data(contentsOf: folder.url("team.sqlite")))
    let pageSize = Int(bytes[16]) << 8 | Int(bytes[17])
    var count = 0
    for start in stride(from: pageSize, to: bytes.count, by: pageSize) {
      let page = start..<start + pageSize
      guard Data(bytes[page]).range(of: Data(text.utf8)) != nil else { continue }
      bytes.replaceSubrange(page, with: [UInt8](repeating: 0xFF, count: pageSize))
      count += 1
    }
    #expect(count > 1)
    try folder.write("team.sqlite", bytes: bytes)
  }
}
