// Shows the user the changes of a settlement, once it is on disk.

import ModelTypes
import SyncProtocol
import WireFormat

extension StoreMemory {
  mutating func didSettle(_ settlement: Settlement, in queue: QueueID) {
    let outcomes = settlement.outcomesByNumber
    var changed = outbox.update(outcomes.keys) { $0.outcome = outcomes[$0.number] }
    let failures = Dictionary(settlement.attention.map { ($0.id, $0.reason) }) { first, _ in first }
    var arrived = settlement.arrived
    if looksForObjects { arrived.index() }
    let builtMeanwhile = builtMeanwhile(on: settlement, failures, arrived)
    report(settlement.attention, saving: .nothing)
    let state = { (operation: PendingOperation) -> OperationState in
      if let reason = failures[operation.id] { return .failed(reason) }
      return .confirmed(hadEffect: operation.outcome?.status == .applied)
    }
    changed.formUnion(leave(settlement.leaving, as: state, saving: .nothing))
    changed.formUnion(fail(builtMeanwhile))
    // After what has left: an object without an operation is not replayed.
    let touched = touched(by: arrived)
    for id in touched {
      let live = arrived[id]?.live
      let state = live.map { Outbox.Confirmed($0, in: queue) }
      outbox.confirm(id, state)
    }
    noteForLists(changed.filter { !arrived.contains($0) })
    noteForLists(arrived, touched: touched, in: queue)
    didChange { id in
      changed.contains(id) || arrived.contains(id) || id == queue.rawValue && arrived.mayChangeMembers
    }
  }

  /// Whether somebody looks for single objects of what arrives. A delta may be large: what makes it quick to find them is
  /// made before the lock is taken, where that is known.
  var looksForObjects: Bool { !outbox.objects.isEmpty || !observers.isEmpty || !lists.isEmpty }

  /// The objects of a delta that pending operations touch. Walks along the fewer of both: nothing else may run.
  private func touched(by arrived: ArrivedObjects) -> [UUIDValue] {
    arrived.count < outbox.objects.count
      ? arrived.ids.filter { outbox.objects[$0] != nil } : outbox.objects.keys.filter(arrived.contains)
  }
}
