// How a sync client takes over a store, and what the store notes for it: server, history, failures, memberships.

import Determinism
import SyncProtocol
package import WireFormat

extension ModelStore {
  /// Makes the caller the client that syncs this store, and returns its id. Calls of an earlier client then throw `busy`,
  /// so a process that has died or hangs prevents no other from syncing.
  ///
  /// `wake` is called whenever there may be something new to send. It must be short and must not call the store: the store
  /// holds its lock meanwhile.
  @discardableResult
  package func takeSync(
    _ policy: InvitationPolicy = .all, waking wake: @escaping @Sendable () -> Void = {}
  ) async throws -> UUIDValue {
    let holder = UUIDValue(high: environment.randomBits(), low: environment.randomBits())
    // In one step of the writer: of two clients that start together, database and memory name the same one.
    try await writer.takeSync(holder) { memory.withLock { $0.sync.take(by: holder, policy, waking: wake) } }
    return holder
  }

  /// Throws `damaged` once damage was found, the error that closed the store, and `busy` where another client of this
  /// process has taken over. Clients of other processes are noticed by the writer, with each step.
  package func checkSync(by holder: UUIDValue?) throws {
    let (closed, isHolder) = memory.withLock { ($0.saves.closed, $0.sync.holder == holder) }
    if let closed { throw closed }
    if let damage = damage.error { throw damage }
    guard isHolder else { throw StoreError.syncedByAnother }
  }

  /// Whether all operations are on disk or have failed. A full disk may lack room for reports still.
  package var hasSaved: Bool { memory.withLock { $0.saves.isDone || $0.saves.closed != nil } }

  /// `wake` is not called any more. The store still belongs to this client until another one takes it.
  package func endSync(by holder: UUIDValue?) {
    memory.withLock { $0.sync.end(by: holder) }
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

  /// Takes over the history that an answer names. `asked` is the history that its request named.
  ///
  /// Returns whether the answer may be used. It may not where another answer has brought a newer history meanwhile.
  package func adopt(_ history: HistoryID, asked: HistoryID?) -> Bool {
    let (isUsable, isNew) = memory.withLock { memory in
      let before = memory.sync.history
      let isUsable = memory.sync.adopt(history, asked: asked)
      let isNew = memory.sync.history != before
      // Only with a known history can operations fail whose dependency has failed, perhaps before a crash. A closed store
      // reports nothing, because it could not save the report.
      if isNew, memory.saves.closed == nil { memory.didChange(memory.failWhatWasLeftBehind()) }
      return (isUsable, isNew)
    }
    if isNew { startSaving() }
    return isUsable
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

  /// Stores the roles with their queues. A restored server may have lost a queue with its memberships, and then the device
  /// of an owner, which knows the role still, creates the queue again.
  private func takeRoles(_ memberships: [HomeMembership], readAt home: QueuePlace) async throws {
    guard home.load == .loaded else { return }
    let roles = Dictionary(memberships.map { ($0.queue, $0.role) }) { first, _ in first }
    let news = memory.withLock { memory in
      memory.sync.setNamed(roles.keys)
      return roles.filter { memory.sync.isNews($0.value, in: $0.key, under: home.history) }
    }
    guard !news.isEmpty else { return }
    try await writer.store(news, in: home.history)
    memory.withLock { $0.sync.setRoles(news, in: home.history) }
  }
}

extension StoreError {
  static let syncedByAnother = StoreError(.busy, "Another client syncs this store now.")
}
