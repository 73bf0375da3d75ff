// A device of a user: a disk that stays, and the lives of the app on it. A life is one run of the app's process.

import ClientStore
import ClientSync
import Determinism
import ModelTypes
import StoreTestSupport
import SyncProtocol
import TestSupport
import WireFormat

final class Device: @unchecked Sendable {
  unowned let world: World
  /// The name under which operations are performed on it.
  let name: String
  let user: UserID
  let app: SimulatedApp
  let disk: FaultDisk
  /// The folders of files beside the store.
  let files: SimulatedFileDisk
  private(set) var life: Life?
  private(set) var lives: UInt64 = 0

  /// How many requests it has sent; those about files are counted apart.
  var requests = 0
  var fileRequests = 0
  /// Its token is refused until the client asks for another.
  var hasExpiredToken = false
  /// How far its clock is off, in milliseconds.
  var clockOffset: Int64 = 0
  var record = DeviceRecord()
  /// Its client has ended, because its store has failed.
  private(set) var hasSyncEnded = false
  /// A call to its disk has failed in this life.
  var diskHasFailed = false
  /// Something has happened on it since the oracles last looked.
  var isTouched = true
  /// How often its client was told to pause, and whether it is paused now.
  var pauses = 0
  /// Queues whose invitations were accepted on it.
  var accepted: Set<QueueID> = []
  var isPaused = false
  /// How many of its requests got an error or no answer.
  var troubles = 0
  /// It has no connection.
  var isOffline = false
  /// How many looks of the oracles were left out since the last one.
  var looksSkipped = 0
  /// Its calls of `syncOnce`; nil if it syncs continuously in this life.
  var once: OnceCalls?
  /// Set while the simulation closes its store.
  var closing: Closing?
  /// By queue: the delta that was requested before the page in front of it was stored.
  var pagesAhead: [QueueID: DeltaRequest.Queue] = [:]
  /// Queues whose last delta was refused. The client may read that as late as it next asks for the queue, because the
  /// answer may have been fetched ahead.
  var refusedDeltas: Set<QueueID> = []
  /// Requests that it may still wait for.
  var underWay: [UnderWay] = []

  /// Weak, because the exchange holds the device.
  struct UnderWay { weak var exchange: Exchange? }
  /// Requests about files that are on their way.
  var filesUnderWay: [FileExchange] = []
  /// Its next crash is a power cut.
  var losesPower = false
  /// How often the system has removed files from its cache.
  var cachesEmptied = 0
  /// The `changeCount` of `files` when the oracles last looked at it.
  var filesLooked = 0

  /// Set while its user is taken into many queues; watches its requests.
  var joining: Joining?
  /// Kept by the oracles from look to look: the last look, and everything that must be shown.
  var looked: LookMemory?
  var shown = ShownObjects()

  struct Life: @unchecked Sendable {
    // `@unchecked Sendable`: everything runs on one thread.
    var process: SimulatedProcess
    var environment: RuntimeEnvironment
    var store: ModelStore
    var client: SyncClient
    var sync: Task<Void, Never>
    var rows: DeviceRows
    /// When the store sweeps its files, once after each start.
    var sweepsAt: Int64
    /// The tasks that add and read files.
    let fileTasks = FileTasks()
    /// Nil where the app shows no lists.
    var lists: OpenLists?
    /// The queues whose signals the app watches.
    let watches = SignalWatches()
  }

  init(world: World, name: String, user: UserID, app: SimulatedApp, files: SimulatedFileDisk = SimulatedFileDisk()) {
    (self.world, self.name, self.user, self.app, self.files) = (world, name, user, app, files)
    disk = FaultDisk()
    world.remains.watch(self, name)
    world.remains.watch(disk, "the disk of \(name)")
  }

  var home: QueueID { app.schema.homeQueueID(of: user) }
  var store: ModelStore? { life?.store }
  /// The time on its clock, in milliseconds since 1970.
  var now: Int64 { SimulatedProcess.start + world.time.now + clockOffset }
  var isRunning: Bool { life != nil }

  /// Whether its app was updated to the newest version, while it did not run.
  var isUpdated = false

  /// Some apps are older than the table of access that their server has, and some are newer than the app of others.
  var schema: any SchemaDescription.Type {
    if isUpdated { return app.newer }
    let seed = world.seed(of: "app \(name)")
    if seed % 3 == 0 { return app.older }
    return seed % 2 == 0 ? app.newer : app.schema
  }

  /// Opens the store and starts the client. Throws the store's error.
  func start() throws {
    lives += 1
    let process = SimulatedProcess(seed: world.seed(of: "order \(name) \(lives)"), time: world.time)
    let environment = process.environment(seed: world.seed(of: "chance \(name) \(lives)")) { [unowned self] in
      clockOffset
    }
    let transport = DeviceTransport(device: self, process: process, network: world.network)
    let placedAtOnce = [0, 2, 256][Int(world.seed(of: "placing \(name) \(lives)") % 3)]
    var bounds = SyncBounds()
    bounds.checksIndex = true
    bounds.previews = Self.maximumPreviews
    // In worlds of `manyQueues` oracles judge that edits do not wait for first loads. With all four requests, one of
    // them is never used by loads.
    let isJudged = world.plan.faults.contains(.manyQueues)
    bounds.requests = isJudged ? 4 : [2, 4, 4][Int(world.seed(of: "requests \(name) \(lives)") % 3)]
    let store = try RuntimeEnvironment.$current.withValue(environment) {
      try ModelStore.$placedAtOnce.withValue(placedAtOnce) {
        try ModelStore(at: disk.folder, schema: schema, user: user, files: fileOptions(process))
      }
    }
    let rows = try DeviceRows(disk: disk)
    let client = RuntimeEnvironment.$current.withValue(environment) {
      SyncClient(
        store: store, transport: transport, files: fileLimits, invitations: policy, bounds: bounds)
    }
    let sync = RuntimeEnvironment.$current.withValue(environment) { beginSyncing(client, process, environment) }
    life = Life(
      process: process, environment: environment, store: store, client: client, sync: sync, rows: rows,
      sweepsAt: world.time.now + 5_000,
      lists: world.seed(of: "lists \(name) \(lives)") % 3 == 0
        ? nil : RuntimeEnvironment.$current.withValue(environment) { OpenLists(store, process) })
    let parts: [(AnyObject, String)] = [(process, "process"), (store, "store"), (client, "client"), (rows, "rows")]
    for (part, word) in parts { world.remains.watch(part, "\(word) \(lives) of \(name)") }
    hasSyncEnded = false
    diskHasFailed = false
    record.noteStart(store)
    record.noteSweep(now + 5_000, world.operations)
    isTouched = true
  }

  /// Notes that the clock was set. A sweep that is still to come goes by the new one.
  func noteClock() {
    record.noteClock(now)
    if let life, world.time.now <= life.sweepsAt { record.noteSweep(now + 5_000, world.operations) }
  }

  /// Called when sync has ended, which it does on its own only if the store has failed. Restarts the app after a
  /// failure of the disk, and reports any other end.
  func syncEnded(_ process: SimulatedProcess, _ error: (any Error)?) {
    guard !process.isOver, life?.process === process else { return }
    if let closing, let error = error as? StoreError, error.code == .closed { return closing.noteEndOfClient() }
    hasSyncEnded = true
    world.trace("the client of \(name) has ended: \(error.map { "\($0)" } ?? "no error")")
    if error is StoreError, world.isDiskFailing(of: self) || diskHasFailed {
      // The app is started again. While `failDisk` injects a fault into this device, it restarts the app itself.
      if world.failing != name { world.time.after(0) { [unowned self] in restartAfterFailure(process) } }
    } else {
      world.oracles.report("the client of \(name) ended without need: \(error.map { "\($0)" } ?? "no error")")
    }
  }

  private func restartAfterFailure(_ process: SimulatedProcess) {
    if life?.process === process, !disk.isOff { world.stop(self, .inOrder) }
  }

  /// How a life ends.
  enum End { case inOrder, kill, powerCut }

  func stop(_ end: End) {
    guard let life else { return }
    record.noteEnd()
    if end != .inOrder, !disk.isOff {
      losesPower = end == .powerCut
      fall()
    }
    life.sync.cancel()
    life.fileTasks.end()
    life.lists?.end()
    life.watches.end()
    life.process.end()
    life.store.abandon()
    if !life.process.executor.isIdle { world.oracles.report("the client of \(name) does not end when it is cancelled") }
    self.life = nil
    (once, isPaused) = (nil, false)
    if end != .inOrder {
      if losesPower, files.losePower(&world.random) { world.count("names and bytes of files that a power cut takes") }
      (files.fallsAfter, losesPower) = (nil, false)
      world.oracles.filesAreRight(on: self)
      disk.restart()
    }
  }

  /// Ends the process in the middle of a call to the disk.
  func fall() {
    if losesPower { disk.cut(seed: world.random.next()) } else { disk.kill() }
  }

  /// Runs `body` in the app's process, to its end.
  func perform(_ body: @escaping @Sendable (Life) async throws -> Void) throws {
    guard let life else { return }
    try life.process.executor.run { try await body(life) }
  }
}
