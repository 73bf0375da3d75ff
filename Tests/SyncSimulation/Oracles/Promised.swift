// What is not promised of an operation: the one place for exceptions.
//
// After an announced loss everything is there again that a device retired since, at most 7 days ago; what the server
// refuses now is reported. So these oracles need no exception for restores and failovers.

import ClientStore
import SyncProtocol
import SyncServer
import WireFormat

extension World {
  /// Whether nobody can say what has become of an operation, so that only convergence is promised:
  /// - it may be missing;
  /// - two devices have it, because one was made from a copy of the other, and they hear of it on their own;
  /// - it was lost and reported, and the operator went back to a server that has it.
  func isExcused(_ operation: Performed) -> Bool {
    mayBeMissing(operation) || shared.contains(operation.id) || cameBack.contains(operation.id)
  }

  /// Whether even nothing may be left of an operation:
  /// - its device has lost what it was, and has reported that;
  /// - the server has lost something without a word, and then answers late copies of requests once more;
  /// - the server has lost it more than 7 days after it was applied.
  func mayBeMissing(_ operation: Performed) -> Bool {
    isSilent || devices.contains { $0.record.damaged.contains(operation.id) }
      || losses > 0 && isOld(operation)
  }

  /// Whether it was applied more than 7 days ago by the server's time, so that its device keeps nothing of it. Of an end
  /// that may have been somebody else's end of the queue.
  func isOld(_ operation: Performed) -> Bool {
    ([operation.id] + (operation.isEnd ? operations.ends(of: operation.queue) : []))
      .contains { server.history.wasDone($0, before: 7 * UpkeepRules.day) }
  }
}

extension Device {
  /// Whether its user has ever ended the queue on it.
  func hasEverEnded(_ queue: QueueID) -> Bool {
    world.operations.ends(of: queue).contains { record.performed.contains($0) }
  }
}
