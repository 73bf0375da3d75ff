// Two servers with one database of PostgreSQL, either of which may die in the middle of anything.

import Determinism
import Foundation
import GraphQL
import ModelSupport
import SyncPostgres
import SyncServer
import TestSupport

/// `@unchecked Sendable`: its lock guards what changes.
final class ServerPair: @unchecked Sendable {
  /// One life of a server. `@unchecked Sendable`: the pair's lock guards whether it is dead.
  private final class Node: @unchecked Sendable {
    let storage: PostgresStorage
    let service: SyncService
    var isDead = false

    init(_ address: String) throws {
      storage = try PostgresStorage(address, creates: true, readers: ServerPair.threads, writers: ServerPair.threads)
      service = SyncService(storage: storage, history: storage.history)
      storage.listen { [service] in await service.hear($0) }
    }
  }

  private static let threads = WorkerThreads(8, atOnce: 8, name: "test", waiting: 10_000)
  private let cluster: PostgresCluster
  private let lock = NSLock()
  private var nodes: [Node] = []
  private var random: SeededRandom
  /// In percent: of the requests that do not arrive, and of the answers.
  private var losses: UInt64 = 0
  private(set) var lives = 0

  init(_ cluster: PostgresCluster, seed: UInt64) throws {
    self.cluster = cluster
    random = SeededRandom(seed: seed)
    for _ in 0...1 { nodes.append(try begin()) }
  }

  private func begin() throws -> Node {
    lives += 1
    return try Node(cluster.address() + "&application_name=node")
  }

  func lose(percent: UInt64) { lock.withLock { losses = percent } }

  /// The connection was lost, or the server.
  struct Lost: Error {}

  /// Sends a request to either of the servers.
  func answer(_ body: [UInt8], by user: UserID) async throws -> TransportAnswer {
    let (node, isLost, isAnswerLost) = lock.withLock {
      (nodes[Int(random.below(2))], random.below(100) < losses, random.below(100) < losses)
    }
    if isLost { throw Lost() }
    let response = await node.service.answer(body, by: user)
    if isAnswerLost || lock.withLock({ node.isDead }) { throw Lost() }
    return TransportAnswer(
      status: response.status, protocolVersion: "1", server: node.storage.identity,
      history: node.service.history.current, oldestWriter: nil, body: response.body)
  }

  /// One of the servers dies, and begins again.
  func kill(_ index: Int) async throws {
    let dead = lock.withLock {
      nodes[index].isDead = true
      return nodes[index]
    }
    dead.storage.close()
    // Connections have no names by which one could tell the servers apart. The other one has to bear it.
    try cutConnections()
    await dead.service.close()
    let node = try begin()
    try await node.service.begin()
    lock.withLock { nodes[index] = node }
  }

  func cutConnections() throws {
    try cluster.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'node'")
  }

  /// Performs what servers have left to each other.
  func settle() async throws { try await lock.withLock { nodes[0] }.service.performDuties() }

  func end() async {
    for node in lock.withLock({ nodes }) {
      await node.service.close()
      node.storage.close()
    }
  }

  /// Reads the database beside the servers.
  func read<Result>(_ body: (any QueueSnapshot) throws -> Result) throws -> Result {
    try lock.withLock { nodes[0] }.storage.readNow(body)
  }
}
