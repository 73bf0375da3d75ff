// The state of a store in memory, behind one lock.

import WireFormat

struct StoreMemory {
  var ledger: SyncLedger
  var saves = SaveQueue()
  /// The client that syncs.
  var holder = SyncHolder()
  var observers = ObserverTable()
  var lists = ListLog()
  /// The records of pending operations that have a handle, by number. `leave` takes them out.
  var records: [Int64: OperationRecord] = [:]
  /// What the changes since the lock was taken lead to. The lock performs them once it is free.
  var effects = Effects()
  /// Whether `close` was called, and has saved what it could.
  var isClosed = false
  /// The operations that did not happen, oldest first, until the app dismisses them.
  private(set) var failedOperations: [FailedOperation] = []
  private var nextNumber: Int64 = 1
  /// The hidden queues that lists and observers were told of last.
  private var told: Set<QueueID> = []

  init(_ saved: SavedState) {
    ledger = SyncLedger(
      sync: SyncState(places: saved.places, roles: saved.roles, invited: saved.invited, history: saved.history))
    failedOperations = saved.outbox.failedOperations
    nextNumber = saved.outbox.nextNumber
  }

  /// To be called once the saved outbox is loaded. Lists and observers begin with the queues that are hidden now.
  mutating func didOpen() { told = ledger.hiddenQueues }

  mutating func number() -> Int64 {
    defer { nextNumber += 1 }
    return nextNumber
  }

  /// Shows an operation that was just performed, and queues it for saving.
  mutating func append(
    _ operation: OutboxEntry, _ record: OperationRecord, confirmed: (UUIDValue) throws -> ObjectVersion?
  ) rethrows {
    try outbox.append(operation, confirmed: confirmed)
    records[operation.number] = record
    saves.append(operation.number)
  }

  /// The record of a pending operation; made here if no handle has asked for it since the store was opened.
  mutating func record(of operation: OutboxEntry) -> OperationRecord {
    if let record = records[operation.number] { return record }
    let record = OperationRecord(id: operation.id, operation.state)
    records[operation.number] = record
    return record
  }
}

// The parts of the ledger.
extension StoreMemory {
  var outbox: Outbox {
    _read { yield ledger.outbox }
    _modify { yield &ledger.outbox }
  }

  var sync: SyncState {
    _read { yield ledger.sync }
    _modify { yield &ledger.sync }
  }
}

// Operations that did not happen.
extension StoreMemory {
  /// Adds reports, but no second one of an operation: two queues that go together may both take it along.
  mutating func report(_ items: [FailedOperation], saving unsaved: Unsaved) {
    guard !items.isEmpty else { return }
    let reported = Set(failedOperations.map(\.id))
    // Damaged ones may have no id.
    let items = items.filter { $0.id == .zero || !reported.contains($0.id) }
    failedOperations += items
    observers.wake(.failedOperations, &effects)
    if unsaved != .nothing { saves.report(items) }
  }

  /// Takes reports out, since their operations are pending again or the app has dismissed them. Called in the order of
  /// the writer, so that it saves no report that has gone.
  mutating func removeReports(of ids: Set<OperationID>) {
    failedOperations.removeAll { ids.contains($0.id) }
    observers.wake(.failedOperations, &effects)
    // Where there is nothing to send, the client still tells the app how many reports there are.
    wakeSync()
  }
}

extension StoreMemory {
  /// Tells the client that syncs that there may be something new to send or to tell.
  mutating func wakeSync() { holder.wake(&effects) }
}

// The only place from which lists and observers hear of changed objects and hidden queues.
extension StoreMemory {
  /// Tells lists and observers what has changed since the last call. The lock calls it, and nobody else has to.
  mutating func tellChanges() {
    if outbox.changes.isEmpty { return }
    let changes = outbox.takeChanges()
    logForLists(changes)
    if tellHidden() { return }
    observers.wake(objects: changes.ids, &effects)
    for batch in changes.batches { observers.wake(objectsWhere: batch.mayChange, &effects) }
  }

  /// Takes changes of the invitations: true for a new one, false for one that is none any more.
  mutating func setInvited(_ changes: [QueueID: Bool]) {
    sync.setInvited(changes)
    if !tellHidden() { observers.wake(.invitations, &effects) }
  }

  /// Wakes all observers if other queues are hidden than before, because it is not known which objects that concerns.
  /// Returns whether it has.
  private mutating func tellHidden() -> Bool {
    let hidden = ledger.hiddenQueues
    guard hidden != told else { return false }
    lists.append(
      hidden.subtracting(told).map { .hidden($0) } + told.subtracting(hidden).map { .queue($0) }, &effects)
    told = hidden
    observers.wakeAll(&effects)
    return true
  }
}
