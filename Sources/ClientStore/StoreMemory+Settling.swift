// Takes a settlement into memory once it is on disk, and tells whoever observes.

import ModelTypes
import SyncProtocol
import WireFormat

extension StoreMemory {
  /// `settlement`: which operations of a queue are decided, and the objects that an answer has brought.
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
    // Not before the operations have left: an object that has none any more needs no replay.
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

  /// Whether single objects of a delta will be looked up, for which it needs an index. Making that takes long where the delta
  /// is large: whoever knows of it earlier makes it before the lock is taken.
  var looksForObjects: Bool { !outbox.objects.isEmpty || !observers.isEmpty || !lists.isEmpty }

  /// The objects of a delta that pending operations touch. Goes through the smaller one of the two: the store is locked meanwhile.
  private func touched(by arrived: ArrivedObjects) -> [UUIDValue] {
    arrived.count < outbox.objects.count
      ? arrived.ids.filter { outbox.objects[$0] != nil } : outbox.objects.keys.filter(arrived.contains)
  }
}
