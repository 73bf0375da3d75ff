// The service on PostgreSQL: each client with a queue of its own, or all in one.

import Foundation
import SyncPostgres
import SyncProtocol
import SyncServer
import WireFormat

struct ServiceOnPostgres: CommitSubject {
  let name: String
  private let storage: PostgresStorage
  private let service: SyncService
  private let isHot: Bool
  private let grants = Grants()

  /// Makes tables of its own in the database.
  init(_ address: String, isHot: Bool) throws {
    self.isHot = isHot
    name = "the service on PostgreSQL, \(isHot ? "all in one queue" : "a queue each")"
    storage = try Self.open(address, isHot ? "hot" : "each")
    service = SyncService(storage: storage, history: storage.history)
  }

  /// Makes tables of its own in the database.
  static func open(_ address: String, _ name: String) throws -> PostgresStorage {
    let schema = "bench_\(getpid())_\(name)"
    try PostgresStorage.makeSchema(schema, at: address)
    return try PostgresStorage(
      "\(address)\(address.contains("?") ? "&" : "?")options=-csearch_path%3D\(schema)", creates: true,
      readers: WorkerThreads(4, atOnce: 3, name: "reader", waiting: 20_000),
      writers: WorkerThreads(16, atOnce: 16, name: "writer", waiting: 20_000))
  }

  var perSync: Double? { Double(storage.written.transactions) / Double(storage.written.syncs) }

  func prepare() async throws {
    // In one queue, the first client makes it.
    if isHot { try await commit(as: 0) } else { try await commit(CommitBench.clients) }
  }

  func commit(_ count: Int) async throws {
    try await atOnce(count) { client in try await commit(as: isHot ? 0 : client) }
  }

  private func commit(as client: Int) async throws {
    let request = try Samples.request(client, under: grants[client])
    let answer = try await Caller.$user.withValue(Samples.user(client)) {
      try await service.commit(request, by: Samples.asker(client))
    }
    grants[client] = try Samples.check(answer)
  }
}
