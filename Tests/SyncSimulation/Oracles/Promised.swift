// Of what the oracles of operations do not ask: what a silent restore took back, and what two devices have done.

import ClientStore
import StoreTestSupport
import SyncProtocol
import SyncServer
import TestSupport
import WireFormat

extension World {
  /// A silent restore has taken this queue back.
  func isSilent(_ queue: UUIDValue) -> Bool { silent.contains(queue) }

  /// A silent restore has taken its outcome back. A restore that is announced lets the server refuse each late copy of a
  /// request of before; after a silent one such a copy is applied, whatever its device was told and has done since: behind
  /// what came later on the device, beside a report, and without what it depends on.
  func isTakenBack(_ operation: UUIDValue) -> Bool { takenBack[operation] != nil }

  /// A silent restore has taken back that its user was out of the queue. As above, a late copy of a request of before is
  /// applied, beside the report that it was refused.
  func isRefusalTakenBack(_ operation: UUIDValue, reportedAs reason: StoreError.Code?) -> Bool {
    (reason == .revoked || reason == .ended) && refusedBefore.contains(operation)
  }

  func isEndTakenBack(of queue: UUIDValue) -> Bool {
    takenBack.keys.contains { operations[$0].map { $0.isEnd && $0.queue == queue } ?? false }
  }

  /// Whether a device may have missed that a silent restore took an operation back. It holds outcomes against each page,
  /// and its rows against the digest. So it notices, but for an operation that had left its outbox, or whose outcome the
  /// server may have forgotten, and only as long as nothing else shows the loss: the digest is right again once others
  /// have overwritten every row that the restore took. Whoever loads the queue again asks for all his retired operations.
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

  /// What a user's devices have done in a queue that he was out of, and what has no outcome.
  private func noteRefused(_ user: UUIDValue, _ queue: UUIDValue, _ outcomes: [UUIDValue: OperationOutcome]) {
    for device in devices where device.user == user {
      let refused = device.record.performed.filter { operations[$0]?.queue == queue && outcomes[$0] == nil }
      refusedBefore.formUnion(refused)
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

  /// A device has lost what it was, and the server may get it all the same: by a late copy of a request that had left the
  /// device before, or from another device that has it.
  func mayComeDamaged(_ operation: UUIDValue) -> Bool {
    isSentBesideDamage(operation, of: operation) || isShared(operation) && isDamaged(operation)
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

/// What a device knows of a silent restore that has taken one of its queues back.
enum Loss {
  /// A load was under way, which may have begun before.
  case duringALoad
  case unnoticed
  /// Its retired operations are asked for.
  case noticed

  var isUnnoticed: Bool { self != .noticed }
}

extension Device {
  func noteLoss(of queue: UUIDValue) {
    let isLoaded = life?.process.executor.isIdle == true && (try? life?.rows.read()[queue]?.load) == .loaded
    record.losses[queue] = isLoaded ? .unnoticed : .duringALoad
  }

  /// Of these, what is in the outbox no more has left it by answers of the lost history.
  func noteLeft(_ operations: some Sequence<UUIDValue>) {
    record.leftBefore.formUnion(operations.filter(record.has))
    // The next look finds out what is still there where the device is at work, or off.
    if life?.process.executor.isIdle == true { record.leftBefore.subtract(store?.outbox.map(\.id) ?? []) }
  }

  /// It notices that a server has lost history by loading the queue again.
  func noteLoads(_ queues: [UUIDValue: DeviceRows.Queue]) {
    for (id, loss) in record.losses {
      let load = queues[id]?.load
      switch loss {
      case .duringALoad: if load == .loaded { record.losses[id] = .unnoticed }
      case .unnoticed: if load != .loaded { record.losses[id] = .noticed }
      case .noticed: if load == .loaded { record.losses[id] = nil }
      }
    }
  }

  /// Of the queue rows are shown that never were, in the history that there is now.
  func showsWhatIsLost(of queue: UUIDValue) -> Bool { record.losses[queue] != nil }
}
