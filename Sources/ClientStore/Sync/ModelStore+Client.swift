// What belongs to the one client that syncs a store.

import Determinism
package import ModelTypes
import SyncProtocol
package import WireFormat

extension ModelStore {
  /// Makes the caller the one that syncs this store, until somebody else does so: from then on the earlier one's steps
  /// throw `busy`. So a process that has died, or hangs, keeps nobody from syncing. `wake` is called whenever there may be
  /// something new to send, under the store's lock: it must be short. Returns what the caller is known by.
  @discardableResult
  package func takeSync(waking wake: @escaping @Sendable () -> Void = {}) async throws -> UUIDValue {
    let holder = UUIDValue(high: environment.randomBits(), low: environment.randomBits())
    try await writer.takeSync(holder)
    memory.withLock { memory in
      memory.syncHolder = holder
      // The earlier one looks, and ends.
      memory.wakeSync()
      memory.wakeSync = wake
    }
    return holder
  }

  /// Throws `busy` where another client of this process has taken over; the writer asks about those of other processes.
  package func checkSync(by holder: UUIDValue?) throws {
    guard memory.withLock({ $0.syncHolder == holder }) else { throw StoreError.syncedByAnother }
  }

  package func endSync(by holder: UUIDValue?) {
    memory.withLock { memory in
      if memory.syncHolder == holder { memory.wakeSync = {} }
    }
  }

  /// Whether this is the server that the store has always synced with. The first one that answers is noted as such.
  package func isServer(_ id: UUIDValue) async throws -> Bool {
    if let known = memory.withLock({ $0.server }) { return known == id }
    let known = try await writer.server(orFirst: id)
    memory.withLock { $0.server = known }
    return known == id
  }

  /// What requests failed with when the store was last synced.
  package func syncFailures() async throws -> [QueueID: QueueFailure] {
    let failures = try await writer.failures()
    memory.withLock { $0.failing = Set(failures.keys) }
    return failures
  }

  /// Notes for whoever asks later why nothing goes; nil where requests succeed again.
  package func note(_ failure: QueueFailure?, in queue: QueueID) async throws {
    // Success is the rule, and needs no note after another.
    let isNews = memory.withLock { memory in
      if failure != nil { memory.failing.insert(queue) }
      return failure != nil || memory.failing.remove(queue) != nil
    }
    if isNews { try await writer.note(failure, in: queue) }
  }

  /// The queues that the user follows, with the grants of the memberships, as the home queue says.
  package func memberships() async throws -> [QueueID: UUIDValue] {
    let contents = try await writer.contents(
      of: QueueMembership.type, in: QueueID(SyncID.homeQueue(ofUser: user.rawValue)))
    var memberships: [QueueID: UUIDValue] = [:]
    for content in contents {
      // One that cannot be read is the server's mistake, or of a newer version: the others are followed all the same.
      guard let membership = try? QueueMembership(content: content) else { continue }
      memberships[QueueID(membership.queue)] = membership.grant
    }
    return memberships
  }
}

extension StoreError {
  static let syncedByAnother = StoreError(.busy, "Another client syncs this store now.")
}
