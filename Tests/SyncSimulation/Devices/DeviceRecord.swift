// The simulation's record of a device: what was done on it, and what it has shown. The oracles go by it.

import ClientStore
import ModelTypes
import SyncProtocol
import SyncServer
import WireFormat

struct DeviceRecord {
  /// Operations that were performed on it. A clone begins with those of its original.
  private(set) var performed = OrderedOperations()
  /// Operations that were taken back before they were sent: as if they had never been.
  private(set) var withdrawn: Set<OperationID> = []
  /// Operations that were taken back at some time, with those that went along.
  private(set) var cancelled: Set<OperationID> = []
  /// Operations that their user has tried again.
  private(set) var retried: Set<OperationID> = []
  /// Operations that a crash took before they were saved: nobody promised anything about them.
  private(set) var lost: Set<OperationID> = []
  /// Operations whose rows were damaged before the store was salvaged. Each is reported; what became of it is unknown.
  var damaged: Set<OperationID> = []
  /// Queues that it has shown by right and has not given up since.
  var shownQueues: Set<QueueID> = []
  /// By queue: the grants of the memberships that its user has accepted, at some time and on some device.
  var acceptedGrants: [QueueID: Set<GrantID>] = [:]
  /// Queues in which its user has done something, and that it has not given up since.
  var usedQueues: Set<QueueID> = []
  /// Queues that its user has ever declined on it.
  var declinedQueues: Set<QueueID> = []
  /// By queue whose membership its user has lost at some time: the earliest time that the device's clock has shown
  /// since, in milliseconds.
  private var leftAt: [QueueID: Int64] = [:]
  /// Operations whose files the device may have given up, because it was without their queue for 7 days of its clock.
  private(set) var withoutFiles: Set<OperationID> = []
  /// Queues that the server has refused to go on with, until they are loaded again.
  var mayReload: Set<QueueID> = []
  /// By object: the own captions that the device has shown, with the places of their operations.
  var captionsSeen: [UUIDValue: [String: Int]] = [:]
  /// By queue: how far the device had come at the last look, in the history that it showed then.
  var seen: [QueueID: Seen] = [:]
  /// Files that the server has told this device to be complete.
  var hasBrought: Set<FileKey> = []
  private var numbers = 0
  private var handles: [OperationID: OperationHandle] = [:]

  struct Seen {
    var history: HistoryID?
    var cursor: Int64 = 0
    /// By object.
    var revisions: [UUIDValue: Int64] = [:]
  }

  /// Takes the number of the next operation. Operations that the store refuses take one too, and so does each further
  /// attempt.
  mutating func takeNumber() -> Int {
    numbers += 1
    return numbers
  }

  mutating func note(_ handle: OperationHandle) {
    performed.append(handle.id)
    handles[handle.id] = handle
  }

  /// The handle of a further attempt takes the place of the one before; nil if it has left already.
  mutating func noteRetry(of id: OperationID, _ handle: OperationHandle?) {
    handles[id] = handle
    retried.insert(id)
  }

  func handle(_ id: OperationID) -> OperationHandle? { handles[id] }

  /// Whether its user has ever lost the membership of a queue.
  func hasLeft(_ queue: QueueID) -> Bool { leftAt[queue] != nil }

  /// Cancels an operation, and notes what went along.
  mutating func cancel(_ handle: OperationHandle, _ store: ModelStore) {
    let before = store.pendingOperations
    handle.cancel()
    let after = store.pendingOperations
    let remaining = Set(after.map(\.id))
    let voided = Set(before.filter { !$0.isVoided }.map(\.id)).intersection(after.filter(\.isVoided).map(\.id))
    let gone = Set(before.map(\.id)).subtracting(remaining)
    withdrawn.formUnion(gone)
    cancelled.formUnion(gone.union(voided))
  }

  /// Notes operations that left the outbox because of a later one: an unsent create leaves with the delete of its
  /// object.
  mutating func noteVanished(_ ids: Set<OperationID>) {
    withdrawn.formUnion(ids)
    cancelled.formUnion(ids)
  }

  /// Notes the end of a life. What was not saved is lost, unless the next start finds it.
  mutating func noteEnd() {
    for (id, handle) in handles where !handle.state.isOnDisk && !withdrawn.contains(id) { lost.insert(id) }
    handles = [:]
  }

  /// Notes what a start finds: operations that were saved after all, and operations taken back that are there again.
  mutating func noteStart(_ store: ModelStore) {
    lost.subtract(store.pendingOperations.map(\.id))
    lost.subtract(store.failedOperations.map(\.id))
    withdrawn.subtract(store.pendingOperations.map(\.id))
  }

  mutating func noteLeft(_ queue: QueueID, _ now: Int64) { leftAt[queue] = min(now, leftAt[queue] ?? now) }

  mutating func noteClock(_ now: Int64) { leftAt = leftAt.mapValues { min($0, now) } }

  /// Notes that a store which is opened at `now` sweeps the files of queues that have been gone for more than 7 days.
  mutating func noteSweep(_ now: Int64, _ operations: PerformedOperations) {
    for (queue, time) in leftAt where now - time > 7 * UpkeepRules.day {
      withoutFiles.formUnion(performed.filter { operations[$0]?.queue == queue })
      leftAt[queue] = now
    }
  }

  /// Notes that the store was salvaged: rows and cursors come again, from the beginning, without a refusal.
  mutating func noteSalvage() {
    for queue in seen.keys {
      seen[queue]?.cursor = 0
      mayReload.insert(queue)
    }
  }

  /// The record for a copy of the device, which has nothing that was only in memory.
  func copied() -> Self {
    var copy = self
    copy.noteEnd()
    return copy
  }
}

/// Ids in the order in which they came.
struct OrderedOperations: Sequence {
  private(set) var ids: [OperationID] = []
  private var set: Set<OperationID> = []

  mutating func append(_ id: OperationID) {
    ids.append(id)
    set.insert(id)
  }

  func contains(_ id: OperationID) -> Bool { set.contains(id) }

  func makeIterator() -> IndexingIterator<[OperationID]> { ids.makeIterator() }
}

extension OperationState {
  /// Whether the operation's fate survives a crash.
  fileprivate var isOnDisk: Bool {
    switch self {
    case .performed: false
    case .saved, .sent, .confirmed: true
    case .failed(let error): ![.diskFull, .inputOutput, .readOnly, .damaged, .closed].contains(error.code)
    }
  }
}
