// What the people who use a device would remember of it.

import ClientStore
import ModelTypes
import SyncProtocol
import SyncServer
import WireFormat

struct DeviceRecord {
  /// What was performed on it, in order; with what was on it when it was cloned.
  private(set) var performed: [UUIDValue] = []
  private var performedIDs: Set<UUIDValue> = []
  /// Taken back before it was sent: as if it had never been.
  private(set) var withdrawn: Set<UUIDValue> = []
  /// Taken back at some time, with what went along.
  private(set) var cancelled: Set<UUIDValue> = []
  /// Performed, and gone in a crash before it was saved: nobody promised anything.
  private(set) var lost: Set<UUIDValue> = []
  /// Those that were to end their queue, in order.
  var ends: [UUIDValue] = []
  /// Queues that it has shown by right, and has not given up since.
  var shownQueues: Set<UUIDValue> = []
  /// By queue: the memberships that its user has accepted, at some time and on some device.
  var acceptedGrants: [UUIDValue: Set<UUIDValue>] = [:]
  /// Queues in which its user has done something, and that it has not given up since.
  var usedQueues: Set<UUIDValue> = []
  /// The same, also where it was given up since.
  var everUsed: Set<UUIDValue> = []
  /// Queues that its user has ever declined on it.
  var declinedQueues: Set<UUIDValue> = []
  /// Queues that it has given up, as the oracles saw last.
  var goneQueues: Set<UUIDValue> = []
  /// Queues whose membership its user has lost at some time.
  private(set) var rejoined: Set<UUIDValue> = []
  /// Of each of them: the earliest that the device's clock has shown since, in milliseconds.
  private var leftAt: [UUIDValue: Int64] = [:]
  /// Operations whose files the device may have given up: for 7 days of its clock it was without their queue.
  private(set) var withoutFiles: Set<UUIDValue> = []
  /// Operations that the device may keep nothing of any more: a server that is restored to before them lacks them for good.
  private(set) var gone: Set<UUIDValue> = []
  /// The server's history, as the app has heard it since it was started.
  var history: UUIDValue?
  /// Of each queue: the server's history in which an answer about it last said that the user is a member.
  var memberIn: [UUIDValue: UUIDValue] = [:]
  /// Of each queue: the server's history in which the home queue last named it.
  var namedIn: [UUIDValue: UUIDValue] = [:]
  /// Queues that the server has lost, and that the device gives birth to again.
  var unborn: Set<UUIDValue> = []
  /// Operations that were refused before the device had heard that its user is a member of their queue.
  var untold: Set<UUIDValue> = []
  /// Of each queue: the server's time at which the device began to wait for a membership.
  var awaitedSince: [UUIDValue: Int64] = [:]
  /// Of each queue that has been read: the history that its rows are of.
  var shownEpochs: [UUIDValue: UUIDValue] = [:]
  /// Of each queue: answers that it got which refused to go on with it.
  var refusals: [UUIDValue: Int] = [:]
  /// Of each queue: how many there were when it was last seen loaded.
  var refusalsWhenLoaded: [UUIDValue: Int] = [:]
  /// By object: which of the own captions it has shown, and their numbers.
  var captionsSeen: [UUIDValue: [String: Int]] = [:]
  /// Of each queue: how far it has been seen to be, in the history that it showed last.
  var seen: [UUIDValue: Seen] = [:]
  /// Operations that were found confirmed, each with its queue and the history in which it is.
  var confirmed: [UUIDValue: (queue: UUIDValue, epoch: UUIDValue)] = [:]
  /// Operations whose rows were damaged before the store was salvaged. Each is reported; nobody knows what became of it.
  private(set) var damaged: Set<UUIDValue> = []
  /// Those that may have left the device when another one of it was found damaged.
  private(set) var sentBesideDamage: Set<UUIDValue> = []
  /// Queues that a silent restore took back, until the device has loaded them again.
  var losses: [UUIDValue: Loss] = [:]
  /// Operations that a silent restore took back, and that had left the outbox by then.
  var leftBefore: Set<UUIDValue> = []
  /// Files that an answer has called complete.
  var hasBrought: Set<FilePlace> = []
  private var numbers = 0
  private var handles: [UUIDValue: OperationHandle] = [:]
  private var unsaved: Set<UUIDValue> = []

  struct Seen {
    var epoch: UUIDValue?
    var cursor: Int64 = 0
    /// By object.
    var revisions: [UUIDValue: Int64] = [:]
  }

  /// Of the next operation; those that come to nothing have one too.
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
  func has(_ id: UUIDValue) -> Bool { performedIDs.contains(id) }

  mutating func letGo(_ ids: [UUIDValue]) { gone.formUnion(ids.filter(has)) }

  /// It is in the outbox: it was not let go of.
  mutating func noteKept(_ ids: some Sequence<UUIDValue>) {
    if !gone.isEmpty { gone.subtract(ids) }
    if !leftBefore.isEmpty { leftBefore.subtract(ids) }
  }

  func handle(_ id: UUIDValue) -> OperationHandle? { handles[id] }

  /// Takes an operation back, and notes what went along.
  mutating func cancel(_ handle: OperationHandle, _ store: ModelStore) {
    let before = store.outbox
    handle.cancel()
    let after = store.outbox
    let remaining = Set(after.map(\.id))
    let voided = Set(before.filter { !$0.isVoided }.map(\.id)).intersection(after.filter(\.isVoided).map(\.id))
    let gone = Set(before.map(\.id)).subtracting(remaining)
    withdrawn.formUnion(gone)
    cancelled.formUnion(gone.union(voided))
  }

  /// What an operation took along out of the outbox: an object that was made and deleted before anybody saw it.
  mutating func noteVanished(_ ids: Set<UUIDValue>) {
    withdrawn.formUnion(ids)
    cancelled.formUnion(ids)
  }

  mutating func noteEnd(_ store: ModelStore) {
    for (id, handle) in handles where !handle.state.isOnDisk { unsaved.insert(id) }
    handles = [:]
    history = nil
  }

  /// What was not saved may be gone, and what was taken back may be there again.
  mutating func noteStart(_ store: ModelStore) {
    let present = Set(store.outbox.map(\.id)).union(store.attention.map(\.id))
    lost.formUnion(unsaved.subtracting(present).subtracting(withdrawn))
    withdrawn.subtract(store.outbox.map(\.id))
    unsaved = []
  }

  mutating func noteLeft(_ queue: UUIDValue, _ now: Int64) {
    rejoined.insert(queue)
    leftAt[queue] = min(now, leftAt[queue] ?? now)
  }

  mutating func noteClock(_ now: Int64) { leftAt = leftAt.mapValues { min($0, now) } }

  /// A store that is opened sweeps what it has kept of queues that are gone.
  mutating func noteSweep(_ now: Int64, _ operations: PerformedOperations) {
    for (queue, time) in leftAt where now - time > 7 * UpkeepRules.day {
      withoutFiles.formUnion(performed.filter { operations[$0]?.queue == queue })
      leftAt[queue] = now
    }
  }

  /// Its store was salvaged: rows and cursors come again, from the beginning.
  mutating func noteSalvage() {
    for queue in seen.keys { seen[queue]?.cursor = 0 }
    confirmed = [:]
    // Every queue is loaded from the beginning, without a refusal.
    refusalsWhenLoaded = [:]
  }

  mutating func noteDamaged(_ id: UUIDValue, sent: Set<UUIDValue>) {
    damaged.insert(id)
    sentBesideDamage.formUnion(sent)
  }

  /// What a copy of the device has: not what was still in memory.
  func copied(_ store: ModelStore) -> Self {
    var copy = self
    copy.noteEnd(store)
    return copy
  }
}

extension OperationState {
  /// What became of it survives a crash.
  fileprivate var isOnDisk: Bool {
    switch self {
    case .performed: false
    case .saved, .sent, .confirmed: true
    case .failed(let error): ![.diskFull, .inputOutput, .readOnly, .damaged, .closed].contains(error.code)
    }
  }
}
