// The statements of the storage in PostgreSQL: how often a call waits for the database, and what stays in one queue.

import Foundation
import SampleIDs
import SyncProtocol
import SyncServer
import TestSupport
import Testing
import WireFormat

@testable import SyncPostgres

@Suite struct StatementTests {
  private static let tables =
    "queue|member|former_member|object|outcome|file|part|usage|queue_usage|file_reference|duty|mark"

  /// Each table that a statement of one queue names is held to that queue, the first parameter.
  @Test func statementsOfOneQueueTouchNoOther() throws {
    let statements = try Self.statements()
    #expect(statements.count > 50)
    for (file, reach, sql) in statements where reach == ".queue" {
      let named = try sql.matches(of: Regex("(?:FROM|INTO|UPDATE|JOIN) (\(Self.tables))\\b")).count
      let held = sql.matches(of: /queue = \$1|queue = file\.queue|VALUES \(\$1|SELECT \$1|queue = \(?\$1/).count
      #expect(held >= max(named, 1), "\(file): \(sql)")
    }
    for (file, reach, sql) in statements where reach == ".account" {
      #expect(sql.contains("account = $1") || sql.contains("VALUES ($1"), "\(file): \(sql)")
    }
  }

  /// The guide says how Citus spreads the tables: each that has a queue by the queue, each of an account by that.
  @Test func theGuideDistributesEveryTable() throws {
    let guide = try String(contentsOf: Repository.url("docs/guides/scaling.md"), encoding: .utf8)
    let lines = try #require(guide.firstMatch(of: /CREATE EXTENSION citus;(?<lines>[^`]*)/)?.lines)
    for statement in PostgresTables.statements where statement.sql.hasPrefix("CREATE TABLE") {
      let name = try #require(statement.sql.firstMatch(of: /CREATE TABLE (?<name>\w+)/)?.name)
      let (hasQueue, hasAccount) = (statement.sql.contains("queue uuid"), statement.sql.contains("account uuid"))
      let key = hasQueue ? "queue" : hasAccount ? "account" : nil
      guard let key else {
        #expect(!lines.contains("'\(name)'"), "\(name) stays on the coordinator")
        continue
      }
      let calls = lines.split(separator: "SELECT")
      #expect(calls.contains { $0.contains("'\(name)'") && $0.contains(", '\(key)'") }, "\(name) by \(key)")
    }
  }

  /// The reach and the text of each statement in the sources.
  private static func statements() throws -> [(file: String, reach: String, sql: String)] {
    let folder = Repository.url("Sources/SyncPostgres")
    var found: [(String, String, String)] = []
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where path.hasSuffix(".swift") {
      let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
      let reaches = #"(\.queue|\.account|\.allQueues\(because: "[^"]*"\))"#
      let texts = #"(?:"{3}((?:(?!"{3}).)*)"{3}|"([^"]*)")"#
      let pattern = try Regex<(Substring, Substring, Substring?, Substring?)>(
        #"PostgresStatement\(\s*"# + reaches + #",\s*"# + texts
      ).dotMatchesNewlines()
      for match in text.matches(of: pattern) {
        found.append((path, String(match.1), String(match.2 ?? match.3 ?? "")))
      }
    }
    return found
  }

  /// Also one that begins with its commit: its connection is in no transaction then.
  @Test(.enabled(if: PostgresCluster.shared != nil), arguments: [false, true])
  func aTransactionThatFailsLeavesItsConnectionAsItWas(readsFirst: Bool) throws {
    guard case .postgres(let storage) = try TestStorage(.postgres) else { return }
    let wrong = PostgresStatement(.nothing, "SELECT 1 / 0")()
    #expect(throws: StorageError.self) {
      try storage.sessions.run(.writing(to: .queue)) { transaction in
        if readsFirst { _ = try transaction.newestTime() }
        try transaction.put(newestTime: Timestamp(millisecondsSince1970: 7))
        transaction.execute(wrong)
      }
    }
    #expect(try storage.readNow { try $0.newestTime() } == .zero)
    try storage.writeNow(to: .zero) { try $0.put(newestTime: Timestamp(millisecondsSince1970: 8)) }
    #expect(try storage.readNow { try $0.newestTime() } == Timestamp(millisecondsSince1970: 8))
  }

  /// The tests' cluster has it off, as an operator may.
  @Test(.enabled(if: PostgresCluster.shared != nil)) func aCommitIsOnDiskWhateverTheDatabaseIsSetTo() throws {
    guard case .postgres(let storage) = try TestStorage(.postgres) else { return }
    let off = "SELECT count(*) FROM pg_settings WHERE name = 'synchronous_commit' AND setting = 'off'"
    #expect(try storage.number(off) == 0)
  }

  /// Commits to two queues by the same accounts would wait for each other otherwise.
  @Test func rowsOfAccountsAreLockedInOneOrder() {
    let users = (1...50).map { UserID.number($0) }.reversed() as [UserID]
    var loads = RowLoads(.queue, users.map { .invitations(by: $0, day: 1) } + [.usage])
    loads.addSums(isWriting: true)
    let locked = loads.list.map(\.call).filter { $0.statement.sql.contains("FOR UPDATE") }.map { $0.values[0].encoded }
    #expect(locked == users.sorted().map { $0.rawValue.bytes })
  }

  /// The plan of a statement is made once, most likely while the tables are empty.
  @Test(.enabled(if: PostgresCluster.shared != nil)) func statementsOfOneQueueGoByAnIndex() async throws {
    let server = try StorageKind.$current.withValue(.postgres) { try TestServer() }
    guard case .postgres(let storage) = server.storage else { return }
    try await Caller.$user.withValue(.anna) {
      _ = try await server.statuses([.init(1, .create(1, "a")), .init(2, .create(2, "b"))])
      _ = try await server.statuses([.init(3, .set(1, "c")), .init(4, OperationChanges(members: [.follow(.ben)]))])
      _ = try await server.delta(DeltaRequest.Queue(queue: .queue, cursor: 0))
      _ = try await server.delta(DeltaRequest.Queue(queue: .queue, cursor: 2))
    }
    try storage.sessions.run(.reading) { transaction in
      let prepared = try transaction.rows(Self.prepared())
      var plans = 0
      for row in prepared {
        let (name, sql, count) = (try row.text(0), try row.text(1), Int(try row.int(2)))
        guard sql.contains("queue = $1"), !sql.contains("FOR UPDATE") else { continue }
        let nulls = count == 0 ? "" : "(\(Array(repeating: "NULL", count: count).joined(separator: ", ")))"
        let explain = PostgresStatement(.nothing, "EXPLAIN EXECUTE \(name)\(nulls)")
        let plan = try transaction.rows(explain()).map { try $0.text(0) }.joined(separator: "\n")
        #expect(!plan.contains("Seq Scan"), "\(sql)\n\(plan)")
        if sql.contains("LATERAL") {
          #expect(plan.contains(/Index Cond: \(.* AND .*\)/), "the whole key: \(sql)\n\(plan)")
        }
        plans += 1
      }
      #expect(plans >= 6, "these were looked at: \(prepared.count)")
    }
  }

  private static let prepared = PostgresStatement(
    .nothing, "SELECT name, statement, cardinality(parameter_types)::bigint FROM pg_prepared_statements")

  /// On one connection, so that all waits are counted.
  @Test(.enabled(if: PostgresCluster.shared != nil)) func callsWaitAFewTimesForTheDatabase() async throws {
    let server = try StorageKind.$current.withValue(.postgres) { try TestServer() }
    guard case .postgres(let storage) = server.storage else { return }
    func waits(of user: UserID = .anna, _ body: () async throws -> Void) async throws -> Int {
      let before = storage.roundTrips
      try await Caller.$user.withValue(user, operation: body)
      return storage.roundTrips - before
    }
    _ = try await waits { try await server.statuses([.init(1, .create(1, "a"))]) }
    let grant = try await server.service.grant(of: .anna, in: .queue)
    let commit = CommitRequest(queue: .queue, grant: grant, mutations: [.init(2, .create(2, "b"))])
    #expect(try await waits { _ = try await server.service.commit(commit, by: Asker(.anna, schema: "")) } == 2)
    // The objects that a stranger names are not read.
    let guess = CommitRequest(queue: .queue, grant: grant, mutations: [.init(3, .create(3, "c"))])
    #expect(try await waits(of: .ben) { _ = try await server.service.commit(guess, by: Asker(.ben, schema: "")) } == 2)
    let place = DeltaRequest.Queue(queue: .queue, cursor: 0)
    #expect(try await waits { _ = try await server.delta(place) } == 1)
    let poll = ChangedRequest(sums: PlaceSums(forQueues: 8), waitSeconds: 0)
    #expect(try await waits { _ = try await server.service.changed(poll, by: .anna) } <= 2, "news are read twice")
  }
}
