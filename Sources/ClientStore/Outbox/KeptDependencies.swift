// Dependencies that a restored server may have lost: what was declared to come after them waits until that is known.

import ModelTypes
import SyncProtocol
import WireFormat

/// What is not known to be in the server's present history.
struct UncertainHistory {
  /// Queues that were not read in it yet: an outcome of theirs may be of a history that is lost.
  var queues: Set<QueueID> = []
  /// Operations of the tail.
  var operations: Set<UUIDValue> = []
}

extension StoreMemory {
  /// Empty where no operation was declared to come after another one.
  var uncertainHistory: UncertainHistory {
    guard outbox.hasDependencies else { return UncertainHistory() }
    let queues = Set(places.filter { isUncertain($0.value) }.keys)
    let operations = keptDependencies.filter { id, queue in
      queues.contains(queue) || doubtful[queue]?.contains(id) ?? false
    }
    return UncertainHistory(queues: queues, operations: Set(operations.keys))
  }

  private func isUncertain(_ place: QueuePlace) -> Bool {
    guard place.load == .loaded || place.load == .loading else { return true }
    guard let history, let known = place.history else { return false }
    return known != history
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
