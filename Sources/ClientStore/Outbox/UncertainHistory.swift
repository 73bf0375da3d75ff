// Dependencies that a restored server may have lost: what was declared to come after them waits until that is known.

import ModelTypes
import SyncProtocol
import WireFormat

/// Operations that are not known to be in the server's present history.
struct UncertainHistory {
  /// Queues that were not read in it yet: an outcome of theirs may be of a history that is lost.
  var queues: Set<QueueID> = []
  /// Retired operations.
  var operations: Set<UUIDValue> = []
  /// Operations of the outbox that were sent in a history which is lost, after others that are reported now, by the ids
  /// of these. Their queues are read first: what the present history does not have is reported too, and not sent again.
  var left: [Int64: UUIDValue] = [:]
}

extension StoreMemory {
  /// Empty where no operation was declared to come after another one.
  var uncertainHistory: UncertainHistory {
    guard outbox.hasDependencies else { return UncertainHistory() }
    let queues = Set(sync.places.filter { isUncertain($0.value) }.keys)
    let operations = sync.retiredDependencies.filter { id, queue in
      queues.contains(queue) || sync.doubtful(in: queue).contains(id)
    }
    return UncertainHistory(queues: queues, operations: Set(operations.keys), left: leftBehind)
  }

  private var leftBehind: [Int64: UUIDValue] {
    let reported = Set(attention.lazy.map(\.id).filter(outbox.isDependedOn))
    guard !reported.isEmpty else { return [:] }
    var left: [Int64: UUIDValue] = [:]
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
