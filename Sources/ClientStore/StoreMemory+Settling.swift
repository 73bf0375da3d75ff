// Takes a settlement into memory once it is on disk, and tells lists and observers.

import SyncProtocol
import WireFormat

extension StoreMemory {
  /// Takes in the decided operations of a queue, and the objects that an answer has brought.
  mutating func didSettle(_ settlement: Settlement, in queue: QueueID) {
    let outcomes = settlement.outcomesByNumber
    var changed = outbox.update(outcomes.keys) { $0.outcome = outcomes[$0.number] ?? nil }
    changed.formUnion(outbox.update(settlement.revealed) { $0.isHidden = false })
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
    changed.formUnion(leave(settlement.leaving, as: state, saving: .nothing))
    changed.formUnion(fail(builtMeanwhile))
    // After the operations have left, because an object without operations needs no replay.
    let touched = touched(by: arrived)
    for id in touched {
      let live = arrived[id]?.live
      let state = live.map { ObjectVersion($0, in: queue) }
      outbox.confirm(id, state)
    }
    logForLists(changed.filter { !arrived.contains($0) })
    logForLists(arrived, touched: touched, in: queue)
    didChange { id in
      changed.contains(id) || arrived.contains(id) || id == queue.root && arrived.mayChangeMembers
    }
  }

  /// Whether single objects of a delta will be looked up, which needs an index. Callers make the index before they take
  /// the lock, because that takes long if the delta is large.
  var looksForObjects: Bool { !outbox.overlay.objects.isEmpty || !observers.isEmpty || !lists.isEmpty }

  /// The arrived objects that pending operations touch. Walks over the smaller of the two sets, because the store is
  /// locked meanwhile.
  private func touched(by arrived: ArrivedObjects) -> [UUIDValue] {
    arrived.count < outbox.overlay.objects.count
      ? arrived.ids.filter { outbox.overlay[$0] != nil } : outbox.overlay.objects.keys.filter(arrived.contains)
  }
}
