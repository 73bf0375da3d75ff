// Dependencies that have left the outbox for the tail: a restored server may have lost them, and then they come first.

import ModelTypes
import SyncProtocol
import WireFormat

extension StoreMemory {
  /// The kept dependencies of which nobody knows whether the server's present history has them: what was declared to come
  /// after them waits, until their queues have been read in that history.
  var uncertainDependencies: Set<UUIDValue> {
    guard !keptDependencies.isEmpty else { return [] }
    return Set(keptDependencies.filter { isUncertain($0.key, in: $0.value) }.keys)
  }

  private func isUncertain(_ id: UUIDValue, in queue: QueueID) -> Bool {
    let place = places[queue] ?? QueuePlace()
    guard place.load == .loaded || place.load == .loading else { return true }
    if let history, let known = place.history, known != history { return true }
    return doubtful[queue]?.contains(id) ?? false
  }

  /// After a step of sync: what has left for the tail may have to be waited for, and what came back is in the outbox.
  mutating func noteKeptDependencies(_ step: QueueStep, _ leaving: [UUIDValue], _ result: QueueStep.Result) {
    for id in leaving where outbox.isDependedOn(id) { keptDependencies[id] = step.queue }
    keptDependencies.merge(result.keptDependencies) { $1 }
    guard !keptDependencies.isEmpty else { return }
    var isDropped = false
    if case .dropped = step.tail { isDropped = true }
    keptDependencies = keptDependencies.filter { id, queue in
      outbox.isDependedOn(id) && outbox.number(of: id) == nil && !(isDropped && queue == step.queue)
    }
  }
}
