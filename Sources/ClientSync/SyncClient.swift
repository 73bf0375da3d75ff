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
  /// Changed by `handle` only, and replaced when a run begins.
  private(set) var machine: SyncMachine
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
  private var pollInterrupt: AsyncStream<Void>.Continuation?
  /// When the earliest timer rings, in milliseconds since 1970 by the device's clock.
  private var timerAt: Int64?
  /// The error of the store that ends the run.
  private(set) var failure: (any Error)?
  /// The failures that the store has noted.
  var noted: [QueueID: QueueFailure] = [:]
  var statusFeed = StatusFeed()
  var signalPace = SignalPace()

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
    handle(.paused)
    ring()
  }

  /// Ends `pause`. Requests that wait after a failure go on waiting.
  public func resume() {
    handle(.resumed)
    ring()
  }

  /// Tries again at once everything that waits after a failure.
  ///
  /// Call it when the network has come back, or the user has signed in again.
  public func retry() {
    handle(.hurried)
    files.hurry()
    store.endSteppingAside(in: nil)
    ring()
  }

  func ring() { bell?.yield() }

  /// Tells the machine an event with the news of the store, and returns what to do. Only `woken`, which the loop tells,
  /// has actions. A step that tells another event rings at its end, so that the loop goes on.
  @discardableResult
  func handle(_ event: SyncMachine.Event) -> [SyncMachine.Action] {
    // Read first: a queue that moves later is in the news.
    let places = bounds.checksIndex && holder != nil ? store.places : [:]
    let news = store.takeSyncNews(by: holder)
    let actions = machine.handle(event, news, at: now, chance: chance)
    let untold = places.filter { news.places[$0.key] == nil && machine.facts.places[$0.key] != $0.value }.keys
    // If another client has taken over, the store tells that one instead.
    precondition(untold.isEmpty || (try? check()) == nil, "The store has not told where \(untold) stand.")
    return actions
  }
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
        // Read first: the news tell of all that is saved by now.
        let hasSaved = store.hasSaved
        takeInSignals()
        let actions = handle(.woken)
        for action in actions { begin(action, &group) }
        for turn in beginFiles() { group.addTask { await self.perform(turn) } }
        if let signals = beginSignals() { group.addTask { await self.perform(signals) } }
        setTimer(&group)
        tell()
        guard once, isOver(actions, hasSaved) || machine.isPaused && machine.underWay.isEmpty && !files.isBusy
        else { continue }
        // Read now, because a late answer may clear the problem, and the app may call `resume`.
        problem = machine.problemOfCall ?? (machine.isIdle ? withheld ?? files.problem : .paused)
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
      let taken = try await store.takeSync(invitations) { bell.yield() }
      // Only now, because the machine of the run before would take the news away.
      defer { holder = taken }
      noted = try await store.syncFailures()
      memberships = try await store.memberships()
    } catch let error as StoreError where error.isPassing && !once {
      failure = error
      tell()
      return false
    }
    failure = nil
    // `syncOnce` does not wait after earlier failures.
    machine = machine.next(failures: once ? [:] : noted, isOnce: once)
    files.beginAgain(once: once)
    filesReleasedAt = nil
    handle(.memberships(memberships))
    store.endSteppingAside(in: nil)
    // Only the run before knew when to ask the server again for missing files, so it is asked now.
    for queue in machine.facts.needs.filter(\.value.waitsForFiles).keys { store.takeUploaded(nil, in: queue) }
    return true
  }

  private static let pauseOfFullDisk: Int64 = 10_000

  private func end() {
    // Another client may have taken over.
    if !isOnce, (try? check()) != nil { store.loseHeardSignals() }
    store.endSync(by: holder)
    holder = nil
    pagesAhead = [:]
    signalPace = SignalPace()
    bell?.finish()
    (bell, pollInterrupt) = (nil, nil)
    timerAt = nil
    for next in nexts { next.finish() }
    nexts = []
    tell()
  }

  /// Whether `syncOnce` ends, because all is done, or because something has failed: it waits for no other attempt. What
  /// the last actions change in the store rings again.
  private func isOver(_ actions: [SyncMachine.Action], _ hasSaved: Bool) -> Bool {
    machine.problem != nil || actions.isEmpty && machine.isIdle && !isMovingFiles && !isSendingSignals && hasSaved
  }

  private func begin(_ action: SyncMachine.Action, _ group: inout DiscardingTaskGroup) {
    switch action {
    case .begin(let turn): group.addTask { await self.perform(turn) }
    case .poll(let request):
      let (interrupts, interrupt) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
      pollInterrupt = interrupt
      group.addTask { await self.performPoll(request, interrupts) }
    case .interruptPoll: pollInterrupt?.yield()
    case .tryFilesAgain(let queue): store.takeUploaded(nil, in: queue)
    case .tryAsidesAgain(let queue): store.endSteppingAside(in: queue)
    }
  }

  /// Rings when the next request is due.
  private func setTimer(_ group: inout DiscardingTaskGroup) {
    let waits = [machine.wait(at: now), fileTransport.flatMap { _ in files.wait(at: now) }, silenceWait, signalWait]
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

  /// Notes the store's error that ends the run; the first one counts.
  func fail(_ error: any Error) {
    if failure == nil { failure = error }
  }

  /// Throws `busy` if another client of this store has taken over, or the error that closed the store. Called before
  /// each step of the store.
  func check() throws { try store.checkSync(by: holder) }

  var now: Timestamp { Timestamp(millisecondsSince1970: environment.nowMilliseconds()) }
  var chance: UInt64 { environment.randomBits() }
}
