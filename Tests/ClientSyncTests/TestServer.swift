// A server in the same process, and what a test does to the messages on their way.

import Determinism
import Foundation
import ModelRuntime
import MomentsModels
import SyncServer
import TestSupport

/// The service on a database of its own. `@unchecked Sendable`: nothing of it changes.
final class TestServer: @unchecked Sendable {
  let service: SyncService
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let storage = try SQLiteStorage(path: folder.url("server.sqlite").path)
    service = RuntimeEnvironment.$current.withValue(
      .seeded(1, sleeping: { _ in try await Task.sleep(for: .seconds(60)) })
    ) {
      SyncService(storage: storage)
    }
  }

  func device(_ user: UInt64, seed: UInt64? = nil) throws -> TestDevice { try TestDevice(self, user, seed ?? user) }
}

/// A store and its client, with a way to the server.
final class TestDevice: @unchecked Sendable {
  let store: ModelStore
  let client: SyncClient
  let transport: TestTransport
  let folder: TemporaryFolder

  init(_ server: TestServer, _ user: UInt64, _ seed: UInt64) throws {
    folder = try TemporaryFolder()
    let user = UserID(UUIDValue(high: user, low: user))
    let environment = RuntimeEnvironment.seeded(seed)
    store = try RuntimeEnvironment.$current.withValue(environment) { [folder] in
      try ModelStore(at: folder.url("store").path, schema: MomentsSchema.self, user: user)
    }
    transport = TestTransport(server.service, user)
    client = SyncClient(store: store, transport: transport)
  }
}

/// Carries encoded bytes to the service. `@unchecked Sendable`: the plan is behind a lock.
final class TestTransport: Transport, @unchecked Sendable {
  typealias Way =
    @Sendable (_ body: [UInt8], _ send: ([UInt8]) async -> TransportAnswer) async throws -> TransportAnswer

  private let service: SyncService
  private let user: UserID
  private let lock = NSLock()
  private var way: Way = { body, send in await send(body) }
  private var count = 0

  init(_ service: SyncService, _ user: UserID) {
    self.service = service
    self.user = user
  }

  /// From now on requests go this way.
  func goes(_ way: @escaping Way) { lock.withLock { self.way = way } }

  var requests: Int { lock.withLock { count } }

  func post(_ body: [UInt8], timeoutMilliseconds: Int64) async throws -> TransportAnswer {
    let way = lock.withLock {
      count += 1
      return self.way
    }
    return try await way(body) { body in
      let response = await service.answer(body, by: user.rawValue)
      return TransportAnswer(status: response.status, protocolVersion: "1", body: response.body)
    }
  }

  func refreshCredentials() async throws {}
}
