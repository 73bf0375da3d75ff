// A server in the same process, devices, and a transport whose messages a test can change or lose.

import Determinism
import Foundation
import GraphQL
import ModelSupport
import SampleIDs
import SyncProtocol
import SyncServer
import TestSupport

/// The service on a database of its own, which can be copied and restored. `@unchecked Sendable`: used by one task
/// after the other.
final class TestServer: @unchecked Sendable {
  private(set) var service: SyncService
  private(set) var identity: ServerID
  private var histories: HistoryTable
  private let folder: TemporaryFolder
  private let time: TestTime?
  private var lives: UInt64 = 1
  private var backups = 0

  init(time: TestTime? = nil, room: RoomLimit = .none) throws {
    folder = try TemporaryFolder()
    self.time = time
    (service, identity, histories) = try Self.open(folder.url("1/server.sqlite"), seed: 1, time, room)
  }

  private static func open(
    _ url: URL, seed: UInt64, _ time: TestTime?, _ room: RoomLimit = .none
  ) throws -> (SyncService, ServerID, HistoryTable) {
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    let storage = try SQLiteStorage(path: url.path)
    let seeded = RuntimeEnvironment.seeded(seed, sleeping: { _ in })
    let environment = RuntimeEnvironment(
      clock: time?.clock ?? seeded.nowMilliseconds, randomness: seeded.randomBits, spawning: seeded.spawn,
      sleeping: { _ in })
    return RuntimeEnvironment.$current.withValue(environment) {
      (SyncService(storage: storage, history: storage.history, room: room), storage.identity, storage.history)
    }
  }

  /// A copy of everything, as an operator would keep it.
  func backUp() throws -> URL {
    backups += 1
    let backup = folder.url("backup-\(backups)")
    try FileManager.default.copyItem(at: folder.url("\(lives)"), to: backup)
    return backup
  }

  var history: HistoryID { histories.current }

  /// The time back to which a client that knows this history may have lost something.
  func since(after known: HistoryID) -> Timestamp { histories.since(after: known) }

  /// Starts again with a copy of a backup, as `modelserver restore` does. `isSilent` keeps the history, as if somebody
  /// had put back the file alone.
  func restore(_ backup: URL, since: Timestamp? = nil, isSilent: Bool = false) throws {
    lives += 1
    try FileManager.default.copyItem(at: backup, to: folder.url("\(lives)"))
    let database = folder.url("\(lives)/server.sqlite")
    if !isSilent {
      var random = SeededRandom(seed: lives &+ 1_000)
      let storage = try SQLiteStorage(path: database.path)
      let history = HistoryID(UUIDValue(high: random.next(), low: random.next()))
      _ = try storage.changeHistory(since: since, to: history)
      try storage.close()
    }
    (service, identity, histories) = try Self.open(database, seed: lives, time)
  }

  /// Starts again with an empty database, as if the old one was lost.
  func loseEverything() throws {
    lives += 1
    (service, identity, histories) = try Self.open(folder.url("\(lives)/server.sqlite"), seed: lives, time)
  }

  /// The hash of the three bytes `abc`.
  static let abc = ContentHash("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")!

  /// Uploads the file with these three bytes to a queue.
  func uploadABC(to queue: QueueID, by user: UserID) async throws {
    let files = FileService(service, files: FolderStorage(path: folder.url("files").path), threads: 1)
    let place = FileKey(queue: queue, hash: Self.abc)
    guard case .part(var part) = try await files.begin(place, at: 0, by: user) else { return }
    try await files.append(Array("abc".utf8), to: &part)
    try await files.finish(part)
  }

  func device(
    _ user: UInt64, seed: UInt64? = nil, time: TestTime? = nil, invitations: InvitationPolicy = .all,
    previews: Int = 20, schema: any SchemaDescription.Type = CardsSchema.self
  ) throws -> TestDevice {
    try TestDevice(
      self, user, seed ?? user, folder: TemporaryFolder(), time: time, invitations: invitations,
      previews: previews, schema: schema)
  }
}

/// A store and its client, with a transport to the server. `@unchecked Sendable`: no property changes.
final class TestDevice: @unchecked Sendable {
  let server: TestServer
  let store: ModelStore
  let client: SyncClient
  let transport: TestTransport
  private let folder: TemporaryFolder

  init(
    _ server: TestServer, _ user: UInt64, _ seed: UInt64, folder: TemporaryFolder,
    clock: (@Sendable () -> Int64)? = nil, time: TestTime? = nil, invitations: InvitationPolicy = .all,
    previews: Int = 20, schema: any SchemaDescription.Type = CardsSchema.self
  ) throws {
    (self.server, self.folder) = (server, folder)
    let user = UserID(high: user, low: user)
    let seeded = RuntimeEnvironment.seeded(seed, sleeping: { _ in })
    let environment = RuntimeEnvironment(
      clock: clock ?? time?.clock ?? seeded.nowMilliseconds, randomness: seeded.randomBits, spawning: seeded.spawn,
      sleeping: { time?.pass($0) })
    store = try RuntimeEnvironment.$current.withValue(environment) {
      try ModelStore(at: folder.url("store").path, schema: schema, user: user)
    }
    transport = TestTransport(server, user)
    var bounds = SyncBounds()
    bounds.checksIndex = true
    bounds.previews = previews
    client = SyncClient(
      store: store, transport: transport, invitations: invitations, bounds: bounds)
  }

  /// Another device with a copy of this device's store folder.
  func clone(seed: UInt64) throws -> TestDevice {
    let copy = try TemporaryFolder()
    try FileManager.default.copyItem(at: folder.url("store"), to: copy.url("store"))
    return try TestDevice(server, store.user.rawValue.low, seed, folder: copy)
  }

  /// Another process that opens the same store.
  func secondProcess(
    seed: UInt64, invitations: InvitationPolicy = .all, schema: any SchemaDescription.Type = CardsSchema.self
  ) throws -> TestDevice {
    try TestDevice(server, store.user.rawValue.low, seed, folder: folder, invitations: invitations, schema: schema)
  }

  /// Saves, and syncs until nothing is left to do.
  func sync() async throws {
    try await store.waitUntilSaved()
    try await client.syncOnce()
  }

  func card(_ number: UInt64, in box: QueueID = .box) throws -> Card? { try store.object(Card.id(number, in: box)) }
}

/// Carries encoded bytes to the service. `@unchecked Sendable`: `lock` guards what changes.
final class TestTransport: SyncTransport, @unchecked Sendable {
  typealias Way = @Sendable (Message, _ send: () async -> TransportAnswer) async throws -> TransportAnswer

  /// A request on its way.
  struct Message: Sendable {
    var body: [UInt8]
    /// `Commit`, `Delta` or `Changed`; empty for other calls.
    var call: String

    func names(_ operation: OperationID) -> Bool { String(decoding: body, as: UTF8.self).contains("\(operation)") }

    /// When its operations were first sent, according to the request, in milliseconds since 1970.
    var firstSent: [Int64] {
      String(decoding: body, as: UTF8.self).matches(of: /"firstSent":"(\d+)"/).compactMap { Int64($0.1) }
    }
  }

  private let server: TestServer
  /// The user whose token it sends.
  private var user: UserID
  private let lock = NSLock()
  private var way: Way = { _, send in await send() }
  private var sent: [Message] = []
  private var token = TestToken.good
  private(set) var renewals = 0
  /// Whether answers have the header `Sync-Oldest-Writer`; without it, a client learns by refusals.
  var tellsOldestWriter = true

  private enum TestToken {
    case good, expired, none
  }

  init(_ server: TestServer, _ user: UserID) {
    self.server = server
    self.user = user
  }

  /// From now on, `way` decides about each request.
  func goes(_ way: @escaping Way) { lock.withLock { self.way = way } }

  /// From now on its token is another user's.
  func signIn(_ user: UserID) { lock.withLock { self.user = user } }

  func goesStraight() { goes { _, send in await send() } }

  var messages: [Message] { lock.withLock { sent } }

  /// How many requests of the call `Commit` have contained an operation.
  func commits(of operation: OperationHandle) -> Int {
    messages.count { $0.call == "Commit" && String(decoding: $0.body, as: UTF8.self).contains("\(operation.id)") }
  }

  /// Requests are refused until the token is renewed.
  func expireToken() { lock.withLock { token = .expired } }

  /// Requests are refused, and the token cannot be renewed before `signInAgain`.
  func signOut() { lock.withLock { token = .none } }
  func signInAgain() { lock.withLock { token = .expired } }

  func post(
    _ body: [UInt8], timeoutMilliseconds: Int64, didMove: @escaping @Sendable () -> Void
  ) async throws -> TransportAnswer {
    let text = String(decoding: body, as: UTF8.self)
    let call = ["Commit", "Delta", "Changed"].first { text.contains("\"operationName\":\"\($0)\"") } ?? ""
    let message = Message(body: body, call: call)
    let (way, user, isAdmitted) = lock.withLock {
      sent.append(message)
      return (self.way, self.user, token == .good)
    }
    guard isAdmitted else { return TransportAnswer(status: 401, protocolVersion: "1", body: []) }
    return try await way(message) {
      let response = await server.service.answer(body, by: user)
      return TransportAnswer(
        status: response.status, protocolVersion: "1", server: server.identity, history: server.history,
        oldestWriter: tellsOldestWriter ? server.service.oldestWriter(of: CardsSchema.name)?.description : nil,
        body: response.body)
    }
  }

  func refreshCredentials() async throws {
    try lock.withLock {
      if token == .none { throw SyncError(.signedOut, "Nobody is signed in.") }
      // Requests that were refused together share one renewal.
      if token == .expired { renewals += 1 }
      token = .good
    }
  }

  /// The connection was lost.
  struct Lost: Error {}
}

/// A clock on which sleeping takes no real time. `@unchecked Sendable`: `lock` guards `now`.
final class TestTime: @unchecked Sendable {
  private let lock = NSLock()
  private var now: Int64 = 1_700_000_000_000

  var clock: @Sendable () -> Int64 { { self.lock.withLock { self.now } } }

  func pass(_ milliseconds: Int64) { lock.withLock { now += milliseconds } }
}
