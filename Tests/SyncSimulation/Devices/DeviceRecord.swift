// The simulation's record of a device: the operations performed on it, and what it has heard. The oracles go by it.

import ClientStore
import ModelTypes
import SyncProtocol
import SyncServer
import WireFormat

struct DeviceRecord {
  /// Operations that were performed on it, in order. A clone begins with those of its original.
  private(set) var performed: [OperationID] = []
  private var performedIDs: Set<OperationID> = []
  /// Operations that were taken back before they were sent: as if they had never been.
  private(set) var withdrawn: Set<OperationID> = []
  /// Operations that were taken back at some time, with those that went along.
  private(set) var cancelled: Set<OperationID> = []
  /// Operations that a crash took before they were saved: nobody promised anything about them.
  private(set) var lost: Set<OperationID> = []
  /// Operations that were to end their queue, in order.
  var ends: [OperationID] = []
  /// Queues that it has shown by right and has not given up since.
  var shownQueues: Set<QueueID> = []
  /// By queue: the grants of the memberships that its user has accepted, at some time and on some device.
  var acceptedGrants: [QueueID: Set<GrantID>] = [:]
  /// Queues in which its user has done something and that it has not given up since.
  var usedQueues: Set<QueueID> = []
  /// The same, including queues that it has given up since.
  var everUsed: Set<QueueID> = []
  /// Queues that its user has ever declined on it.
  var declinedQueues: Set<QueueID> = []
  /// Queues that it had given up at the last look of the oracles.
  var goneQueues: Set<QueueID> = []
  /// Queues whose membership its user has lost at some time.
  private(set) var rejoined: Set<QueueID> = []
  /// By queue of `rejoined`: the earliest time that the device's clock has shown since the loss, in milliseconds.
  private var leftAt: [QueueID: Int64] = [:]
  /// Operations whose files the device may have given up, because it was without their queue for 7 days of its clock.
  private(set) var withoutFiles: Set<OperationID> = []
  /// Operations of which the device may keep nothing any more. A server that is restored to before them lacks them for
  /// good.
  private(set) var gone: Set<OperationID> = []
  /// The server's history, as the app has heard it since it was started.
  var history: HistoryID?
  /// By queue: the server's history in which an answer about it last said that the user is a member.
  var memberIn: [QueueID: HistoryID] = [:]
  /// By queue: the server's history in which the home queue last named it.
  var namedIn: [QueueID: HistoryID] = [:]
  /// Queues that the server has lost and that the device will create again.
  var unborn: Set<QueueID> = []
  /// Operations that were refused before the device had heard that its user is a member of their queue.
  var untold: Set<OperationID> = []
  /// By queue: the server's time at which the device began to wait for a membership.
  var awaitedSince: [QueueID: Int64] = [:]
  /// By queue that has been read: the epoch of its rows.
  var shownEpochs: [QueueID: EpochID] = [:]
  /// By queue: how many answers refused to go on with it.
  var refusals: [QueueID: Int] = [:]
  /// By queue: its count in `refusals` when it was last seen loaded.
  var refusalsWhenLoaded: [QueueID: Int] = [:]
  /// By object: the own captions that the device has shown, with the numbers of their operations.
  var captionsSeen: [UUIDValue: [String: Int]] = [:]
  /// By queue: how far the device had come at the last look, in the epoch that it showed then.
  var seen: [QueueID: Seen] = [:]
  /// Operations that were found confirmed, each with its queue and the epoch of the rows that show it.
  var confirmed: [OperationID: (queue: QueueID, epoch: EpochID)] = [:]
  /// Operations whose rows were damaged before the store was salvaged. Each is reported; what became of it is unknown.
  private(set) var damaged: Set<OperationID> = []
  /// Operations that may have left the device when another of its operations was found damaged.
  private(set) var sentBesideDamage: Set<OperationID> = []
  /// Queues that a silent restore took back, until the device has loaded them again.
  var losses: [QueueID: Loss] = [:]
  /// Operations whose outcomes a silent restore took back after they had left the outbox.
  var leftBefore: Set<OperationID> = []
  /// Files that the server has told this device to be complete.
  var hasBrought: Set<FileKey> = []
  private var numbers = 0
  private var handles: [OperationID: OperationHandle] = [:]
  private var unsaved: Set<OperationID> = []

  struct Seen {
    var epoch: EpochID?
    var cursor: Int64 = 0
    /// By object.
    var revisions: [UUIDValue: Int64] = [:]
  }

  /// Takes the number of the next operation. Operations that the store refuses take one too.
  mutating func takeNumber() -> Int {
    numbers += 1
    return numbers
  }

  mutating func note(_ handle: OperationHandle) {
    performed.append(handle.id)
    performedIDs.insert(handle.id)
    handles[handle.id] = handle
  }

  /// Whether it was performed here, or before the device was made from a copy.
  func has(_ id: OperationID) -> Bool { performedIDs.contains(id) }

  mutating func letGo(_ ids: [OperationID]) { gone.formUnion(ids.filter(has)) }

  /// Notes operations that are in the outbox, so the device has not let go of them.
  mutating func noteKept(_ ids: some Sequence<OperationID>) {
    if !gone.isEmpty { gone.subtract(ids) }
    if !leftBefore.isEmpty { leftBefore.subtract(ids) }
  }

  func handle(_ id: OperationID) -> OperationHandle? { handles[id] }

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

  mutating func noteEnd(_ store: ModelStore) {
    for (id, handle) in handles where !handle.state.isOnDisk { unsaved.insert(id) }
    handles = [:]
    history = nil
  }

  /// Notes what a start finds: unsaved operations may be gone, and operations taken back may be there again.
  mutating func noteStart(_ store: ModelStore) {
    let present = Set(store.pendingOperations.map(\.id)).union(store.failedOperations.map(\.id))
    lost.formUnion(unsaved.subtracting(present).subtracting(withdrawn))
    withdrawn.subtract(store.pendingOperations.map(\.id))
    unsaved = []
  }

  mutating func noteLeft(_ queue: QueueID, _ now: Int64) {
    rejoined.insert(queue)
    leftAt[queue] = min(now, leftAt[queue] ?? now)
  }

  mutating func noteClock(_ now: Int64) { leftAt = leftAt.mapValues { min($0, now) } }

  /// Notes that a store which is opened at `now` sweeps the files of queues that have been gone for more than 7 days.
  mutating func noteSweep(_ now: Int64, _ operations: PerformedOperations) {
    for (queue, time) in leftAt where now - time > 7 * UpkeepRules.day {
      withoutFiles.formUnion(performed.filter { operations[$0]?.queue == queue })
      leftAt[queue] = now
    }
  }

  /// Notes that the store was salvaged: rows and cursors come again, from the beginning.
  mutating func noteSalvage() {
    for queue in seen.keys { seen[queue]?.cursor = 0 }
    confirmed = [:]
    // Every queue is loaded from the beginning, without a refusal.
    refusalsWhenLoaded = [:]
  }

  mutating func noteDamaged(_ id: OperationID, sent: Set<OperationID>) {
    damaged.insert(id)
    sentBesideDamage.formUnion(sent)
  }

  /// The record for a copy of the device, which has nothing that was only in memory.
  func copied(_ store: ModelStore) -> Self {
    var copy = self
    copy.noteEnd(store)
    return copy
  }
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
