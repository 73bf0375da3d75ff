// Dependencies that a restored server may have lost. Operations declared to come after them wait until that is known.

import SyncProtocol
import WireFormat

/// Operations that are not known to be in the server's present history.
struct UncertainHistory {
  /// Queues that were not read in the present history yet: outcomes of their operations may be of a lost history.
  var queues: Set<QueueID> = []
  /// Retired operations on which pending ones depend, and which the server may have lost.
  var operations: Set<OperationID> = []
  /// Pending operations that were sent in a lost history and depend on an operation that is reported now, each with the
  /// id of that one. Their queues are read first: if the present history does not have such an operation, it is
  /// reported too, and not sent again.
  var left: [Int64: OperationID] = [:]
}

extension StoreMemory {
  /// Empty if no pending operation was declared to come after another one.
  var uncertainHistory: UncertainHistory {
    guard outbox.hasDependencies else { return UncertainHistory() }
    let queues = Set(sync.places.filter { isUncertain($0.value) }.keys)
    let operations = sync.retiredDependencies.filter { id, queue in
      queues.contains(queue) || sync.doubtful(in: queue).contains(id)
    }
    return UncertainHistory(queues: queues, operations: Set(operations.keys), left: leftBehind)
  }

  private var leftBehind: [Int64: OperationID] {
    let reported = Set(failedOperations.lazy.map(\.id).filter(outbox.isDependedOn))
    guard !reported.isEmpty else { return [:] }
    var left: [Int64: OperationID] = [:]
    for (queue, operations) in outbox.queues where sync.isLoadedSoon(queue) {
      for number in operations.underWay {
        guard let operation = outbox.operations[number], sync.wasSentInALostHistory(operation), !operation.isVoided
        else { continue }
        left[number] = operation.dependencies.first(where: reported.contains)
      }
    }
    return left
  }

  private func isUncertain(_ place: QueuePlace) -> Bool {
    guard [.loaded, .loading, .ended].contains(place.load) else { return true }
    guard let history = sync.history, let known = place.history else { return false }
    return known != history
  }
}
