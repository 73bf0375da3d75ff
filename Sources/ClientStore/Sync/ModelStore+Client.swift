// How a sync client takes over a store, and what the store notes for it: server, history, failures, memberships.

import Determinism
import SyncProtocol
package import WireFormat

extension ModelStore {
  /// Makes the caller the client that syncs this store, and returns its id. Calls of an earlier client then throw `busy`,
  /// so a process that has died or hangs prevents no other from syncing.
  ///
  /// `wake` is called whenever there may be something new to send or to tell, on any thread and under no lock.
  @discardableResult
  package func takeSync(
    _ policy: InvitationPolicy = .all, waking wake: @escaping @Sendable () -> Void = {}
  ) async throws -> UUIDValue {
    let holder = UUIDValue(high: environment.randomBits(), low: environment.randomBits())
    // In one step of the writer: of two clients that start together, database and memory name the same one.
    try await writer.takeSync(holder) {
      memory.withLock { $0.takeSync(by: holder, policy, waking: wake) }
    }
    return holder
  }

  /// Throws `damaged` once damage was found, the error that closed the store, and `busy` where another client of this
  /// process has taken over. Clients of other processes are noticed by the writer, with each step.
  package func checkSync(by holder: UUIDValue?) throws {
    let (closed, isHolder) = memory.withLock { ($0.saves.closed, $0.holder.id == holder) }
    if let closed { throw closed }
    if let damage = damage.error { throw damage }
    guard isHolder else { throw StoreError.syncedByAnother }
  }

  /// Takes the changes since the last call. The first call after `takeSync` has the places of all known queues. Only
  /// for the client that syncs: any other `holder` gets no places, and takes none away.
  package func takeSyncNews(by holder: UUIDValue?) -> SyncNews {
    memory.withLock { memory in
      let places = memory.holder.id == holder ? memory.sync.takeMoved() : [:]
      return SyncNews(
        places: places, needs: memory.ledger.needs, invited: memory.sync.invited, history: memory.sync.history)
    }
  }

  /// Whether all operations are on disk or have failed. A full disk may lack room for reports still.
  package var hasSaved: Bool { memory.withLock { $0.saves.isDone || $0.saves.closed != nil } }

  /// `wake` is not called for later changes. The store still belongs to this client until another one takes it.
  package func endSync(by holder: UUIDValue?) {
    memory.withLock { $0.holder.end(by: holder) }
  }

  /// Whether the store has synced with this server before. The first server that answers is stored.
  package func isServer(_ id: ServerID) async throws -> Bool {
    if let known = memory.withLock({ $0.sync.server }) { return known == id }
    let known = try await writer.server(orFirst: id)
    memory.withLock { $0.sync.setServer(known) }
    return known == id
  }

  /// The failures of requests that were stored, by this process or an earlier one.
  package func syncFailures() async throws -> [QueueID: QueueFailure] { try await writer.failures() }

  /// Stores why the requests of a queue fail, so that the app and `modelinspect` can tell. Nil: they succeed again.
  package func remember(_ failure: QueueFailure?, in queue: QueueID) async throws {
    try await writer.store(failure, in: queue)
  }

  /// The id of the server's history, which changes when the server is restored from a backup; nil before the first answer.
  package var history: HistoryID? { memory.withLock { $0.sync.history } }

  /// Whether an answer may be used that names this history. Stores the first one.
  package func isHistory(_ id: HistoryID) async throws -> Bool {
    if let known = history { return known == id }
    return try await writer.history(orFirst: id) { id in memory.withLock { $0.sync.setHistory(id) } } == id
  }

  /// Takes in that the server has another history than `known`, and may have lost what it has acknowledged since a time.
  /// What this device has retired since then is sent again. Does nothing if `known` is outdated.
  package func hear(_ history: HistoryID, since time: Timestamp, after known: HistoryID) async throws {
    bring(
      try await writer.hear(history, since: time, after: known) { heard in
        takeIn { $0.hear(history, since: time, heard) }
      })
  }

  /// Reads the memberships in the user's home queue: the queues to follow, each with the id of its grant. Also stores the
  /// roles, and decides about invitations.
  package func memberships() async throws -> [QueueID: GrantID] {
    let place = place(of: homeQueueID)
    let objects = try await writer.objects(of: QueueMembership.type, in: homeQueueID)
    // A membership that cannot be read comes from a wrong or newer server. It is left out, and the others count.
    let memberships = objects.compactMap { object in
      (try? QueueMembership(content: object.content)).map { HomeMembership($0, by: object.createdBy) }
    }.filter { $0.queue != .zero }
    try await takeRoles(memberships, readAt: place)
    try await judgeInvitations(memberships, saidBy: place)
    return Dictionary(memberships.map { ($0.queue, $0.grant) }) { first, _ in first }
  }

  /// Stores the roles with their queues.
  private func takeRoles(_ memberships: [HomeMembership], readAt home: QueuePlace) async throws {
    guard home.load == .loaded else { return }
    let roles = Dictionary(memberships.map { ($0.queue, $0.role) }) { first, _ in first }
    let news = memory.withLock { memory in
      memory.sync.setNamed(roles.keys)
      return roles.filter { memory.sync.roles[$0.key] != $0.value }
    }
    guard !news.isEmpty else { return }
    try await writer.store(news)
    memory.withLock { $0.sync.setRoles(news) }
  }
}

extension StoreMemory {
  fileprivate mutating func takeSync(
    by client: UUIDValue, _ policy: InvitationPolicy, waking wake: @escaping Effects.Wake
  ) {
    holder.take(by: client, policy, waking: wake, &effects)
    sync.tellAgain()
  }

  fileprivate mutating func hear(_ history: HistoryID, since time: Timestamp, _ heard: StoreWriter.Heard) {
    sync.setHistory(history)
    for (queue, place) in heard.places { sync.move(queue, to: place) }
    let lost = outbox.settled.filter { outbox.operations[$0]?.outcome.map { $0.time >= time } ?? false }
    outbox.update(lost) { $0.outcome = nil }
    outbox.putBack(heard.returned)
    report(heard.damaged, saving: .nothing)
    wakeSync()
  }
}

extension StoreError {
  static let syncedByAnother = StoreError(.busy, "Another client syncs this store now.")
}
