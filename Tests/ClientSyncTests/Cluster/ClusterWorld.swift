// People who edit the same cards while servers die and connections are cut, and what must be true at the end.

import Foundation
import ModelSupport
import SampleIDs
import SyncServer
import TestSupport

@testable import ClientStore

/// One run: what happens follows from the seed; when it happens depends on the threads.
final class ClusterWorld {
  private let servers: ServerPair
  private let cluster: PostgresCluster
  private let devices: [ClusterDevice]
  private var random: SeededRandom
  private var cards: [UInt64] = []
  /// By card: the likes and tags of operations that were performed.
  private var likes: [UInt64: Int64] = [:]
  private var tags: [UInt64: Set<String>] = [:]
  private(set) var problems: [String] = []
  private(set) var counts: [String: Int] = [:]

  init(_ cluster: PostgresCluster, seed: UInt64) throws {
    let tables = try cluster.query(
      "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN ('server', 'history')")
    if !tables.isEmpty { try cluster.query("TRUNCATE \(tables.joined(separator: ", "))") }
    self.cluster = cluster
    random = SeededRandom(seed: seed)
    let servers = try ServerPair(cluster, seed: seed)
    self.servers = servers
    devices = try [1, 1, 2, 3].enumerated().map { index, user in
      try ClusterDevice(servers, user: user, seed: seed &* 10 &+ UInt64(index))
    }
  }

  func run(steps: Int) async throws {
    try await begin()
    servers.lose(percent: 8)
    for step in 0..<steps {
      let device = Int(random.below(UInt64(devices.count)))
      // Devices sync side by side, and while they are edited.
      let some = random.pick([[], [device], [0, 1, 2, 3], [1, 2]]).map { devices[$0] }
      async let failures = Self.sync(some)
      for _ in 0...random.below(4) { try edit(on: device, step) }
      try await fault()
      counts["syncs", default: 0] += some.count
      counts["syncs that failed", default: 0] += await failures
    }
    servers.lose(percent: 0)
    try await servers.settle()
    for device in devices + devices + devices { try await device.sync() }
    try await check()
    await servers.end()
  }

  private func begin() async throws {
    let anna = devices[0]
    anna.store.create(Box())
    for _ in 1...3 { create(on: anna) }
    for user in devices[2...].map(\.store.user) {
      anna.store.perform(Member(card: Card.id(1), user: user, change: .joins))
    }
    for device in devices { try await device.sync() }
  }

  private func count(_ what: String) { counts[what, default: 0] += 1 }

  /// Returns how many have failed.
  private static func sync(_ devices: [ClusterDevice]) async -> Int {
    await withTaskGroup(of: Bool.self) { group in
      for device in devices { group.addTask { (try? await device.sync()) == nil } }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
  }

  private func fault() async throws {
    switch random.below(100) {
    case 0..<4:
      count("servers killed")
      try await servers.kill(Int(random.below(2)))
    case 4..<10:
      count("connections cut")
      try servers.cutConnections()
    default: break
    }
  }

  private func create(on device: ClusterDevice) {
    let number = UInt64(cards.count + 1)
    cards.append(number)
    device.store.create(Card(number, title: "new"))
    count("operations")
  }

  /// Likes and tags are counted, so that one that is lost or applied twice is noticed. Cards whose number is a multiple
  /// of 5 may be deleted, and are not counted.
  private func edit(on index: Int, _ step: Int) throws {
    let store = devices[index].store
    let known = try store.objects(Card.self)
    guard let card = known.isEmpty ? nil : random.pick(known) else { return }
    guard let number = cards.first(where: { Card.id($0) == card.id }) else { return }
    count("operations")
    switch random.below(10) {
    case 0: create(on: devices[index])
    case 1 where number % 5 == 0: store.delete(card.id)
    case 2...5:
      store.perform(Like(card: card.id))
      likes[number, default: 0] += 1
    case 6...7:
      let tag = "\(index)-\(step)-\(counts["operations"] ?? 0)"
      store.update(card.id) { $0.tags.insert(tag) }
      tags[number, default: []].insert(tag)
    default: store.update(card.id) { $0.title = "\(index), \(step)" }
    }
  }
}

extension ClusterWorld {
  private func expect(_ isTrue: Bool, _ problem: @autoclosure () -> String) {
    if !isTrue { problems.append(problem()) }
  }

  private func check() async throws {
    let all = try devices.map { try $0.cards() }
    for (index, device) in devices.enumerated() {
      expect(all[index] == all[0], "device \(index) sees other cards than device 0")
      expect(device.store.pending == 0, "device \(index) has \(device.store.pending) pending operations")
      // What is edited after somebody has deleted it has no effect, and that is told. Likes and tags are counted.
      let failed = device.store.failedOperations.filter { $0.reason.code != .noEffect }
      expect(failed.isEmpty, "device \(index): \(failed.map { "\($0.name) \($0.reason)" }.prefix(3))")
    }
    for card in all[0] {
      guard let number = cards.first(where: { Card.id($0) == card.id }), number % 5 != 0 else { continue }
      expect(card.likes == likes[number] ?? 0, "card \(number) has \(card.likes) likes, not \(likes[number] ?? 0)")
      let missing = (tags[number] ?? []).symmetricDifference(card.tags)
      expect(missing.isEmpty, "card \(number) lacks or has too much: \(missing.sorted())")
    }
    let kept = cards.filter { $0 % 5 != 0 }
    let seen = Set(all[0].map(\.id))
    for number in kept where !seen.contains(Card.id(number)) { problems.append("card \(number) is lost") }
    try checkDatabase(all[0])
  }

  private func checkDatabase(_ seen: [Card]) throws {
    for card in seen {
      let content = try servers.read { try $0.object(card.id.rawValue, in: .box)?.live?.content }
      expect(try content.map { try Card(id: card.id, blob: $0) } == card, "the server has \(card.id) otherwise")
    }
    for (what, sql) in Self.invariants {
      for row in try cluster.query(sql) { problems.append("\(what): \(row)") }
    }
  }

  /// What must be true of the tables; each query returns what is not.
  private static let invariants = [
    ("a revision is not below the head", "SELECT id FROM object JOIN queue USING (queue) WHERE revision > head"),
    (
      "the live objects are counted wrongly",
      """
      SELECT queue FROM queue WHERE live <>
        (SELECT count(*) FROM object WHERE object.queue = queue.queue AND type IS NOT NULL)
      """
    ),
    (
      "the objects of a queue are counted wrongly",
      """
      SELECT queue.queue FROM queue LEFT JOIN queue_usage USING (queue) WHERE (coalesce(rows, 0), coalesce(bytes, 0)) <>
        (SELECT count(*), coalesce(sum(octet_length(content)), 0)::bigint FROM object WHERE object.queue = queue.queue)
      """
    ),
    (
      "what a user takes is counted wrongly",
      """
      WITH taken AS (
        SELECT queue, account, sum(rows) AS rows, sum(bytes) AS bytes FROM (
          SELECT queue, created_by AS account, count(*) AS rows, sum(octet_length(content)) AS bytes
          FROM object WHERE type IS NOT NULL AND created_by IS NOT NULL GROUP BY queue, created_by
          UNION ALL SELECT queue, account, count(*), 0 FROM outcome GROUP BY queue, account) AS part
        GROUP BY queue, account)
      SELECT queue, account, taken.rows, usage.rows, taken.bytes, usage.bytes FROM taken
      FULL JOIN usage USING (queue, account)
      WHERE (coalesce(taken.rows, 0), coalesce(taken.bytes, 0)) <> (coalesce(usage.rows, 0), coalesce(usage.bytes, 0))
      """
    ),
    ("a duty is left", "SELECT queue, account FROM duty"),
    (
      "two outcomes of one operation, or an outcome behind the head",
      "SELECT operation FROM outcome JOIN queue USING (queue) WHERE at > head"
    ),
  ]
}
