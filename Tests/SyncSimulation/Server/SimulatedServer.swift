// The server: the real service on a real database, on a disk that loses power, restarted whenever it falls.

import Determinism
import Foundation
import GraphQL
import StoreTestSupport
import SyncProtocol
import SyncServer
import TestSupport
import WireFormat

final class SimulatedServer: @unchecked Sendable {
  unowned let world: World
  let history: ServerHistory
  let referee: Referee
  let disk = FaultDisk()
  private(set) var storage: RecordingStorage?
  private(set) var process: SimulatedProcess?
  private var writer: SimulatedWriter?
  private var service: SyncService?
  let folder: SimulatedFolder
  private(set) var route: FileRoute?
  /// The requests about files on which it works.
  var fileRequests: [FileExchange] = []
  /// Its next end is a power cut.
  var losesPower = false
  private var lives: UInt64 = 0
  /// The id of its database.
  private(set) var identity = ServerID.zero
  /// The id of its history, which each announced loss changes.
  private(set) var name = HistoryID.zero
  /// How far its clock is off, in milliseconds.
  var clockOffset: Int64 = 0
  /// The oldest version of the first app that may commit, as the operator starts the server; nil if all may.
  var oldestWriter: String? { didSet { if let oldestWriter { oldestWriters.insert(oldestWriter) } } }
  /// All that it has had.
  private(set) var oldestWriters: Set<String> = []
  /// The last backup, until it is restored.
  var backup: Copy?
  /// The server after each of its last commits, while a failover is near; nil at other times.
  var replica: [Copy]?
  /// The servers that were given up by the last losses, in worlds in which the operator goes back to them.
  var givenUp: [Copy] = []
  /// The requests on which it works.
  private var exchanges: [Exchange] = []
  /// A round of upkeep is under way; there is never a second one beside it.
  private var isForgetting = false

  static let file = "server.sqlite"

  /// The table of access, as the operator has it from the schema of the first app. The second app has none.
  private var access: AccessTables {
    var root = AlbumRoot.objectAccess
    if world.plan.foundersStay { root.members = AlbumRoot.strictMembers }
    return AccessTables([
      AlbumSchema.name: AccessTable(types: [
        AlbumRoot.modelName: root, Photo.modelName: Photo.objectAccess, Message.modelName: Message.objectAccess,
        Badge.type: Badge.access, Pair.modelName: Pair.objectAccess,
      ])
    ])
  }

  init(world: World) {
    self.world = world
    history = ServerHistory(world: world)
    referee = Referee(world: world)
    folder = SimulatedFolder(world: world)
  }

  var isRunning: Bool { service != nil }
  var executor: SeededExecutor? { process?.executor }

  func start() throws {
    lives += 1
    let process = SimulatedProcess(seed: world.seed(of: "order server \(lives)"), time: world.time)
    let environment = process.environment(seed: world.seed(of: "chance server \(lives)")) { [unowned self] in
      referee.noteClock(SimulatedProcess.start + world.time.now + clockOffset)
      return clockOffset
    }
    try FileManager.default.createDirectory(atPath: disk.folder, withIntermediateDirectories: true)
    let file = try RuntimeEnvironment.$current.withValue(environment) {
      try SQLiteStorage(path: "\(disk.folder)/\(Self.file)")
    }
    identity = file.identity
    name = file.history.current
    let writer = SimulatedWriter(file, environment, world: world)
    let storage = RecordingStorage(file, writer, history: history, faults: ServerFaults(world: world))
    try history.resolveDoubt(storage)
    world.remains.watch(process, "process \(lives) of the server")
    world.remains.watch(file, "storage \(lives) of the server")
    try referee.noteStart(storage, file.history)
    isForgetting = false
    self.process = process
    self.writer = writer
    self.storage = storage
    var access = access
    access.oldestWriters[AlbumSchema.name] = oldestWriter.flatMap { SchemaVersion($0) }
    referee.noteOldestWriter(oldestWriter)
    let service = RuntimeEnvironment.$current.withValue(environment) {
      SyncService(
        storage: storage, history: file.history, access: access, pageBytes: world.plan.pageBytes,
        workOfATurn: 1, rowsAtOnce: 3)
    }
    let calls = FileCalls(world: world, environment: environment)
    let files = FileService(service, files: folder, calls: calls)
    (self.service, route) = (service, FileRoute(files: files, environment: environment, world: world))
    world.oracles.filesAreWhole()
    // A server that fails at this does not start, so there are no faults here.
    try world.holdingFaults { try performNow { try await $0.begin() } }
  }

  /// Ends the process, and with it every connection. Some devices learn it at once, others by waiting.
  func stop() {
    guard let process else { return }
    if !disk.isOff { disk.kill() }
    for exchange in exchanges {
      exchange.handler?.cancel()
      if world.random.chance(80) { world.time.after(5) { exchange.end(nil) } }
    }
    exchanges = []
    breakFileRequests()
    (service, route) = (nil, nil)
    storage = nil
    self.process = nil
    writer?.stop()
    writer = nil
    process.end()
    disk.restart()
    if losesPower { folder.losePower() }
    losesPower = false
  }

  /// Runs `body` to its end before anything else happens. Does nothing if no server runs.
  func performNow(
    _ call: ServedRequest.Call = .other, _ body: @escaping @Sendable (SyncService) async throws -> Void
  ) throws {
    guard let service, let process else { return }
    try ServedRequest.$current.withValue(ServedRequest(call)) { try process.executor.run { try await body(service) } }
  }

  /// Starts one round of upkeep, beside everything else.
  func performUpkeep(_ rules: UpkeepRules) {
    guard let service, let route, let process, !isForgetting else { return }
    isForgetting = true
    let round = referee.round(of: PlainRules(rules))
    ServedRequest.$current.withValue(ServedRequest(.upkeep(PlainRules(rules)))) {
      process.executor.spawn { [self] in
        var isDone = (try? await service.performUpkeep(rules)) != nil
        if isDone { isDone = (try? await route.files.performUpkeep(rules)) != nil }
        guard !process.isOver else { return }
        isForgetting = false
        if isDone { referee.checkEnd(of: round, storage) }
      }
    }
  }

  /// Commits for a user who has no device, under the present membership, to its end. Unless told, by the app of the
  /// queue.
  func commit(_ request: CommitRequest, by user: UserID, schema: String? = nil) throws {
    guard let service, let process else { return }
    var request = request
    request.grant = history.state.queues[request.queue]?.members[user]?.grant
    let body = SyncCall.commit.body(
      request, schema: schema ?? world.app(of: request.queue).name, version: SchemaVersion("9"))
    let served = ServedRequest(body: body, of: PlainID(user), by: referee.model)
    let response = try ServedRequest.$current.withValue(served) {
      try process.executor.run { await service.answer(body, by: user) }
    }
    referee.check(response.body, to: served)
  }

  /// Begins to answer a request; `done` is called with the answer. False if no server runs.
  func answer(
    _ body: [UInt8], of user: UserID, _ exchange: Exchange, _ done: @escaping (_ status: Int, [UInt8]) -> Void
  ) -> Bool {
    guard let service, let process else { return false }
    let body = Self.limited(body, to: world.plan.pageObjects)
    let served = ServedRequest(body: body, of: PlainID(user), by: referee.model)
    let end = referee.begin(served)
    let finish = OnThisThread { (response: GraphQLResponse) in
      exchange.handler = nil
      guard !process.isOver else { return }
      end()
      self.exchanges.removeAll { $0 === exchange }
      let body = response.body
      self.referee.check(body, to: served)
      done(response.status, body)
    }
    let task = ServedRequest.$current.withValue(served) {
      Task(executorPreference: process.executor) { finish.call(await service.answer(body, by: user)) }
    }
    exchange.handler = task
    served.isGone = { task.isCancelled }
    exchanges.append(exchange)
    return true
  }
}

extension SimulatedServer {
  /// The request with a smaller limit, so that a few objects are many pages.
  private static func limited(_ body: [UInt8], to objects: Int) -> [UInt8] {
    let word = Array("\"limit\":".utf8)
    guard objects < 10_000, body.count > 64 else { return body }
    let tail = body.count - 40
    guard let start = (tail..<body.count - word.count).first(where: { body[$0..<$0 + word.count].elementsEqual(word) })
    else { return body }
    let value = start + word.count
    let end = body[value...].firstIndex { $0 == UInt8(ascii: "}") || $0 == UInt8(ascii: ",") } ?? body.count
    return body[..<value] + Array("\(objects)".utf8) + body[end...]
  }
}

/// A closure that tasks pass on, and that is called on the world's one thread only. `@unchecked Sendable` for that
/// reason.
struct OnThisThread<Value>: @unchecked Sendable {
  let call: (Value) -> Void

  init(_ call: @escaping (Value) -> Void) { self.call = call }
}
