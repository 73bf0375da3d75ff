// One device of one user of a preview server.

import Determinism
public import ModelSupport
import Synchronization

/// A store, and the client that keeps it in sync with a `PreviewServer`.
public final class PreviewDevice: Sendable {
  /// The user of the device: `UserID(subject: name, issuer: nil)`.
  public let user: UserID
  public let store: ModelStore
  /// For `run()`, or for its status. `sync()` is enough for most tests.
  public let client: SyncClient
  private let server: PreviewServer
  private let transport: PreviewTransport

  init(
    _ server: PreviewServer, _ user: UserID, _ schema: any SchemaDescription.Type, _ files: FileOptions, seed: UInt64,
    at path: String?
  ) throws {
    (self.server, self.user) = (server, user)
    store = try RuntimeEnvironment.$current.withValue(server.clock.environment(seed: seed)) {
      if let path { return try ModelStore(at: path, schema: schema, user: user, files: files) }
      return try ModelStore.temporary(schema, user: user, files: files)
    }
    transport = PreviewTransport(server, user)
    client = SyncClient(store: store, transport: transport)
  }

  /// The network between the device and the server; `online` at first.
  public var network: PreviewNetwork {
    get { transport.network.withLock { $0 } }
    set { transport.network.withLock { $0 = newValue } }
  }

  /// Another device of the same user.
  public func anotherDevice() throws -> PreviewDevice { try server.device(of: user, schema: store.schema) }

  /// Sends what the user did, fetches what others did, and returns when both are done.
  ///
  /// Throws as `SyncClient.syncOnce()` does: a `SyncError` while the device is offline.
  public func sync() async throws {
    try await store.waitUntilSaved()
    // What waits after a failure is tried now: time stands still.
    await client.retry()
    try await client.syncOnce()
  }

  /// Keeps the device in sync, as an app that is open, while `body` runs: what others do arrives, and files are fetched.
  public func whileSyncing<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    try await withThrowingTaskGroup(of: Result?.self) { group in
      group.addTask { [client] in
        try await client.run()
        return nil
      }
      group.addTask { try await body() }
      defer { group.cancelAll() }
      while let end = try await group.next() {
        if let result = end { return result }
      }
      throw CancellationError()
    }
  }
}

/// What becomes of the requests of a device.
public enum PreviewNetwork: Hashable, Sendable {
  case online
  /// No request comes to the server.
  case offline
  /// Requests come to the server, and their answers are lost: the device does not know what became of them.
  case losesAnswers
  /// Each request takes so long by the `TestClock`, in milliseconds.
  case slow(milliseconds: Int64)
  /// The server answers each request with this HTTP status: 401 the token is refused, 429 too many requests, 503 it is
  /// overloaded.
  case refuses(status: Int)
}
