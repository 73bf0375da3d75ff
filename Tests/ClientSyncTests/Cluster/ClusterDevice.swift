// A device whose requests go to either of two servers.

import Determinism
import Foundation
import ModelSupport
import SampleIDs
import TestSupport

/// `@unchecked Sendable`: no property changes.
final class ClusterDevice: @unchecked Sendable {
  let store: ModelStore
  let client: SyncClient
  private let folder: TemporaryFolder

  init(_ servers: ServerPair, user number: UInt64, seed: UInt64) throws {
    folder = try TemporaryFolder()
    let user = UserID(high: number, low: number)
    let environment = RuntimeEnvironment.seeded(seed, sleeping: { _ in })
    store = try RuntimeEnvironment.$current.withValue(environment) { [folder] in
      try ModelStore(at: folder.url("store").path, schema: CardsSchema.self, user: user)
    }
    var bounds = SyncBounds()
    bounds.checksIndex = true
    client = SyncClient(
      store: store, transport: ClusterTransport(servers: servers, user: user), invitations: .all, bounds: bounds)
  }

  func sync() async throws {
    try await store.waitUntilSaved()
    try await client.syncOnce()
  }

  func cards() throws -> [Card] { try store.objects(Card.self).sorted { $0.id < $1.id } }
}

private struct ClusterTransport: SyncTransport {
  let servers: ServerPair
  let user: UserID

  func post(
    _ body: [UInt8], timeoutMilliseconds: Int64, didMove: @escaping @Sendable () -> Void
  ) async throws -> TransportAnswer {
    try await servers.answer(body, by: user)
  }

  func refreshCredentials() {}
}
