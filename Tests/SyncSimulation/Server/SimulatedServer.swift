// The server: the real service on a real database, on a disk that loses power, restarted whenever it falls.

import Determinism
import Foundation
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
  private var process: SimulatedProcess?
  private var service: SyncService?
  private var lives: UInt64 = 0
  /// Of its database.
  private(set) var identity = UUIDValue.zero
  /// Of its history: another one after each restore that is announced.
  private(set) var name = UUIDValue.zero
  /// How wrong its clock is.
  var clockOffset: Int64 = 0
  /// What was copied away last.
  var backup: Backup?
  /// What it works on.
  private var exchanges: [Int: Exchange] = [:]
  private var exchangeCount = 0

  static let file = "server.sqlite"

  init(world: World) {
    self.world = world
    history = ServerHistory(world: world)
    referee = Referee(world: world)
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
    name = file.history
    let storage = RecordingStorage(file, history: history, faults: ServerFaults(world: world))
    try history.resolveDoubt(storage)
    world.remains.watch(process, "process \(lives) of the server")
    world.remains.watch(file, "storage \(lives) of the server")
    try referee.noteStart(storage, history: PlainID(file.history))
    self.process = process
    self.storage = storage
    service = RuntimeEnvironment.$current.withValue(environment) {
      SyncService(storage: storage, history: file.history)
    }
    // A server that fails at this does not start; so it is not let fail.
    try world.holdingFaults { try performNow { try await $0.begin() } }
  }

  /// The process ends, and with it every connection: some devices learn it at once, others by waiting.
  func stop() {
    guard let process else { return }
    if !disk.isOff { disk.kill() }
    for number in exchanges.keys.sorted() {
      guard let exchange = exchanges[number] else { continue }
      exchange.handler?.cancel()
      if world.random.chance(80) { world.time.after(5) { exchange.end(.failure(SimulatedNetwork.Broken())) } }
    }
    exchanges = [:]
    service = nil
    storage = nil
    self.process = nil
    process.end()
    disk.restart()
  }

  /// Lets the service do something to its end, before anything else happens.
  func performNow(
    _ call: ServedRequest.Call = .other, _ body: @escaping @Sendable (SyncService) async throws -> Void
  ) throws {
    guard let service, let process else { return }
    try ServedRequest.$current.withValue(ServedRequest(call)) { try process.executor.run { try await body(service) } }
  }

  /// A commit of somebody who has no device, to its end.
  func commit(_ request: CommitRequest, by user: UUIDValue) throws {
    guard let service, let process else { return }
    let body = SyncCall.commit.body(request)
    let served = ServedRequest(body: body, of: PlainID(user), by: referee.model)
    let response = try ServedRequest.$current.withValue(served) {
      try process.executor.run { await service.answer(body, by: user) }
    }
    referee.check(response.body, to: served)
  }

  /// Answers a request when its tasks are let run; false where there is no server to answer.
  func answer(
    _ body: [UInt8], of user: UUIDValue, _ exchange: Exchange, _ done: @escaping (_ status: Int, [UInt8]) -> Void
  ) -> Bool {
    guard let service, let process else { return false }
    exchangeCount += 1
    let number = exchangeCount
    let body = Self.limited(body, to: world.plan.pageObjects)
    let served = ServedRequest(body: body, of: PlainID(user), by: referee.model)
    let end = referee.begin(served)
    let finish = OnThisThread { (response: GraphQLResponse) in
      exchange.handler = nil
      guard !process.isOver else { return }
      end()
      self.exchanges[number] = nil
      let body = response.body
      self.referee.check(body, to: served)
      done(response.status, body)
    }
    let task = ServedRequest.$current.withValue(served) {
      Task(executorPreference: process.executor) {
        let response = await service.answer(body, by: user)
        finish.call(response)
      }
    }
    exchange.handler = task
    served.isGone = { task.isCancelled }
    exchanges[number] = exchange
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

/// A body that is called on the world's one thread, whoever carries it. `@unchecked Sendable` for that reason.
struct OnThisThread<Value>: @unchecked Sendable {
  let call: (Value) -> Void

  init(_ call: @escaping (Value) -> Void) { self.call = call }
}

// Backups.
extension SimulatedServer {
  /// The files, what had happened up to then, and which uploads had arrived.
  struct Backup {
    var files: [String: [UInt8]]
    var history: ServerHistory.State
    var model: PlainServer
  }

  func backUp() {
    let names = [Self.file, Self.file + "-wal"]
    let files = names.compactMap { name in disk[name].map { (name, $0) } }
    backup = Backup(files: Dictionary(uniqueKeysWithValues: files), history: history.state, model: referee.model)
  }

  /// Goes back to the backup. Where it is `announced`, the restore command gives the database another history, and every
  /// queue another epoch.
  func restore(announced: Bool) throws {
    guard let backup else { return }
    stop()
    for name in [Self.file, Self.file + "-wal", Self.file + "-journal"] { disk[name] = backup.files[name] }
    history.restore(backup.history)
    referee.restore(backup.model)
    self.backup = nil
    if announced { try changeHistory() }
    try start()
  }

  private func changeHistory() throws {
    let path = "\(disk.folder)/\(Self.file)"
    try FileManager.default.createDirectory(atPath: disk.folder, withIntermediateDirectories: true)
    let storage = try SQLiteStorage(path: path)
    _ = try storage.changeHistory { [world] in world.randomID() }
    let queues = try storage.read { snapshot in try snapshot.queues(after: nil, limit: .max) }
    history.noteEpochs(queues)
    referee.noteEpochs(queues.map { (PlainID($0.id), PlainID($0.queue.epoch)) })
    try storage.close()
  }
}
