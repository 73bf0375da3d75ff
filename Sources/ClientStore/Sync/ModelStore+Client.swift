// Calls for the one client that syncs a store.

import Determinism
package import ModelTypes
import SyncProtocol
package import WireFormat

extension ModelStore {
  /// Makes the caller the one that syncs this store, until somebody else does so: from then on the earlier one's steps
  /// throw `busy`. So a process that has died, or hangs, keeps nobody from syncing. `wake` is called whenever there may be
  /// something new to send, under the store's lock: it must be short. Returns what the caller is known by.
  @discardableResult
  package func takeSync(
    _ policy: InvitationPolicy = .all, waking wake: @escaping @Sendable () -> Void = {}
  ) async throws -> UUIDValue {
    let holder = UUIDValue(high: environment.randomBits(), low: environment.randomBits())
    try await writer.takeSync(holder)
    memory.withLock { $0.sync.take(by: holder, policy, waking: wake) }
    return holder
  }

  /// Throws what the store was closed for, and `busy` where another client of this process has taken over; the writer asks
  /// about those of other processes.
  package func checkSync(by holder: UUIDValue?) throws {
    let (closed, isHolder) = memory.withLock { ($0.saves.closed, $0.sync.holder == holder) }
    if let closed { throw closed }
    guard isHolder else { throw StoreError.syncedByAnother }
  }

  package func endSync(by holder: UUIDValue?) {
    memory.withLock { $0.sync.end(by: holder) }
  }

  /// Whether this is the server that the store has always synced with. The first one that answers is noted as such.
  package func isServer(_ id: UUIDValue) async throws -> Bool {
    if let known = memory.withLock({ $0.sync.server }) { return known == id }
    let known = try await writer.server(orFirst: id)
    memory.withLock { $0.sync.note(server: known) }
    return known == id
  }

  /// The failures of requests when the store was last synced.
  package func syncFailures() async throws -> [QueueID: QueueFailure] {
    let failures = try await writer.failures()
    memory.withLock { $0.sync.note(failing: failures.keys) }
    return failures
  }

  /// Notes for whoever asks later why nothing goes; nil where requests succeed again.
  package func note(_ failure: QueueFailure?, in queue: QueueID) async throws {
    let isNews = memory.withLock { $0.sync.note(isFailing: failure != nil, queue) }
    if isNews { try await writer.note(failure, in: queue) }
  }

  /// The server's history, as the last answer has named it; nil before the first one.
  package var history: UUIDValue? { memory.withLock { $0.sync.history } }

  /// Takes the history that an answer names, to a request that named `asked`. Returns whether the answer may be used: it is
  /// of the history that is known, also after what has arrived since the request left.
  package func hear(_ history: UUIDValue, asked: UUIDValue?) -> Bool {
    let (isUsable, isNew) = memory.withLock { memory in
      let before = memory.sync.history
      let isUsable = memory.sync.hear(history, asked: asked)
      let isNew = memory.sync.history != before
      // A crash may have kept that from being told, and before the first answer it was not known. A closed store tells
      // nothing: nothing could save it.
      if isNew, memory.saves.closed == nil { memory.didChange(memory.failWhatWasLeftBehind()) }
      return (isUsable, isNew)
    }
    if isNew { startSaving() }
    return isUsable
  }

  /// The queues that the user follows, with the grants of the memberships, as the home queue says.
  package func memberships() async throws -> [QueueID: UUIDValue] {
    let home = QueueID(SyncID.homeQueue(ofUser: user.rawValue))
    let place = place(of: home)
    let objects = try await writer.objects(of: QueueMembership.type, in: home)
    // One that cannot be read is the server's mistake, or of a newer version: the others are followed all the same.
    let memberships = objects.compactMap { object in
      (try? QueueMembership(content: object.content)).map { HomeMembership($0, by: object.createdBy) }
    }.filter { $0.queue != .zero }
    try await noteRoles(memberships, saidBy: place)
    try await judgeInvitations(memberships, saidBy: place)
    return Dictionary(memberships.map { ($0.queue, $0.grant) }) { first, _ in first }
  }

  /// An owner's device may give birth to a queue again: so roles are kept with the queues, and outlive what a restored
  /// server has lost of them. So is the history in which a queue was named that the device has not read yet.
  private func noteRoles(_ memberships: [HomeMembership], saidBy home: QueuePlace) async throws {
    guard home.load == .loaded else { return }
    let roles = Dictionary(memberships.map { ($0.queue, $0.role) }) { first, _ in first }
    let news = memory.withLock { memory in
      memory.sync.note(named: roles.keys)
      return roles.filter { memory.sync.isNews($0.value, in: $0.key, under: home.history) }
    }
    guard !news.isEmpty else { return }
    try await writer.note(news, in: home.history)
    memory.withLock { $0.sync.note(roles: news, in: home.history) }
  }
}

extension StoreError {
  static let syncedByAnother = StoreError(.busy, "Another client syncs this store now.")
}
