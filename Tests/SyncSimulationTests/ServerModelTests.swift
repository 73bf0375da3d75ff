// Holds the model of the server against the golden vectors of the documents, which the model has not computed.

import Foundation
import TestSupport
import Testing

@testable import SyncSimulation

@Suite struct ServerModelTests {
  /// The words of each line of a document's vectors that begins with `kind`.
  private func vectors(_ document: String, _ kind: String) throws -> [[String]] {
    let text = try String(contentsOf: Repository.url("docs/formats/\(document).md"), encoding: .utf8)
    let begin = try #require(text.range(of: "```vectors\n"))
    let end = try #require(text.range(of: "```", range: begin.upperBound..<text.endIndex))
    let lines = text[begin.upperBound..<end.lowerBound].split(separator: "\n")
    let found = lines.map { $0.split(separator: " ").map(String.init) }.filter { $0.first == kind }
    #expect(!found.isEmpty, "\(document) has no \(kind)")
    return found
  }

  private func bytes(_ text: String) -> [UInt8] {
    stride(from: 0, to: text.count, by: 2).compactMap { UInt8(text.dropFirst($0).prefix(2), radix: 16) }
  }

  private let other = PlainID(high: 1, low: 2)
  private let user = PlainID(high: 0x0001_0203_0405_4607, low: 0x8809_0A0B_0C0D_0E0F)

  @Test func mergesAsTheDocumentDoes() throws {
    for line in try vectors("blob-format", "merge") {
      let merged = try PlainPatch(bytes(line[3])).merged(into: bytes(line[2]))
      #expect(merged.hex == line[4], "\(line[1])")
    }
  }

  @Test func readsChangesAsTheDocumentWritesThem() throws {
    let kinds = try vectors("operation-format", "changes").map { line in
      let changes = try PlainChanges(bytes(line[2]))
      return "\(line[1]): \(changes.objects.map(\.action.name) + changes.others)"
    }
    #expect(
      kinds == [
        "create: [\"create photo\"]", "upsert: [\"create photo\"]", "reviving: [\"revive photo\"]",
        "seen: [\"create photo seen 7\"]",
        "patch: [\"patch\"]",
        "delete: [\"delete\"]",
        "members: [\"follow reader\", \"role owner\", \"unfollow\"]", "links: [\"open for 20\", \"close\"]",
        "join: [\"join\"]", "files: [\"file\"]",
        "named: [\"create photo\", \"2 in 2\", \"0 in 6\"]",
      ])
  }

  /// Two records that end too early, a change that does nothing, an unknown wire type, a create that is also a delete,
  /// two changes of one object.
  @Test(arguments: [
    "0a", "0a05", "0a140a10000102030405460788090a0b0c0d0e0f2000", "0f",
    "0a1b0a10000102030405460788090a0b0c0d0e0f120570686f746f2001",
    "0a140a10000102030405460788090a0b0c0d0e0f20010a140a10000102030405460788090a0b0c0d0e0f2001",
  ])
  func refusesBytesThatAreNoChanges(text: String) {
    #expect(throws: PlainMalformed.self) { try PlainChanges(bytes(text)) }
  }

  @Test func derivesIDsAsTheDocumentDoes() throws {
    let home = PlainID.home(of: user, schema: "Moments")
    #expect(try vectors("sync-protocol", "home")[0][1] == "\(home)")
    #expect(try vectors("sync-protocol", "membership")[0][1] == "\(PlainID.membership(of: user, in: home))")
    #expect(try vectors("sync-protocol", "member")[0][1] == "\(PlainID.member(user, in: user))")
    #expect(try vectors("sync-protocol", "acceptance")[0][1] == "\(PlainID.acceptance(of: user, in: home))")
    for line in try vectors("blob-format", "bound") {
      let queue = try #require(PlainID(text: line[1].utf8))
      let chosen = try #require(UInt64(line[2], radix: 16))
      let id = PlainID.bound(to: queue, chosen)
      #expect(line[3] == "\(id)")
      #expect(id.isBound(to: queue) && !id.isBound(to: other))
    }
    #expect(home.isReservedForHome && !user.isReservedForHome)
  }

  @Test func writesMembershipsAsTheDocumentDoes() throws {
    let grant = PlainID(high: 0xA000_0000_0000_4000, low: 0x8000_0000_0000_0001)
    let member = PlainMember(role: .writer, grant: grant, by: user, since: 0)
    #expect(try vectors("sync-protocol", "content")[0][1] == member.content(in: user).hex)
  }

  /// A round of upkeep forgets an outcome; meanwhile a late copy of its request may come.
  @Test(arguments: [
    (PlainOutcome(status: .applied, at: 3, time: 10), true),
    (PlainOutcome(status: .unknown, at: 4, time: 2_000), false), (nil, false),
  ])
  func findsOutcomesThatUpkeepLeaves(left: PlainOutcome?, isUndone: Bool) {
    let operation = PlainID(high: 3, low: 4)
    var queue = PlainQueue(row: PlainRow(schema: ""))
    queue.outcomes[operation] = PlainOutcome(status: .applied, at: 3, time: 10)
    var server = PlainServer(queues: [other: queue])
    let round = PlainRound(PlainRules(tombstones: 100, outcomes: 100, files: 100), of: server, at: 1_000)
    queue.outcomes[operation] = left
    server.queues[other] = queue
    #expect((round.difference(from: server) == "the outcome of \(operation) is kept for ever") == isUndone)
    #expect((round.difference(from: server) != nil) == isUndone)
  }

  /// Nothing names a file when a round of upkeep begins; meanwhile operations name files, and objects are deleted.
  @Test(
    arguments: [
      ([], true), ([.went(file)], false),
      // It has come again, and is young.
      ([.went(file), .came(file, PlainFile(size: 5, since: 1_000))], false),
      // The round may have looked at it while something named it.
      ([.named(file, by: field)], false), ([.named(file, by: field), .deleted(object)], false),
      ([.named(file, by: field), .emptied(field)], false),
      // Other objects and files are no excuse.
      ([.deleted(object)], true), ([.named([8], by: field), .deleted(object)], true),
    ] as [([PlainFiles.Step], Bool)])
  func findsFilesThatUpkeepLeaves(meanwhile: [PlainFiles.Step], isUndone: Bool) {
    var server = PlainServer(queues: [other: PlainQueue(row: PlainRow(schema: ""))])
    // An operation named it, perhaps during the last round, and its object was deleted: this round has to remove it.
    let before: [PlainFiles.Step] = [
      .came(Self.file, PlainFile(size: 5, since: 10)), .named(Self.file, by: PlainNaming(object: other, tag: 0)),
      .deleted(other),
    ]
    for step in before { server.queues[other]?.files.take(step) }
    let round = PlainRound(PlainRules(tombstones: 100, outcomes: 100, files: 100), of: server, at: 1_000)
    for step in meanwhile { server.queues[other]?.files.take(step) }
    #expect(round.difference(from: server) == (isUndone ? "the file 07 is kept for ever" : nil))
  }

  private static let file: [UInt8] = [7]
  private static let object = PlainID(high: 3, low: 4)
  private static let field = PlainNaming(object: object, tag: 2)

  /// A client that knows a history is told of all losses after it, and one that knows another of all.
  @Test func tellsOfAllLossesSinceHistory() {
    let ids = (1...3).map { PlainID(high: 0, low: $0) }
    let server = PlainServer(histories: zip(ids, [0, 50, 70]).map { PlainHistory(id: $0, since: $1) })
    #expect(server.history == ids[2])
    #expect(ids.prefix(2).map(server.since) == [50, 70] && server.since(after: other) == 0)
  }

  @Test(arguments: [
    ("{\"a\":1}", "{\"a\":1,\"b\":2}", ".b is null, not 2"), ("{\"a\":[1]}", "{\"a\":[1,2]}", ".a[1] is missing: 2"),
    ("{\"a\":[1,2]}", "{\"a\":[1]}", ".a[1] is too much: 2"),
    ("{\"a\":{\"b\":\"x\"}}", "{\"a\":{\"b\":\"y\"}}", ".a.b is \"x\", not \"y\""),
    ("{\"a\":1,\"c\":[]}", "{\"a\":1,\"b\":null}", ""), ("[1]", "{}", " is [1], not {}"),
  ])
  func saysWhereAnAnswerDiffers(answer: String, expected: String, difference: String) throws {
    let answer = try #require(PlainJSON(reading: Array(answer.utf8)))
    let expected = try #require(PlainJSON(reading: Array(expected.utf8)))
    #expect(answer.difference(from: expected) ?? "" == difference)
  }
}

extension PlainChange.Action {
  fileprivate var name: String {
    switch self {
    case .create(let type, _, let revival):
      (revival.isReviving ? "revive \(type)" : "create \(type)")
        + (revival.seen.map { " seen \($0.cursor)" } ?? "")
    case .patch: "patch"
    case .delete: "delete"
    }
  }
}

extension PlainChanges {
  fileprivate var others: [String] {
    members.map { change in
      switch change.action {
      case .follow(let role): "follow \(role)"
      case .role(let role): "role \(role)"
      case .unfollow: "unfollow"
      }
    } + links.map { $0.opened.map { "open for \($0.uses)" } ?? "close" } + (join == nil ? [] : ["join"])
      + files.map { _ in "file" } + objects.flatMap(\.files).map { "\($0.hashes.count) in \($0.tag)" }
  }
}
