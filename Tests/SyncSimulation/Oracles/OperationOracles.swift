// Oracles of operations, asked at each look: what has become of everything that was performed on a device.

import ClientStore
import ModelTypes
import SyncProtocol
import SyncServer
import TestSupport
import WireFormat

/// The device's operations, as its store has them.
private struct Known {
  var outbox: [OperationID: PendingOperation]
  var reported: [OperationID: StoreError.Code]
}

extension Oracles {
  func checkOperations(_ device: Device, _ life: Device.Life, _ look: Look) throws {
    let known = Known(
      outbox: Dictionary(uniqueKeysWithValues: look.outbox.map { ($0.id, $0) }),
      reported: Dictionary(life.store.failedOperations.map { ($0.id, $0.reason.code) }) { first, _ in first })
    device.record.noteKept(known.outbox.keys)
    device.letGoOfWhatPagesEnd()
    damageIsReported(device, known)
    try countsExactlyOnce(device, life, look, known)
    try nothingIsLostWhileAMembershipIsAwaited(device, life, look.queues, known)
    try ownEditsNeverGoBack(device, look, known)
    try headingsFollowCaptions(device, look)
    try cancelledIsHidden(device, look)
  }

  /// Reports an effect of an operation that is not exactly one of: confirmed by rows, pending, reported.
  private func countsExactlyOnce(_ device: Device, _ life: Device.Life, _ look: Look, _ known: Known) throws {
    let (queues, record) = (look.queues, device.record)
    for id in record.performed where !record.lost.contains(id) {
      let item = known.outbox[id]
      let reason = known.reported[id]
      // A confirmed operation stays so: other oracles see to it that rows only go on, and that nothing is applied
      // twice.
      if !look.isWhole, item == nil, reason == nil, let (queue, epoch) = record.confirmed[id],
        record.shownEpochs[queue] == epoch, queues[queue]?.load == .loaded
      {
        continue
      }
      guard let operation = world.operations[id], reason != .unknownOutcome, !record.damaged.contains(id),
        !world.mayMiss(operation, on: device)
      else { continue }
      let isReported = reason != nil || record.withdrawn.contains(id)
      let isKnown = item != nil || isReported || record.cancelled.contains(id) || record.gone.contains(id)
      guard let queue = queues[operation.queue], queue.load != .unread, !queue.load.isOver else {
        // A device keeps an end as retired, in case a server loses it.
        let isRetired = operation.isEnd && (try? life.rows.readRetired().contains(id)) == true
        if !isKnown && !isRetired {
          report("lost: \(operation.name) is neither pending nor reported, and nothing is shown")
        }
        continue
      }
      if queue.isAwaited { continue }
      // After a silent restore, until the queue is loaded again, its rows show neither what the server took in since
      // nor what it lost.
      let isOfALostTime = device.showsWhatIsLost(of: operation.queue)
      if !isKnown, isOfALostTime, try life.rows.readRetired().contains(id) { continue }
      let isConfirmed = countsOnce(device, operation, in: queue, item, reason, isKnown: isKnown, isReported: isReported)
      device.record.confirmed[id] =
        isConfirmed ? record.shownEpochs[operation.queue].map { (operation.queue, $0) } : nil
    }
  }

  /// Reports a damaged operation that is not reported as damaged, or that is still in the outbox.
  private func damageIsReported(_ device: Device, _ known: Known) {
    for id in device.record.damaged.sorted() where known.reported[id] != .damaged || known.outbox[id] != nil {
      report("damaged, and not reported: \(name(id)) on \(device.name)")
    }
  }

  /// Returns whether the rows of a queue confirm all of an operation. Reports an effect that counts twice, or not at
  /// all.
  private func countsOnce(
    _ device: Device, _ operation: Performed, in queue: DeviceRows.Queue, _ item: PendingOperation?,
    _ reason: StoreError.Code?, isKnown: Bool, isReported: Bool
  ) -> Bool {
    var isConfirmed = item == nil && !isReported && queue.load == .loaded
    for edit in operation.edits {
      guard
        let entries = world.server.history.applied(
          to: edit.object, in: operation.queue, epoch: device.record.shownEpochs[operation.queue])?
          .filter({ $0.operation == operation.id })
      else {
        isConfirmed = false
        continue
      }
      if entries.contains(where: { $0.effect != .changed }) { continue }
      let revision = queue.rows[edit.object]?.revision ?? queue.cursor
      let confirmed = entries.count { $0.revision <= revision }
      isConfirmed = isConfirmed && confirmed == 1
      let isPending = item.map { !$0.isVoided } ?? false
      // The other one of two devices may have sent it, or a late copy of its request may have come. After a silent
      // restore the rows are not those of the history, until the queue is loaded again.
      let isDoubleAllowed =
        world.isShared(operation.id) || world.isTakenBack(operation.id)
        || world.isRefusalTakenBack(operation.id, reportedAs: reason) || device.showsWhatIsLost(of: operation.queue)
      // An effect that was shown before the membership ended comes back with the pages of the load.
      let isComing = queue.load == .loading && !entries.isEmpty
      if confirmed + (isPending ? 1 : 0) + (isReported ? 1 : 0) > 1, !isDoubleAllowed {
        report(
          "double: \(operation.name) is confirmed \(confirmed) times, \(isPending ? "pending" : "not pending"), "
            + "\(reason.map { "reported as \($0)" } ?? "not reported")")
      } else if confirmed == 0 && !isKnown && !isComing {
        report("lost: \(operation.name) is neither confirmed nor pending nor reported")
      }
    }
    return isConfirmed
  }

  /// Reports an operation that is not pending, retired or reported while the device waits for a membership that a
  /// restored server has lost.
  private func nothingIsLostWhileAMembershipIsAwaited(
    _ device: Device, _ life: Device.Life, _ queues: [QueueID: DeviceRows.Queue], _ known: Known
  ) throws {
    let awaited = queues.filter { $0.value.isAwaited }
    guard !awaited.isEmpty else { return }
    world.count("checks of an awaited membership")
    let record = device.record
    let retired = try life.rows.readRetired()
    for id in record.performed {
      guard let operation = world.operations[id], awaited[operation.queue] != nil else { continue }
      let isKnown = known.outbox[id] != nil || known.reported[id] != nil || retired.contains(id)
      let isOver = record.lost.contains(id) || record.withdrawn.contains(id) || record.gone.contains(id)
      if !isKnown && !isOver {
        report("lost: \(operation.name) is neither pending nor retired nor reported, and its membership is awaited")
      }
    }
  }

  /// Reports a caption that showed an own edit and shows an earlier own one again, unless the later one was taken back.
  /// A device that loses the rows with a membership begins anew.
  private func ownEditsNeverGoBack(_ device: Device, _ look: Look, _ known: Known) throws {
    let record = device.record
    for album in world.albums {
      let queue = look.queues[album.queue]
      if device.showsWhatIsLost(of: album.queue) || queue?.load.isOver == true || queue?.isAwaited == true {
        for id in album.photos { device.record.captionsSeen[id] = nil }
      }
      for id in album.photos.prefix(3) + album.photos.suffix(4) where look.changed.contains(id) {
        guard let caption = try look.photo(id)?.caption, let shown = world.operations.named(caption),
          record.has(shown.id)
        else { continue }
        // An operation that a silent restore took back comes again, perhaps behind later ones.
        if world.isTakenBack(shown.id) { continue }
        // A damaged operation may still come from elsewhere, behind later ones, which are sent without it.
        if world.mayComeDamaged(shown.id) { continue }
        // If two devices have an operation, one may send what the other has given up.
        let isGivenUp =
          world.isShared(shown.id)
          && (world.hasForgotten || known.reported[shown.id] != nil || record.cancelled.contains(shown.id)
            || record.gone.contains(shown.id))
        if isGivenUp { continue }
        let seen = device.record.captionsSeen[id] ?? [:]
        let later = seen.first { name, number in
          guard number > shown.number, let operation = world.operations.named(name) else { return false }
          let isRefused = known.outbox[operation.id]?.outcome.map { !$0.status.isDone } ?? false
          return known.reported[operation.id] == nil && !isRefused && !record.cancelled.contains(operation.id)
            && !record.lost.contains(operation.id) && !record.gone.contains(operation.id)
        }
        if let later { report("an own edit went back: \(caption) is shown after \(later.key)") }
        device.record.captionsSeen[id, default: [:]][caption] = shown.number
      }
    }
  }

  /// Reports an operation that was taken back and is on the screen, unless the server has applied it.
  private func cancelledIsHidden(_ device: Device, _ look: Look) throws {
    for item in look.outbox where item.isVoided {
      guard let operation = world.operations[item.id], !device.showsWhatIsLost(of: operation.queue) else { continue }
      for edit in operation.edits where edit.caption != nil {
        let id = ObjectID<Photo>(edit.object)
        guard try look.photo(edit.object)?.caption == edit.caption else { continue }
        let row = look.queues[operation.queue]?.rows[edit.object]
        let confirmed = try row.map { try Photo(id: id, blob: $0.content).caption } ?? nil
        if confirmed != edit.caption { report("a cancelled operation is shown: \(operation.name)") }
      }
    }
  }
}

extension DeviceRows.Queue {
  /// Whether a restored server does not know the user as a member, or has begun to and the load has brought nothing
  /// yet. Nothing of the queue is shown then, and its operations are kept.
  fileprivate var isAwaited: Bool { load == .awaitingMembership || load == .reloading && cursor == 0 }
}

extension DeviceRows.Load {
  /// Whether nothing of the queue is left on the device.
  fileprivate var isOver: Bool { self == .revoked || self == .ended }
}
