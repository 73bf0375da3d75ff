// Of what the oracles of operations do not ask: what a silent restore took back, and what two devices have done.

import SyncServer
import WireFormat

extension World {
  /// A silent restore has taken this queue back. Until that is noticed, rows are shown that never were.
  func isSilent(_ queue: UUIDValue) -> Bool { silent[queue] != nil }

  /// Nobody promises what became of an operation that was performed before a silent restore took its queue back. All
  /// others happen once, or are reported: those performed later, and those of queues that are as they were.
  func isExcused(_ operation: Performed) -> Bool {
    silent[operation.queue].map { operations.place(of: operation.id) < $0 } ?? false
  }

  func noteSilentRestore(from now: ServerHistory.State, to backup: ServerHistory.State) {
    for (id, queue) in now.queues {
      let before = backup.queues[id]
      let isSame = before?.row == queue.row && before?.members == queue.members && before?.outcomes == queue.outcomes
      if !isSame { silent[id] = operations.count }
    }
  }

  /// Performed on a device before it was copied: two devices have it, send it, and hear of it on their own. It happens
  /// once, or each of them reports it; what one of them has taken back or given up the other one may still send.
  func isShared(_ operation: UUIDValue) -> Bool { shared.contains(operation) }

  /// A device has lost what it was: it is reported as damaged, and the server may have it.
  func isDamaged(_ operation: UUIDValue) -> Bool { devices.contains { $0.record.damaged.contains(operation) } }

  /// What had left a device when an operation before it was found damaged is not called back.
  func isSentBesideDamage(_ operation: UUIDValue, of before: UUIDValue) -> Bool {
    devices.contains { $0.record.damaged.contains(before) && $0.record.sentBesideDamage.contains(operation) }
  }

  /// Whether a device that has performed an operation may keep nothing of it any more.
  func isGone(_ operation: Performed) -> Bool {
    restores > 0 && devices.contains { $0.record.gone.contains(operation.id) }
  }

  /// Whether one of two devices does not stand by an operation that both have.
  func isDisowned(_ operation: UUIDValue, _ reported: [String: Set<UUIDValue>]) -> Bool {
    guard isShared(operation) else { return false }
    return hasForgotten
      || devices.contains { device in
        let record = device.record
        return record.has(operation)
          && (record.lost.contains(operation) || record.withdrawn.contains(operation)
            || record.cancelled.contains(operation) || record.gone.contains(operation)
            || reported[device.name]?.contains(operation) == true)
      }
  }
}
