// Tests of the commands that are about one user: `queues`, `members`, `export` and `forget`.

import Foundation
import JSON
import SyncProtocol
import TestSupport
import Testing
import WireFormat

@Suite struct UserCommandTests {
  private func run(_ server: LiveServer, _ arguments: String...) throws -> Program.Outcome {
    try Program.built("modelserver").run(arguments + ["--database", "team.sqlite"], in: server.folder.url)
  }

  /// A queue of Anna with Ben, a text and a file.
  private func server() async throws -> LiveServer {
    let server = try LiveServer()
    let (anna, picture) = (Token.make("anna"), Array("a picture".utf8))
    let hash = ContentHash(of: picture)
    try await server.commit([.create(1, "hello", operation: 1)], token: anna)
    try await server.commit(
      [.init(2, OperationChanges(members: [MemberChange(.user("ben"), .follow(.writer))]))], token: anna)
    #expect(try await server.upload(picture, at: 0, of: hash, token: anna).status == 204)
    try await server.commit([.create(2, "with a picture", operation: 3, files: [hash])], token: anna)
    return server
  }

  @Test func queuesAndMembersAreListedBesideAServer() async throws {
    let server = try await server()
    let queues = try run(server, "queues", "--user", "anna")
    #expect(queues.status == 0)
    let lines = queues.output.split(separator: "\n").map(String.init)
    #expect(lines.first == "user \(UserID.user("anna"))")
    #expect(lines.contains { $0.hasPrefix("queue \(QueueID.queue)  Moments  owner  members 2  objects 4  content ") })
    #expect(lines.contains { $0.contains("  Moments  home queue  members 1  ") })
    let members = try run(server, "members", "--queue", "\(QueueID.queue)")
    #expect(members.output.split(separator: "\n").count == 2)
    #expect(members.output.contains("user \(UserID.user("ben"))  writer  since 20"))
    #expect(members.output.contains("added by \(UserID.user("anna"))"))
    for arguments in [["queues"], ["export", "--to", "nobody"]] {
      let nobody = try Program.built("modelserver").run(
        arguments + ["--user", "nobody", "--database", "team.sqlite"], in: server.folder.url)
      #expect(nobody.status == 2 && nobody.errors.contains("name it with --issuer"), "\(nobody.text)")
    }
    #expect(!server.folder.exists("nobody"))
    #expect(server.stop() == 0)
  }

  @Test func aCopyHasObjectsAndFiles() async throws {
    let server = try await server()
    let outcome = try run(server, "export", "--user", "ben", "--to", "ben")
    #expect(outcome.output == "wrote 2 queues of the user \(UserID.user("ben")) to ben: 2 objects, 1 files\n")
    let lines = try server.folder.read("ben/export.jsonl").split(separator: "\n")
    for line in lines { #expect(throws: Never.self) { try JSONValue(parsing: Array(line.utf8)) } }
    // Field 2, the text, as protobuf writes it.
    let content = Data([0x12, 5] + Array("hello".utf8)).base64EncodedString()
    #expect(
      lines.contains { line in
        [#""type":"note","createdBy":"\#(UserID.user("anna"))","createdAt":"#, #","content":"\#(content)""#]
          .allSatisfy(line.contains)
      })
    let hash = ContentHash(of: Array("a picture".utf8))
    #expect(try server.folder.read("ben/files/\(QueueID.queue)/\(hash)") == "a picture")
    // The bytes of a file are gone: a copy without them says so, and has no empty file under its name.
    let place = server.folder.url("team.sqlite-files/\(QueueID.queue)/\(hash)")
    try FileManager.default.removeItem(at: place)
    let partly = try run(server, "export", "--user", "ben", "--to", "partly")
    #expect(partly.status == 3 && partly.output.hasSuffix("2 objects, 0 files\n"))
    #expect(partly.errors.contains("The bytes of 1 files are missing") && !server.folder.exists("partly/files"))
    let again = try run(server, "export", "--user", "ben", "--to", "ben")
    #expect(
      again.status == 3 && again.errors.contains("--to: ben is there already; name a folder that does not exist."))
    #expect(server.stop() == 0)
  }

  @Test func aUserIsForgotten() async throws {
    let server = try await server()
    let running = try run(server, "forget", "--user", "anna")
    #expect(running.status == 3 && running.errors.contains("team.sqlite"), "a server has the database: \(running.text)")
    #expect(server.stop() == 0)
    let dry = try run(server, "forget", "--user", "anna", "--dry-run")
    let words = "leaves queue \(QueueID.queue), whose owner is now \(UserID.user("ben"))"
    #expect(dry.status == 0 && dry.output.contains(words), "\(dry.text)")
    #expect(try run(server, "queues", "--user", "anna").output.contains("owner"), "nothing was done")
    let done = try run(server, "forget", "--user", "anna", "--objects")
    #expect(done.output + "Nothing was done yet: this was --dry-run.\n" == dry.output && done.status == 0)
    #expect(try run(server, "forget", "--user", "anna").status == 0, "her home queue is still there")
    #expect(
      try run(server, "members", "--queue", "\(QueueID.queue)").output.hasPrefix("user \(UserID.user("ben"))  owner"))
    let next = try LiveServer(in: server.folder)
    let delta = DeltaRequest(queues: [.init(queue: .queue)])
    #expect(try await next.call(.delta, delta, token: Token.make("anna")).code == "REVOKED")
    #expect(try await next.call(.delta, delta, token: Token.make("ben")).status == 200)
    #expect(next.stop() == 0)
  }

  @Test func mistakesSayWhatToDo() throws {
    let folder = try TemporaryFolder()
    let modelserver = try Program.built("modelserver")
    let cases: [([String], Int32, String)] = [
      (["queues", "--database", "x", "--user", "a"], 3, "--database: there is no file x"),
      (["queues", "--user", "a"], 2, "--database"),
      (["queues", "--database", "x", "--user", ""], 2, "must not be empty"),
      (["members", "--database", "x", "--queue", "anna"], 2, "--queue is the id of a queue"),
      (["export", "--database", "x", "--user", "a"], 2, "--to"),
      (["export", "--database", "x", "--files", "y", "--user", "a", "--to", "z"], 2, "--files is for PostgreSQL"),
      (["export", "--database", "x", "--user", "a", "--to", "z"], 3, "--database: there is no file x"),
      (["forget", "--database", "x", "--user", "a"], 3, "--database: there is no file x"),
    ]
    for (arguments, status, message) in cases {
      let outcome = try modelserver.run(arguments, in: folder.url)
      #expect(outcome.status == status && outcome.errors.contains(message), "\(arguments): \(outcome.text)")
    }
    for path in ["x", "x-lock", "z"] { #expect(!folder.exists(path), "\(path)") }
  }
}
