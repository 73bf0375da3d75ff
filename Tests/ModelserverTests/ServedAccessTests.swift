// Tests of the access table of a running server: read at its start, enforced, and read again.

import Foundation
import SyncProtocol
import TestSupport
import Testing
import WireFormat

@Suite struct ServedAccessTests {
  private let anna = Token.make("anna")
  private let ben = Token.make("ben")
  private let cleo = Token.make("cleo")

  /// Holders of `right` may create notes, and every reader may change field 9.
  private func table(_ right: String) -> String {
    """
    { "version": 1, "schema": "Moments", "types": { "note": {
      "create": ["\(right)"], "update": ["owner"], "delete": ["owner"], "fields": { "9": ["reader"] } } } }
    """
  }

  /// Anna owns the queue, ben writes, cleo reads.
  private func server(_ table: String) async throws -> LiveServer {
    let folder = try TemporaryFolder()
    try folder.write("access.json", table)
    try folder.write("other.json", #"{ "version": 1, "schema": "Other", "types": {} }"#)
    let server = try LiveServer(["--access", "access.json", "--access", "other.json"], in: folder)
    let members = OperationChanges(members: [.follow(.user("ben")), .follow(.user("cleo"), as: .reader)])
    try await server.commit([.init(1, members)], token: anna)
    return server
  }

  private func status(
    _ server: LiveServer, _ mutation: CommitRequest.Mutation, _ token: String
  ) async throws -> OperationOutcome.Status? {
    guard case .decided(let decided) = try await server.commit([mutation], token: token) else { return nil }
    return decided.outcomes.first?.status
  }

  @Test func theTableIsEnforcedAndReadAgain() async throws {
    let server = try await server(table("owner"))
    let forbidden = OperationOutcome.Status.rejected(RejectionCode.forbidden)
    #expect(try await status(server, .create(1, "a", operation: 2), ben) == forbidden)
    #expect(try await status(server, .create(1, "a", operation: 3), anna) == .applied)
    // The new table has a mistake, so the table of before stays.
    try server.folder.write("access.json", table("onwer"))
    server.program.signal(SIGHUP)
    while try !server.program.errors().contains("SIGHUP") {
      #expect(try await server.send("GET", "/health").status == 200)
    }
    #expect(try await status(server, .create(2, "b", operation: 4), ben) == forbidden)
    try server.folder.write("access.json", table("reader"))
    server.program.signal(SIGHUP)
    // One line is for the SIGHUP before, which read the secret too.
    for _ in 1...2 { #expect(server.program.line() == "modelserver has read the secret file again; its secrets: 1.") }
    #expect(server.program.line() == "modelserver has read the table of access again; its types: 1.")
    #expect(try await status(server, .create(3, "c", operation: 5), cleo) == .applied)
    server.program.signal(SIGTERM)
    #expect(server.program.wait() == 0)
    let log = try server.program.errors()
    #expect(
      log.contains(
        "--access: access.json is not a table of access. types.note.create[0]: a holder is \"owner\", \"writer\", \"reader\", \"creator\", or an object with `role` and `field`."
      ), "\(log)")
  }

  @Test func readerWithRightToAFieldMayUpload() async throws {
    let server = try await server(table("owner"))
    let bytes = Array("a file".utf8)
    let reply = try await server.upload(bytes, at: 0, of: ContentHash(of: bytes), token: cleo)
    #expect(reply.status == 204)
  }
}
