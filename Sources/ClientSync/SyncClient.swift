// Keeps a store and a server in step.

public import ClientStore
import Determinism
import ModelTypes
import SyncProtocol
import WireFormat

/// Sends what the user did, and brings what others did, for as long as it runs.
///
/// Start one for a store and forget it:
///
///     let client = SyncClient(store: store, transport: HTTPTransport(url: url, token: token))
///     try await client.run()
///
/// What to do next is decided by `SyncMachine`, which is pure; the actor does it. One client a store: a later one takes
/// over, and the earlier one ends with the error `busy`.
public actor SyncClient {
  let store: ModelStore
  let transport: any Transport
  /// Nil where the app moves no files.
  let fileTransport: (any FileTransport)?
  let environment: RuntimeEnvironment
  let home: QueueID
  private let invitations: InvitationPolicy
  let bounds: SyncBounds
  var machine: SyncMachine
  var files: FileMachine
  /// Of queues that are being loaded.
  var pagesAhead: [QueueID: PageAhead] = [:]
  /// The name by which the store knows this run; nil while none is under way.
  private(set) var holder: UUIDValue?
  /// The server's time at which files became a part of the cache last; nil before, in this run.
  var filesReleasedAt: Timestamp?
  /// Rung whenever there may be something to begin.
  private(set) var bell: AsyncStream<Void>.Continuation?
  /// Whether what is under way ends by itself; and who waits for that.
  private var isOnce = false
  private var nexts: [AsyncStream<Void>.Continuation] = []
  /// Ends the poll that is under way.
  var pollInterrupt: AsyncStream<Void>.Continuation?
  /// When the earliest timer rings, by the device's clock.
  private var timerAt: Int64?
  /// The error of the store that ends the run.
  private(set) var failure: (any Error)?
  /// The failures that the store has noted.
  private var noted: [QueueID: QueueFailure] = [:]
  var watchers: [AsyncStream<SyncStatus>.Continuation] = []
  var lastTold: SyncStatus?

  /// Clock, randomness and tasks are those of the environment in which the store was opened. Files go by the same transport,
  /// where it carries them, as `HTTPTransport` does. `invitations`: about which queues the user is asked before they are
  /// shown, of those into which others take the user in; what was shown before is not asked about.
  public init(
    store: ModelStore, transport: any Transport, files: FileLimits = FileLimits(), invitations: InvitationPolicy = .all
  ) {
    self.init(store: store, transport: transport, files: files, invitations: invitations, bounds: SyncBounds())
  }

  package init(
    store: ModelStore, transport: any Transport, files: FileLimits = FileLimits(), invitations: InvitationPolicy = .all,
    bounds: SyncBounds
  ) {
    self.store = store
    self.invitations = invitations
    self.bounds = bounds
    self.transport = transport
    fileTransport = transport as? any FileTransport
    self.files = FileMachine(files)
    environment = store.environment
    home = QueueID(SyncID.homeQueue(ofUser: store.user.rawValue))
    machine = SyncMachine(home: home, bounds: bounds)
  }

  /// Syncs until its task is cancelled. No failure of the network or the server ends it; a `StoreError` does: one of the
  /// disk, unless it may pass, `closed`, or `busy` where another client has taken over. It waits for the end of a
  /// `syncOnce` that is under way; while this client runs already, it throws `busy`.
  public func run() async throws {
    while bell != nil, isOnce, !Task.isCancelled {
      let (ends, next) = AsyncStream.makeStream(of: Void.self)
      nexts.append(next)
      for await _ in ends {}
    }
    if Task.isCancelled { return }
    try await work(once: false)
  }

  /// Sends what can be sent, fetches what there is, and returns. Throws a `SyncError` where the server was not reached or
  /// did not serve a queue, or where somebody paused meanwhile, a `StoreError` like `run`, `busy` too while this client runs
  /// already, and `CancellationError` where its task is cancelled before all was done.
  public func syncOnce() async throws {
    guard !machine.isPaused else { throw SyncError.paused }
    try await work(once: true)
  }

  /// Lets requests under way come to their end, and begins no others.
  public func pause() {
    machine.isPaused = true
    ring()
  }

  /// Ends `pause`. A request that waits for its time after a failure waits on.
  public func resume() {
    machine.isPaused = false
    ring()
  }

  /// Tries again at once all that waits for its time after a failure.
  ///
  /// To be called when the network has come back, or the user has signed in again.
  public func retryNow() {
    machine.hurry()
    files.hurry()
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
        // Now: an answer that still comes may say that all is well again, and somebody may resume.
        problem = machine.problem ?? (machine.isIdle(at: now) ? files.problem : .paused)
        isDone = true
        break
      }
      // Requests that are cancelled now have not failed: nothing of them is noted.
      group.cancelAll()
    }
    if let failure { throw failure }
    if let problem { throw problem }
    if once, !isDone { throw CancellationError() }
  }

  /// Becomes the one that syncs, and finds out how things stand. False where the disk has no room even for that, and who
  /// stays waits for some.
  private func begin(once: Bool, _ bell: AsyncStream<Void>.Continuation) async throws -> Bool {
    let memberships: [QueueID: UUIDValue]
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
    let isPaused = machine.isPaused
    // Syncing once does not wait for earlier failures.
    machine = SyncMachine(home: home, failures: once ? [:] : noted, bounds: bounds)
    machine.isPaused = isPaused
    machine.isOnce = once
    files.beginAgain(once: once)
    filesReleasedAt = nil
    learn()
    machine.follow(memberships)
    // When the server is asked again for files that it lacked was known to the run before, and nobody else.
    for queue in machine.facts.needs.filter(\.value.waitsForFiles).keys { store.noteUploaded(nil, in: queue) }
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

  /// Syncing once ends where all is done, and where something has failed: nobody waits for a later attempt.
  private var isOver: Bool {
    learn()
    return machine.problem != nil || machine.isIdle(at: now) && !isMovingFiles
  }

  private func begin(_ group: inout DiscardingTaskGroup) {
    for queue in machine.takeDueFiles(at: now) { store.noteUploaded(nil, in: queue) }
    learn()
    if machine.isPollOutdated(at: now) { pollInterrupt?.yield() }
    for action in machine.begin(at: now) {
      group.addTask { await self.perform(action) }
    }
    for turn in beginFiles() { group.addTask { await self.perform(turn) } }
    let waits = [machine.wait(at: now), fileTransport.flatMap { _ in files.wait(at: now) }].compactMap { $0 }
    guard let wait = waits.min() else { return }
    let due = environment.nowMilliseconds() + wait
    // Timers that ring for nothing do no harm, and each new one rings before all others.
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
      case .poll(let question, let waitSeconds): try await poll(question, waitSeconds: waitSeconds)
      }
      try await noteFailures()
      try await noteTimeOfFiles()
    } catch {
      fail(error)
    }
    ring()
  }

  /// An error of the store: nothing can go on.
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

  /// For whoever asks later why nothing goes, also after a restart. A disk that cannot take that now stops nothing.
  private func noteFailures() async throws {
    let failures = machine.failures
    // In an order, so that a simulation can be repeated.
    let queues = Set(noted.keys).union(failures.keys).sorted { $0.rawValue < $1.rawValue }
    for queue in queues where noted[queue] != failures[queue] {
      try check()
      noted[queue] = failures[queue]
      do { try await store.note(failures[queue], in: queue) } catch let error as StoreError
        where error.isPassing
      {}
    }
  }

  /// Throws `busy` where another client of this store has taken over: asked before each step of the store.
  func check() throws { try store.checkSync(by: holder) }

  var now: Timestamp { Timestamp(millisecondsSince1970: environment.nowMilliseconds()) }
  var chance: UInt64 { environment.randomBits() }
}
