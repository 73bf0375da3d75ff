// The client that keeps a store and a server in sync.

public import ClientStore
import Determinism
import SyncProtocol
import WireFormat

/// Sends what the user did and fetches what others did, for as long as it runs.
///
/// Start one for a store and forget it:
///
///     let client = SyncClient(store: store, transport: HTTPTransport(url: url, token: token))
///     try await client.run()
///
/// `SyncMachine`, which is pure, decides what to do next; the actor does it. One client syncs a store: a later one
/// takes over, and the earlier one ends with the error `busy`.
public actor SyncClient {
  let store: ModelStore
  let transport: any SyncTransport
  /// Nil if the transport carries no files.
  let fileTransport: (any FileTransport)?
  let environment: RuntimeEnvironment
  let home: QueueID
  private let invitations: InvitationPolicy
  let bounds: SyncBounds
  var machine: SyncMachine
  var files: FileMachine
  /// How fast the network is, as the requests of this client have shown.
  var link = Link()
  /// The requests under way.
  var exchanges: [ExchangeProgress] = []
  /// How often operations have failed that were alone in their commits.
  var failedAlone: [OperationID: Int] = [:]
  /// The page that was fetched ahead, for queues that are being loaded.
  var pagesAhead: [QueueID: PageAhead] = [:]
  /// The name by which the store knows this run; nil while none is under way.
  private(set) var holder: UUIDValue?
  /// The server's time when uploaded files last became a part of the cache in this run; nil before.
  var filesReleasedAt: Timestamp?
  /// Rung whenever there may be something to begin; nil while the client does not run.
  private(set) var bell: AsyncStream<Void>.Continuation?
  /// Whether the current run is a `syncOnce`; and the calls of `run` that wait for its end.
  private var isOnce = false
  private var nexts: [AsyncStream<Void>.Continuation] = []
  /// Ends the poll that is under way.
  var pollInterrupt: AsyncStream<Void>.Continuation?
  /// When the earliest timer rings, in milliseconds since 1970 by the device's clock.
  private var timerAt: Int64?
  /// The error of the store that ends the run.
  private(set) var failure: (any Error)?
  /// The failures that the store has noted.
  private var noted: [QueueID: QueueFailure] = [:]
  var statusFeed = StatusFeed()

  /// Uses clock, randomness and tasks of the environment in which the store was opened. Files use the same transport,
  /// if it is a `FileTransport` as `HTTPTransport` is. `invitations`: about which of the queues that others add the
  /// user to the user is asked before they are shown. Queues that were shown before are not asked about.
  public init(
    store: ModelStore, transport: any SyncTransport, files: FileLimits = FileLimits(),
    invitations: InvitationPolicy = .all
  ) {
    self.init(store: store, transport: transport, files: files, invitations: invitations, bounds: SyncBounds())
  }

  package init(
    store: ModelStore, transport: any SyncTransport, files: FileLimits = FileLimits(),
    invitations: InvitationPolicy = .all,
    bounds: SyncBounds
  ) {
    (self.store, self.transport) = (store, transport)
    (self.invitations, self.bounds) = (invitations, bounds)
    fileTransport = transport as? any FileTransport
    self.files = FileMachine(files)
    environment = store.environment
    home = store.homeQueueID
    machine = SyncMachine(home: home, bounds: bounds)
  }

  /// Syncs until its task is cancelled. Failures of the network or the server do not end it. Throws a `StoreError`: for
  /// a disk error that does not pass by itself, `damaged`, `closed`, or `busy` if another client has taken over or this
  /// one runs already. Waits for the end of a `syncOnce` that is under way.
  public func run() async throws {
    while bell != nil, isOnce, !Task.isCancelled {
      let (ends, next) = AsyncStream.makeStream(of: Void.self)
      nexts.append(next)
      for await _ in ends {}
    }
    if Task.isCancelled { return }
    try await work(once: false)
  }

  /// Sends what can be sent, also what is still being saved, fetches what there is, and returns. Throws a `SyncError`
  /// if the server was not reached or did not serve a queue or an upload, or if sync is paused; a `StoreError` as `run`
  /// does, also `busy` during another `syncOnce`; and `CancellationError` if its task is cancelled before all is done.
  public func syncOnce() async throws {
    guard !machine.isPaused else { throw SyncError.paused }
    try await work(once: true)
  }

  /// Begins no more requests; those under way come to their end.
  public func pause() {
    machine.isPaused = true
    ring()
  }

  /// Ends `pause`. Requests that wait after a failure go on waiting.
  public func resume() {
    machine.isPaused = false
    ring()
  }

  /// Tries again at once everything that waits after a failure.
  ///
  /// Call it when the network has come back, or the user has signed in again.
  public func retry() {
    machine.hurry()
    files.hurry()
    store.endSteppingAside(in: nil)
    ring()
  }

  func ring() { bell?.yield() }
}

// The loop.
extension SyncClient {
  private func work(once: Bool) async throws {
    guard bell == nil else { throw StoreError(.busy, "This client runs already.") }
    let (rings, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.bell = bell
    isOnce = once
    failure = nil
    defer { end() }
    do {
      while try await !begin(once: once, bell) { try await environment.sleep(milliseconds: Self.pauseOfFullDisk) }
    } catch is CancellationError {
      if once { throw CancellationError() }
      return
    } catch {
      failure = error
      throw error
    }
    bell.yield()
    var isDone = false
    var problem: SyncError?
    await withDiscardingTaskGroup { group in
      for await _ in rings {
        do { try check() } catch { failure = error }
        if failure != nil || Task.isCancelled { break }
        if once { machine.askAgain() }
        begin(&group)
        tell()
        guard once, isOver || machine.isPaused && machine.underWay.isEmpty && !files.isBusy else { continue }
        // Read now, because a late answer may clear the problem, and the app may call `resume`.
        problem = machine.problem ?? (machine.isIdle() ? withheld ?? files.problem : .paused)
        isDone = true
        break
      }
      // Requests that are cancelled now have not failed, and nothing is noted of them.
      group.cancelAll()
    }
    if let failure { throw failure }
    if let problem { throw problem }
    if once, !isDone { throw CancellationError() }
  }

  /// Takes over syncing the store, and reads its state. Returns false if the disk is full or another process holds the
  /// database; then `run` tries again later, and `syncOnce` throws instead.
  private func begin(once: Bool, _ bell: AsyncStream<Void>.Continuation) async throws -> Bool {
    let memberships: [QueueID: GrantID]
    do {
      holder = try await store.takeSync(invitations) { bell.yield() }
      noted = try await store.syncFailures()
      memberships = try await store.memberships()
    } catch let error as StoreError where error.isPassing && !once {
      failure = error
      tell()
      return false
    }
    failure = nil
    let (isPaused, before) = (machine.isPaused, machine)
    // `syncOnce` does not wait after earlier failures.
    machine = SyncMachine(home: home, failures: once ? [:] : noted, bounds: bounds)
    machine.isPaused = isPaused
    machine.isOnce = once
    machine.keepBatches(of: before)
    files.beginAgain(once: once)
    filesReleasedAt = nil
    learn()
    machine.follow(memberships)
    store.endSteppingAside(in: nil)
    // Only the run before knew when to ask the server again for missing files, so it is asked now.
    for queue in machine.facts.needs.filter(\.value.waitsForFiles).keys { store.takeUploaded(nil, in: queue) }
    return true
  }

  private static let pauseOfFullDisk: Int64 = 10_000

  private func end() {
    store.endSync(by: holder)
    holder = nil
    pagesAhead = [:]
    bell?.finish()
    bell = nil
    timerAt = nil
    for next in nexts { next.finish() }
    nexts = []
    tell()
  }

  /// Whether `syncOnce` ends, because all is done, or because something has failed: it waits for no other attempt.
  /// Takes in the news of the store.
  private var isOver: Bool {
    learn()
    return machine.problem != nil || machine.isIdle() && !isMovingFiles && store.hasSaved
  }

  private func begin(_ group: inout DiscardingTaskGroup) {
    for queue in machine.takeDueFiles(at: now) { store.takeUploaded(nil, in: queue) }
    for queue in machine.takeDueAsides(at: now) { store.endSteppingAside(in: queue) }
    learn()
    if machine.isPollOutdated { pollInterrupt?.yield() }
    for action in machine.begin(at: now) {
      group.addTask { await self.perform(action) }
    }
    for turn in beginFiles() { group.addTask { await self.perform(turn) } }
    let waits = [machine.wait(at: now), fileTransport.flatMap { _ in files.wait(at: now) }, silenceWait]
      .compactMap { $0 }
    guard let wait = waits.min() else { return }
    let due = environment.nowMilliseconds() + wait
    // An earlier timer that is still to ring is enough. Timers that ring for nothing do no harm.
    if let timerAt, timerAt <= due, timerAt > due - wait { return }
    timerAt = due
    group.addTask { await self.sleep(wait, until: due) }
  }

  private func sleep(_ milliseconds: Int64, until due: Int64) async {
    try? await environment.sleep(milliseconds: milliseconds)
    if timerAt == due { timerAt = nil }
    ring()
  }

  private func perform(_ action: SyncMachine.Action) async {
    do {
      switch action {
      case .turn(let turn):
        let results = try await carryOut(turn)
        machine.end(turn, results, at: now, chance: chance)
      case .poll(let sums, let waitSeconds): try await poll(sums, waitSeconds: waitSeconds)
      }
      try await storeFailures()
      try await releaseFiles()
    } catch {
      fail(error)
    }
    ring()
  }

  /// Notes the store's error that ends the run; the first one counts.
  func fail(_ error: any Error) {
    if failure == nil { failure = error }
  }

  private func carryOut(_ turn: Turn) async throws -> Turn.Results {
    do {
      switch turn.kind {
      case .push: return try await push(turn)
      case .pull, .load: return try await pull(turn)
      }
    } catch let failure as SyncFailure {
      return Task.isCancelled ? turn.all(.nothing) : turn.failed(failure)
    } catch let error as StoreError where error.isPassing {
      return turn.failed(SyncFailure(passing: error))
    }
  }

  /// Stores the failures that have changed, so that the store can tell why nothing is sent, also after a restart. A
  /// full disk or a locked database does not stop sync.
  private func storeFailures() async throws {
    let failures = machine.failures
    // Sorted, so that a simulation can be repeated.
    let queues = Set(noted.keys).union(failures.keys).sorted()
    for queue in queues where noted[queue] != failures[queue] {
      try check()
      noted[queue] = failures[queue]
      do { try await store.remember(failures[queue], in: queue) } catch let error as StoreError
        where error.isPassing
      {}
    }
  }

  /// Throws `busy` if another client of this store has taken over, or the error that closed the store. Called before
  /// each step of the store.
  func check() throws { try store.checkSync(by: holder) }

  var now: Timestamp { Timestamp(millisecondsSince1970: environment.nowMilliseconds()) }
  var chance: UInt64 { environment.randomBits() }
}
