// Tests of the command line: the files that it makes, and its messages for mistakes.

import Foundation
import JSON
import MomentsModels
import SyncProtocol
import TestSupport
import Testing
import WireFormat

@Suite struct CommandTests {
  private let folder: TemporaryFolder
  private let modelserver: Program

  init() throws {
    folder = try TemporaryFolder()
    modelserver = try Program.built("modelserver")
  }

  private func run(_ arguments: String...) throws -> Program.Outcome { try modelserver.run(arguments, in: folder.url) }

  @Test func everyMistakeSaysWhatToDo() throws {
    try folder.write("short", "too short\n")
    try folder.write("secret", Token.secret)
    try folder.write("text", "this is no database, and it is long enough to be looked at\n")
    try folder.write("empty", "")
    let rights = #"{ "create": ["writer"], "update": ["writer"], "delete": ["owner"] }"#
    try folder.write("table", #"{ "version": 1, "schema": "Notes", "types": { "note": \#(rights) } }"#)
    try folder.write("folder/file", "")
    try folder.write("logged", "this is no database either\n")
    try folder.write("logged-wal", "and this is no log\n")
    // A header that lets the file pass for a database.
    let header = Array("SQLite format 3\0".utf8) + [16, 0, 2, 2] + [UInt8](repeating: 0, count: 80)
    try folder.write("header", bytes: header)
    func serve(_ database: String, _ secret: String = "secret") -> [String] {
      ["serve", "--database", database, "--secret-file", secret]
    }
    let create = serve("x.sqlite") + ["--create"]
    let cases: [([String], Int32, String)] = [
      (["serve", "--secret-file", "secret"], 2, "--database"),
      (serve("x") + ["--postgres", "postgres://host/x"], 2, "--database and --postgres name two databases: give one."),
      (serve("x") + ["--files", "folder"], 2, "--files is for PostgreSQL"),
      (["serve", "--secret-file", "secret", "--postgres", "postgres://host/x"], 2, "name with --files where"),
      (
        ["serve", "--secret-file", "secret", "--postgres", "postgres://host/x", "--files", "s3://"], 2,
        "names no bucket"
      ),
      (
        ["serve", "--secret-file", "secret", "--postgres", "postgres://host/x", "--files", "s3://bucket"], 2,
        "Set AWS_ACCESS_KEY_ID"
      ),
      (["serve", "--database", "x"], 2, "Name what tokens are signed with"),
      (["serve", "--database", "x", "--jwks", "keys"], 2, "--jwks needs --issuer and --audience"),
      (["serve", "--database", "x", "--jwks", "keys", "--issuer", "i"], 2, "--jwks needs --issuer and --audience"),
      (
        ["serve", "--create", "--database", "x", "--jwks", "nothing", "--issuer", "i", "--audience", "a"], 3,
        "--jwks: cannot read the keys in nothing."
      ),
      (
        ["serve", "--create", "--database", "x", "--jwks", "text", "--issuer", "i", "--audience", "a"], 3,
        "It is not a key set"
      ),
      (serve("x") + ["--clock-leeway", "1h"], 2, "--clock-leeway is at most 10m."),
      (serve("x") + ["--issuer", ""], 2, "--issuer must not be empty."),
      (
        ["serve", "--secret-file", "secret", "--files", "folder", "--postgres", "nothing=1"], 3,
        "--postgres: The address of PostgreSQL cannot be read. Write it like postgres://user@host:5432/database."
      ),
      (
        ["serve", "--secret-file", "secret", "--files", "folder", "--postgres", "postgres://a:hidden@127.0.0.1:1/x"],
        3, "--postgres: PostgreSQL cannot be reached: "
      ),
      (["change-history"], 2, "--database"),
      (
        serve("x", "nothing"), 3,
        "--secret-file: there is no file nothing. `modelserver new-secret nothing` makes one."
      ),
      (serve("x", "folder"), 3, "--secret-file: folder is a folder, not a secret."),
      (serve("x", "short/x"), 3, "cannot read short/x: Not a directory.\n"),
      (serve("x", "short"), 2, "the secret in short has 9 bytes; it needs at least 32"),
      (
        serve("no/folder/x") + ["--create"], 3,
        "--database: cannot write beside no/folder/x: No such file or directory. Make the folder first."
      ),
      (
        serve("none.sqlite"), 3,
        "--database: there is no file none.sqlite. Name the right one, or add --create to begin an empty server."
      ),
      (serve("empty"), 3, "--database: nothing is in the file empty."),
      (serve("text"), 3, "--database: text is not a database of modelserver.\n"),
      (serve("folder") + ["--create"], 3, "--database: folder is a folder, not a database.\n"),
      (create + ["--access", "none.json"], 3, "--access: cannot read none.json: there is no such file."),
      (create + ["--access", "folder"], 3, "--access: cannot read folder: "),
      (
        create + ["--access", "text"], 2,
        "--access: text is not a table of access. Line 1, column 1: this is not JSON."
      ),
      (
        create + ["--access", "table", "--access", "table"], 2,
        "--access: table is of the schema Notes, and so is another file."
      ),
      (create + ["--port", "70000"], 2, "--port must be between 0 and 65535; it is 70000."),
      (create + ["--port", "9", "--metrics-port", "9"], 2, "--port and --metrics-port must not be the same."),
      (create + ["--max-polls", "0"], 2, "--max-polls must be between 1 and"),
      (create + ["--body-time", "soon"], 2, "--body-time"),
      (create + ["--idle-time", "5"], 2, "with its unit, as 5s, 10m, 1h or 30d."),
      (create + ["--host", "192.0.2.1", "--port", "0"], 3, "--host: 192.0.2.1 is not an address of this machine.\n"),
      (create + ["--host", "nowhere.invalid"], 2, "--host: nowhere.invalid:8080 cannot be looked up"),
      (["new-secret", "secret"], 3, "secret is there already; move it away, or name another file."),
      (
        ["new-secret", "no/folder/secret"], 3,
        "cannot write no/folder/secret: No such file or directory. Make the folder first."
      ),
      (["token", "--secret-file", "secret", "--user", ""], 2, "--user must not be empty."),
      (["token", "--secret-file", "secret", "--user", "a", "--expires-in", "0d"], 2, "with its unit"),
      (["backup", "--database", "none.sqlite", "--to", "y"], 3, "--database: there is no file none.sqlite."),
      (["backup", "--database", "text", "--to", "y"], 3, "--database: text is not a database of modelserver.\n"),
      (["backup", "--database", "logged", "--to", "y"], 3, "--database: logged is not a database of modelserver.\n"),
      (["backup", "--database", "folder", "--to", "y"], 3, "--database: folder is a folder, not a database.\n"),
      (["backup", "--database", "header", "--to", "folder"], 3, "--to: folder is a folder; name a file in it.\n"),
      (["backup", "--database", "header", "--to", "no/y"], 3, "--to: there is no folder for no/y. Make it first."),
      (["restore", "--from", "none.sqlite", "--database", "y"], 3, "--from: there is no file none.sqlite."),
      (["restore", "--from", "empty", "--database", "y"], 3, "--from: the file empty is empty; it is not a database."),
      (
        ["restore", "--from", "header", "--database", "text"], 3,
        "--database: text is there already; move it away, or name another file."
      ),
      (["restore", "--from", "folder", "--database", "y"], 3, "--from: folder is a folder, not a database.\n"),
      (["restore", "--from", "secret", "--database", "y"], 3, "--from: secret is not a database of modelserver.\n"),
      (
        ["restore", "--from", "header", "--database", "folder"], 3,
        "--database: folder is a folder; name a file in it.\n"
      ),
      (["change-history", "--database", "none.sqlite"], 3, "--database: there is no file none.sqlite."),
      (["change-history", "--database", "text"], 3, "--database: text is not a database of modelserver.\n"),
      (["change-history", "--database", "x", "--since", "yesterday"], 2, "a time is written as 2026-01-31T08:05:00Z."),
      (["change-history", "--database", "x", "--since", "2020-01-31T08:05:00+01:00"], 2, "a time is written as "),
      (
        ["restore", "--from", "header", "--database", "y", "--since", "9026-01-31T08:05:00Z"], 2, "the time lies ahead."
      ),
    ]
    for (arguments, status, message) in cases {
      let outcome = try modelserver.run(arguments, in: folder.url)
      #expect(outcome.status == status, "\(arguments): \(outcome.text)")
      #expect(outcome.errors.contains(message), "\(arguments): \(outcome.errors)")
      #expect(!outcome.text.contains(Token.secret))
    }
    #expect(try folder.read("text").hasPrefix("this is no database"))
    for path in ["empty-lock", "secret-lock", "y-lock"] { #expect(!folder.exists(path), "\(path)") }
  }

  @Test(.enabled(if: Program.keepsLocks)) func reportsMissingPermissions() throws {
    try folder.write("secret", Token.secret)
    try folder.write("locked", Token.secret)
    try folder.write("home/x", "")
    try folder.setPermissions(0o600, of: "secret")
    try folder.setPermissions(0, of: "locked")
    try folder.setPermissions(0o500, of: "home")
    defer { try? folder.setPermissions(0o700, of: "home") }
    func refused(_ arguments: String...) throws -> String {
      let outcome = try modelserver.runWithoutPrivileges(arguments, in: folder.url)
      #expect(outcome.status == 3)
      return outcome.errors
    }
    #expect(
      try refused("token", "--secret-file", "locked", "--user", "anna") == """
        error: --secret-file: cannot read locked: Permission denied. The user that runs modelserver must be allowed to read it.

        """)
    #expect(
      try refused("serve", "--create", "--database", "home/y", "--secret-file", "secret") == """
        error: --database: cannot write beside home/y: Permission denied. The user that runs modelserver must be allowed to \
        write there.

        """)
    #expect(
      try refused("backup", "--database", "locked", "--to", "y")
        == "error: --database: locked cannot be opened. Check who may read it.\n")
    try folder.setPermissions(0o600, of: "locked")
    #expect(try folder.read("locked") == Token.secret)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url("home").path) == ["x"])
  }

  @Test func helpHasExamples() throws {
    let help = try run("--help")
    #expect(help.status == 0 && help.output.contains("EXAMPLES:") && help.output.contains("EXIT STATUS:"))
    let serve = try run("serve", "--help")
    let parts = serve.output.components(separatedBy: "LIMITS:\n")
    #expect(serve.status == 0 && parts.count == 2 && parts.last?.contains("--keep-outcomes") == true)
    #expect(parts.first?.contains("SERVER:\n  --database") == true, "what is needed comes before the limits")
  }

  @Test func tokenOfANewSecretIsAccepted() async throws {
    #expect(try run("new-secret", "secret").status == 0)
    let mode = try FileManager.default.attributesOfItem(atPath: folder.url("secret").path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(try folder.read("secret").count == 65)
    let token = try run("token", "--secret-file", "secret", "--user", "anna", "--expires-in", "1h")
    let server = try LiveServer(in: folder)
    let request = ChangedRequest(sums: nil, waitSeconds: 0)
    let line = token.output.trimmingCharacters(in: .newlines)
    #expect(try await server.call(.changed, request, token: line).summary == "200")
    #expect(try await server.call(.changed, request, token: Token.make("anna")).status == 401, "another secret")
  }

  @Test func refusesASecondServerOfADatabase() throws {
    let server = try LiveServer(in: folder)
    let second = try run("serve", "--database", "team.sqlite", "--secret-file", "secret", "--port", "0")
    #expect(second.status == 3 && second.errors.contains("another modelserver uses team.sqlite; stop it first."))
    #expect(try run("change-history", "--database", "team.sqlite").status == 3)
    let backup = try run("backup", "--database", "team.sqlite", "--to", "copy.sqlite")
    #expect(backup.output == "copied team.sqlite to copy.sqlite\n", "there are no files: \(backup.text)")
    // A symbolic link is another name of the same database.
    try FileManager.default.createSymbolicLink(
      at: folder.url("link.sqlite"), withDestinationURL: folder.url("team.sqlite"))
    try FileManager.default.createSymbolicLink(
      at: folder.url("nowhere.sqlite"), withDestinationURL: folder.url("none.sqlite"))
    for command in [
      ["serve", "--create", "--database", "nowhere.sqlite", "--secret-file", "secret"],
      ["backup", "--database", "team.sqlite", "--to", "nowhere.sqlite"],
      ["restore", "--from", "team.sqlite", "--database", "nowhere.sqlite"],
    ] {
      let refused = try modelserver.run(command, in: folder.url)
      #expect(refused.status == 3 && refused.errors.contains("nowhere.sqlite is a link to"), "\(refused.errors)")
    }
    // A server of a hard link would write another log beside the first one.
    try FileManager.default.linkItem(at: folder.url("team.sqlite"), to: folder.url("hard.sqlite"))
    for command in [
      ["change-history", "--database", "hard.sqlite"],
      ["serve", "--database", "hard.sqlite", "--secret-file", "secret"],
    ] {
      let refused = try modelserver.run(command, in: folder.url)
      // A server that is not refused would run for ever.
      try #require(
        refused.status == 3 && refused.errors.contains("another modelserver uses hard.sqlite"), "\(refused.errors)")
    }
    #expect(!folder.exists("hard.sqlite-wal"))
    let linked = try run("change-history", "--database", "link.sqlite")
    #expect(linked.status == 3 && linked.errors.contains("another modelserver uses link.sqlite"), "\(linked.errors)")
    let port = "\(server.url.port!)"
    let third = try run("serve", "--create", "--database", "other.sqlite", "--secret-file", "secret", "--port", port)
    let taken = "cannot listen on 127.0.0.1:\(port): Address already in use. Is another server running there?\n"
    #expect(third.status == 3 && third.errors == "error: --port: \(taken)", "\(third.errors)")
    let fourth = try run(
      "serve", "--create", "--database", "other.sqlite", "--secret-file", "secret", "--port", "0", "--metrics-port",
      port)
    #expect(fourth.status == 3 && fourth.errors == "error: --metrics-port: \(taken)", "\(fourth.errors)")
    #expect(fourth.output == "", "nobody is told to come")
    #expect(server.stop() == 0)
  }

  @Test func restoreTellsWhatMayBeLostAndForgetsMissingFiles() async throws {
    let anna = Token.make("anna")
    let server = try LiveServer(in: folder)
    let files = ["kept", "lost"].map { Array($0.utf8) }
    guard case .decided(let before) = try await server.commit([.create(1, "a", operation: 1)], token: anna) else {
      Issue.record("refused")
      return
    }
    let history = try #require(HistoryID(try await server.send("GET", "/health").fields["sync-history"] ?? ""))
    for file in files { _ = try await server.upload(file, at: 0, of: ContentHash(of: file), token: anna) }
    // A backup beside the running server.
    let backup = try run("backup", "--database", "team.sqlite", "--to", "copy.sqlite")
    #expect(backup.status == 0 && backup.output.contains("; copy the folder "), "\(backup.text)")
    #expect(try run("backup", "--database", "team.sqlite", "--to", "copy.sqlite").status == 3)
    try await server.commit([.create(2, "b", operation: 2)], token: anna)
    #expect(server.stop() == 0)
    // A server that ends in order leaves no log.
    let log = folder.exists("team.sqlite-wal") ? try folder.read("team.sqlite-wal") : ""
    #expect(log == "")
    try folder.remove("team.sqlite")
    try folder.write("team.sqlite-wal", "the log of another database")
    let stale = try run("restore", "--from", "copy.sqlite", "--database", "team.sqlite")
    #expect(stale.status == 3 && stale.errors.contains("--database: team.sqlite-wal is there already"))
    try folder.remove("team.sqlite-wal")
    let copy = try Data(contentsOf: folder.url("copy.sqlite"))
    try folder.remove("team.sqlite-files/\(QueueID.queue)/\(ContentHash(of: files[1]))")
    let restored = try run("restore", "--from", "copy.sqlite", "--database", "team.sqlite")
    let words = restored.output.components(separatedBy: "; ")
    #expect(words.first == "restored team.sqlite" && words.last == "1 files are asked for again\n", "\(restored.text)")
    let since = try #require(words.dropFirst().first?.components(separatedBy: " acknowledged since ").last)
    #expect(since > "2020" && since < Date.now.ISO8601Format(), "ten minutes before the newest operation")
    #expect(try Data(contentsOf: folder.url("copy.sqlite")) == copy, "the copy is as it was")
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
      .filter { $0.contains("unfinished") || $0.hasPrefix("copy.sqlite-") }
    #expect(left == [])

    let again = try LiveServer(in: folder)
    let delta = DeltaRequest(queues: [.init(queue: .queue, grant: before.grant, cursor: 2)])
    let refused = try await again.send(
      "POST", "/graphql", token: anna, LiveServer.graphQL,
      body: SyncCall.delta.body(delta, schema: MomentsSchema.name, history: history))
    #expect(refused.summary == "412 HISTORY_CHANGED" && refused.fields["sync-history"] != "\(history)")
    #expect(RequestError(answer: try JSONValue(parsing: refused.bytes))?.since?.description == since)
    #expect(try await again.call(.delta, delta, token: anna).summary == "200", "the place goes on")
    let place = "/files/\(QueueID.queue)/"
    #expect(try await again.send("GET", "\(place)\(ContentHash(of: files[0]))", token: anna).bytes == files[0])
    #expect(try await again.send("HEAD", "\(place)\(ContentHash(of: files[1]))", token: anna).status == 404)
    #expect(again.stop() == 0)
    let changed = try run("change-history", "--database", "team.sqlite", "--since", "2020-01-31T08:05:00Z")
    #expect(changed.output == "clients send again what team.sqlite acknowledged since 2020-01-31T08:05:00.000Z\n")
  }
}
