// Takes a settlement into memory once it is on disk.

import SyncProtocol
import WireFormat

extension StoreMemory {
  /// Takes in the decided operations of a queue, and the objects that an answer has brought.
  mutating func didSettle(_ settlement: Settlement, in queue: QueueID) {
    let outcomes = settlement.outcomesByNumber
    outbox.update(outcomes.keys) { $0.outcome = outcomes[$0.number] ?? nil }
    outbox.update(settlement.revealed) { $0.isHidden = false }
    outbox.update(settlement.awoken) { $0.isWaiting = false }
    let failures = Dictionary(settlement.failedOperations.map { ($0.id, $0.reason) }) { first, _ in first }
    var arrived = settlement.arrived
    if looksForObjects { arrived.index() }
    let builtMeanwhile = builtMeanwhile(on: settlement, failures, arrived)
    report(settlement.failedOperations, saving: .nothing)
    let state = { (operation: OutboxEntry) -> OperationState in
      if let reason = failures[operation.id] { return .failed(reason) }
      return .confirmed(hadEffect: operation.outcome?.status == .applied)
    }
    leave(settlement.leaving, as: state, saving: .nothing)
    fail(builtMeanwhile)
    // After the operations have left, because an object without operations needs no replay.
    outbox.confirm(arrived, in: queue)
  }

  /// Whether single objects of a delta will be looked up, which needs an index. Callers make the index before they take
  /// the lock, because that takes long if the delta is large.
  var looksForObjects: Bool {
    !outbox.overlay.objects.isEmpty || !outbox.changes.ids.isEmpty || !observers.isEmpty || !lists.isEmpty
  }
}
