// Folders and files that are no store, or no longer a whole one. Each gives a message, and never a trap.
import Foundation
import TestSupport
import Testing

@Suite struct DamageTests {
  private static let commands = [
    ["summary"], ["objects"], ["outbox"], ["failed"], ["objects", "--json"], ["--why", "7"],
  ]

  /// Whether a command may end with this status. A store without its newest changes may lack operation 7, and then
  /// asking for it is wrong usage, status 2.
  private static func isAnswer(_ status: Int32, _ command: [String]) -> Bool {
    [0, 1, 3].contains(status) || status == 2 && command.first == "--why"
  }

  private func run(_ arguments: [String], in folder: TemporaryFolder) throws -> Program.Outcome {
    try Program.built("modelinspect").run(arguments, in: folder.url)
  }

  /// Every command must report the same message.
  private func check(_ folder: TemporaryFolder, _ path: String, says message: String) throws {
    for command in Self.commands {
      let outcome = try run(command + [path], in: folder)
      #expect(outcome.status == 3, "\(command): \(outcome.text)")
      #expect(outcome.errors.hasPrefix("error: ") && outcome.errors.contains(message), "\(outcome.text)")
      #expect(outcome.output == "")
    }
  }

  @Test func reportsFoldersThatAreNoStore() throws {
    let folder = try TemporaryFolder()
    try check(folder, "Nowhere", says: "There is no folder Nowhere.")
    try folder.write("file", "text")
    try check(folder, "file", says: "file is a file")
    try folder.write("Empty/readme.txt", "")
    try check(folder, "Empty", says: "there is no store.sqlite in it")
    try folder.write("Nothing/store.sqlite", "")
    try check(folder, "Nothing", says: "is empty")
    try folder.write("Text/store.sqlite", String(repeating: "no database ", count: 1_000))
    try check(folder, "Text", says: "The database is damaged")
    try folder.write("Folder/store.sqlite/x", "")
    try check(folder, "Folder", says: "The database cannot be read")
  }

  @Test func reportsForeignDatabasesAndVersions() async throws {
    let folder = try TemporaryFolder()
    try folder.write("Other/readme.txt", "")
    try ShownStore.execute("CREATE TABLE note (text)", in: folder.url("Other/store.sqlite"))
    try check(folder, "Other", says: "is a SQLite database, but not a store of modelgen")
    let shown = try await ShownStore.filled()
    for version in [99, 1] {
      try shown.damage("PRAGMA user_version = \(version)")
      try check(shown.folder, ShownStore.path, says: "The store has version \(version); this modelinspect")
    }
  }

  @Test func reportsMissingTables() async throws {
    let shown = try await ShownStore.filled()
    try shown.damage("DROP TABLE type; DROP TABLE failed")
    for command in Self.commands {
      let outcome = try run(command + [ShownStore.path], in: shown.folder)
      #expect(outcome.status == 1, "\(outcome.text)")
      #expect(outcome.errors.contains("no such table: type"), "\(outcome.text)")
    }
  }

  /// The file cut off at every half page; and each page filled with zeros, and with 8 bits flipped.
  @Test func readsBrokenDatabasesWithoutTrap() async throws {
    let shown = try await ShownStore.filled()
    shown.close()
    let whole = [UInt8](try Data(contentsOf: shown.folder.url(ShownStore.path + "/store.sqlite")))
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededRandom(seed: seed)
    var broken = stride(from: 0, to: whole.count, by: 2_048).map { Array(whole.prefix($0)) }
    for page in stride(from: 0, to: whole.count, by: 4_096) {
      var zeroed = whole
      zeroed.replaceSubrange(page..<page + 4_096, with: repeatElement(0, count: 4_096))
      var flipped = whole
      for _ in 0..<8 { flipped[page + Int(random.below(4_096))] ^= 1 << UInt8(random.below(8)) }
      broken += [zeroed, flipped]
    }
    var statuses: [Int32: Int] = [:]
    for (index, bytes) in broken.enumerated() {
      let folder = try TemporaryFolder()
      try folder.write("Store/store.sqlite", bytes: bytes)
      let command = Self.commands[index % Self.commands.count]
      let outcome = try run(command + ["Store"], in: folder)
      statuses[outcome.status, default: 0] += 1
      #expect(Self.isAnswer(outcome.status, command), "seed \(seed), case \(index), \(command): \(outcome.text)")
      if outcome.status == 3 { #expect(outcome.errors.hasPrefix("error: "), "\(outcome.text)") }
    }
    #expect(statuses[1, default: 0] > 0 && statuses[3, default: 0] > 0, "\(statuses)")
  }

  /// A log that is cut off, foreign, noise or empty, with and without an index that does not fit.
  @Test func readsBrokenLogsWithoutTrap() async throws {
    let (shown, other) = (try await ShownStore.filled(), try await ShownStore.filled())
    let files = try ["", "-wal", "-shm"].map {
      [UInt8](try Data(contentsOf: shown.folder.url("\(ShownStore.path)/store.sqlite\($0)")))
    }
    try other.damage("VACUUM")
    // A database that is whole without its log, and has no page of the other store's log.
    let foreign = [UInt8](try Data(contentsOf: other.folder.url("\(ShownStore.path)/store.sqlite")))
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededRandom(seed: seed)
    let noise = (0..<files[1].count).map { _ in UInt8(random.below(256)) }
    let cut = files[1].prefix(files[1].count / 2)
    let cases: [[[UInt8]]] = [
      [files[0], Array(cut)], [files[0], Array(cut), files[2]], [files[0], noise], [files[0], noise, files[2]],
      [files[0], files[1], Array(noise.prefix(files[2].count))], [foreign, files[1]], [foreign, files[1], files[2]],
      [files[0], []], [files[0], [], files[2]], [[], files[1]], [[], files[1], files[2]],
      [foreign, noise, files[2]],
    ]
    for (index, files) in cases.enumerated() {
      for command in Self.commands {
        let folder = try TemporaryFolder()
        for (suffix, bytes) in zip(["", "-wal", "-shm"], files) {
          try folder.write("Store/store.sqlite\(suffix)", bytes: bytes)
        }
        let before = try folder.state(of: "Store")
        let outcome = try run(command + ["Store"], in: folder)
        #expect(Self.isAnswer(outcome.status, command), "seed \(seed), case \(index), \(command): \(outcome.text)")
        if outcome.status == 3 { #expect(outcome.errors.hasPrefix("error: "), "\(outcome.text)") }
        #expect(try folder.state(of: "Store") == before, "case \(index), \(command)")
        if files.count > 1, files[1] == noise { #expect(outcome.errors.contains("-wal is damaged"), "\(outcome.text)") }
      }
    }
    withExtendedLifetime(shown.store) {}
  }

  @Test func reportsDatabaseLockedByAnotherProgram() async throws {
    let shown = try await ShownStore.filled()
    shown.close()
    let message = try ShownStore.lock(shown.folder.url(ShownStore.path + "/store.sqlite")) {
      try run([ShownStore.path], in: shown.folder)
    }
    #expect(message.status == 3)
    #expect(message.errors.contains("The database is locked by another program"), "\(message.text)")
  }

  @Test func showsRowsAroundDamagedPage() async throws {
    let shown = try await ShownStore.filled()
    try shown.damage(
      """
      WITH RECURSIVE number(n) AS (SELECT 100 UNION ALL SELECT n + 1 FROM number WHERE n < 299)
      INSERT INTO object (row, id, queue, type, revision, createdAt, updatedAt, content)
      SELECT n, randomblob(16), queue, type, 5, 0, 0, CAST(x'0A04' || printf('%04d', n) AS BLOB) FROM number, object
      WHERE object.row = 1
      """)
    let path = shown.folder.url(ShownStore.path + "/store.sqlite")
    var bytes = [UInt8](try Data(contentsOf: path))
    let middle = try #require(bytes.firstRange(of: Array("0200".utf8)))
    let page = middle.lowerBound / 4_096 * 4_096
    bytes.replaceSubrange(page..<page + 4_096, with: repeatElement(0, count: 4_096))
    try Data(bytes).write(to: path)
    let outcome = try run(["objects", ShownStore.path, "--limit", "1000"], in: shown.folder)
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("the table `object`: The database is damaged"))
    #expect(outcome.output.contains("title  \"0100\"") && outcome.output.contains("title  \"0299\""))
    #expect(!outcome.output.contains("title  \"0200\""))
    let summary = try run([ShownStore.path], in: shown.folder)
    #expect(summary.status == 1)
    #expect(summary.output.contains("  moment  "), "\(summary.text)")
  }
}
