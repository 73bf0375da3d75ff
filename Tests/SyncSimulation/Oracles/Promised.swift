// Exceptions of the oracles of operations: what a silent restore took back, and what two devices share.

import ClientStore
import StoreTestSupport
import SyncProtocol
import SyncServer
import TestSupport
import WireFormat

extension World {
  /// Whether a silent restore has taken this queue back.
  func isSilent(_ queue: QueueID) -> Bool { silent.contains(queue) }

  /// Whether a silent restore has taken its outcome back. After an announced restore the server refuses late copies of
  /// earlier requests. After a silent one it applies them, whatever the device was told and has done since: behind
  /// later operations of the device, beside a report, and without what the operation depends on.
  func isTakenBack(_ operation: OperationID) -> Bool { takenBack[operation] != nil }

  /// Whether a silent restore has taken back that its user was out of the queue. A late copy of an earlier request may
  /// be applied then, beside the report that it was refused.
  func isRefusalTakenBack(_ operation: OperationID, reportedAs reason: StoreError.Code?) -> Bool {
    (reason == .revoked || reason == .ended) && refusedBefore.contains(operation)
  }

  /// Whether a silent restore has taken back an end of the queue. Devices that have heard of the end show nothing of
  /// the queue, though the server has it again.
  func isEndTakenBack(of queue: QueueID) -> Bool {
    takenBack.keys.contains { operations[$0].map { $0.isEnd && $0.queue == queue } ?? false }
  }

  /// Whether a device may have missed that a silent restore took an operation back. It compares outcomes with each
  /// page, and its rows with the digest. So it only misses an operation that had left its outbox, or whose outcome the
  /// server may have forgotten, and only while nothing else shows the loss: the digest is right again once others have
  /// overwritten every row that the restore took. A device that loads the queue again asks for all its retired
  /// operations.
  func mayMiss(_ operation: Performed, on device: Device) -> Bool {
    guard let outcome = takenBack[operation.id], device.record.losses[operation.queue]?.isUnnoticed == true else {
      return false
    }
    let retention = server.history.state.queues[operation.queue]?.row?.retention ?? .zero
    return device.record.leftBefore.contains(operation.id) || outcome.time < retention
  }

  func noteSilentRestore(from now: ServerHistory.State, to backup: ServerHistory.State) {
    for (id, queue) in now.queues {
      let before = backup.queues[id]
      let isSame = before?.row == queue.row && before?.members == queue.members && before?.outcomes == queue.outcomes
      guard !isSame else { continue }
      silent.insert(id)
      for (operation, outcome) in queue.outcomes where before?.outcomes[operation] == nil {
        takenBack[operation] = outcome
        count("outcomes that a silent restore takes back")
      }
      for user in queue.members.keys where before?.members[user] == nil { noteLeft(user, id) }
      let bringsBack = queue.row?.isEnded == true && before?.row?.isEnded != true
      for (user, member) in before?.members ?? [:] where bringsBack || queue.members[user]?.grant != member.grant {
        noteRefused(user, id, queue.outcomes)
      }
      for device in devices { device.noteLoss(of: id) }
    }
    for device in devices { device.noteLeft(takenBack.keys) }
  }

  /// Notes what a user's devices have done in a queue that the user was out of, and what has no outcome.
  private func noteRefused(_ user: UserID, _ queue: QueueID, _ outcomes: [OperationID: OperationOutcome]) {
    for device in devices where device.user == user {
      let refused = device.record.performed.filter { operations[$0]?.queue == queue && outcomes[$0] == nil }
      refusedBefore.formUnion(refused)
    }
  }

  /// Whether it was performed on a device before the device was copied, so that two devices have it, send it, and hear
  /// of it on their own. It happens once, or each of them reports it. One may send what the other has taken back or
  /// given up.
  func isShared(_ operation: OperationID) -> Bool { shared.contains(operation) }

  /// Whether a device has lost what the operation was. It is reported as damaged, and the server may have it.
  func isDamaged(_ operation: OperationID) -> Bool { devices.contains { $0.record.damaged.contains(operation) } }

  /// Whether an operation may have left a device before the operation `before` was found damaged. It is not called back
  /// then.
  func isSentBesideDamage(_ operation: OperationID, of before: OperationID) -> Bool {
    devices.contains { $0.record.damaged.contains(before) && $0.record.sentBesideDamage.contains(operation) }
  }

  /// Whether the server may get an operation that a device has lost: by a late copy of a request, or from another
  /// device that has it.
  func mayComeDamaged(_ operation: OperationID) -> Bool {
    isSentBesideDamage(operation, of: operation) || isShared(operation) && isDamaged(operation)
  }

  /// Whether a device that has performed an operation may keep nothing of it any more.
  func isGone(_ operation: Performed) -> Bool {
    restores > 0 && devices.contains { $0.record.gone.contains(operation.id) }
  }

  /// Whether one of two devices that have an operation has lost it, taken it back, reported it or let go of it.
  func isDisowned(_ operation: OperationID, _ reported: [String: Set<OperationID>]) -> Bool {
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

/// How far a device has noticed that a silent restore took one of its queues back.
enum Loss {
  /// A load was under way, which may have begun before the restore.
  case duringALoad
  case unnoticed
  /// The device loads the queue again, and asks for its retired operations.
  case noticed

  var isUnnoticed: Bool { self != .noticed }
}

extension Device {
  func noteLoss(of queue: QueueID) {
    let isLoaded = life?.process.executor.isIdle == true && (try? life?.rows.read()[queue]?.load) == .loaded
    record.losses[queue] = isLoaded ? .unnoticed : .duringALoad
  }

  /// Notes which of these operations had left the outbox by answers of the lost history.
  func noteLeft(_ operations: some Sequence<OperationID>) {
    record.leftBefore.formUnion(operations.filter(record.has))
    // If the device is at work, or off, the next look takes out those that are still in the outbox.
    if life?.process.executor.isIdle == true { record.leftBefore.subtract(store?.pendingOperations.map(\.id) ?? []) }
  }

  /// Notes how far losses are noticed: a device notices one by loading the queue again.
  func noteLoads(_ queues: [QueueID: DeviceRows.Queue]) {
    for (id, loss) in record.losses {
      let load = queues[id]?.load
      switch loss {
      case .duringALoad: if load == .loaded { record.losses[id] = .unnoticed }
      case .unnoticed: if load != .loaded { record.losses[id] = .noticed }
      case .noticed: if load == .loaded { record.losses[id] = nil }
      }
    }
  }

  /// Whether the rows of the queue may show what the present history does not have.
  func showsWhatIsLost(of queue: QueueID) -> Bool { record.losses[queue] != nil }
}
