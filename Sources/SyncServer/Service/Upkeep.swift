// What a server forgets, and how clients learn of it.

import SyncProtocol
public import WireFormat

extension SyncService {
  /// Forgets tombstones of a queue up to a revision: a client whose cursor is older loads the queue again.
  public func collectTombstones(in queue: UUIDValue, upTo revision: Int64) async throws {
    try await storage.write(to: queue) { transaction in
      guard var stored = try transaction.queue(queue), revision > stored.floor, revision <= stored.head else { return }
      stored.floor = revision
      try transaction.removeTombstones(in: queue, upTo: revision)
      try transaction.put(stored, as: queue)
    }
  }

  /// Forgets outcomes that were decided before a time: operations that were first sent before are never applied.
  public func forgetOutcomes(in queue: UUIDValue, before time: Timestamp) async throws {
    try await storage.write(to: queue) { transaction in
      guard var stored = try transaction.queue(queue), time > stored.retention else { return }
      stored.retention = time
      try transaction.removeOutcomes(in: queue, before: time)
      try transaction.put(stored, as: queue)
    }
  }

  /// Says that the history of a queue is not the continuation of what clients have read: after a restore.
  public func changeEpoch(of queue: UUIDValue) async throws {
    let epoch = environment.randomID()
    try await storage.write(to: queue) { transaction in
      guard var stored = try transaction.queue(queue) else { return }
      stored.epoch = epoch
      try transaction.put(stored, as: queue)
    }
    await polls.wake(queue)
  }
}
