// A store and its client, which syncs with a server.

import Foundation
import ModelSupport
import MomentsModels
import TestSupport

struct Device {
  let store: ModelStore
  let client: SyncClient
  private let folder: TemporaryFolder

  init(_ name: String, _ url: URL) throws {
    folder = try TemporaryFolder()
    store = try ModelStore(
      at: folder.url("store").path, schema: MomentsSchema.self, user: UserID(subject: name, issuer: nil))
    client = SyncClient(store: store, transport: HTTPTransport(url: url) { _ in Token.make(name) })
  }

  /// Bytes of a file that has so many.
  static func bytes(_ count: Int) -> [UInt8] {
    var random = SeededRandom(seed: UInt64(count))
    return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }

  /// Syncs while `body` runs.
  func syncing(_ body: () async throws -> Void) async throws {
    let running = Task { [client] in try await client.run() }
    try await body()
    running.cancel()
    try await running.value
  }
}
