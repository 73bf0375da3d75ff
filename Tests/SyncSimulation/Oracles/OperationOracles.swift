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
      reported: life.store.reported)
    damageIsReported(device, known)
    reportsAreSingle(life)
    try countsExactlyOnce(device, life, look, known)
    try ownEditsNeverGoBack(device, look, known)
    try headingsFollowCaptions(device, look)
    try cancelledIsHidden(device, look)
  }

  /// Reports an operation that two reports are about. Damage may have taken the ids of others.
  private func reportsAreSingle(_ life: Device.Life) {
    var seen: Set<OperationID> = [.zero]
    for item in life.store.failedOperations where item.id != .zero && !seen.insert(item.id).inserted {
      report("reported twice: \(name(item.id))")
    }
  }

  /// Reports an effect of an operation that is not exactly one of: confirmed by rows, pending, reported.
  private func countsExactlyOnce(_ device: Device, _ life: Device.Life, _ look: Look, _ known: Known) throws {
    let (queues, record) = (look.queues, device.record)
    // Read once, and only if it is needed.
    var retired: Set<OperationID>?
    for id in record.performed where !record.lost.contains(id) {
      let (item, reason) = (known.outbox[id], known.reported[id])
      // A confirmed operation stays so: other oracles see to it that rows only go on, and that nothing is applied
      // twice.
      if !look.isWhole, item == nil, reason == nil, let (queue, history) = device.looked?.confirmed[id],
        queues[queue]?.history == history, queues[queue]?.load == .loaded
      {
        continue
      }
      guard let operation = world.operations[id], reason != .unknownOutcome else { continue }
      let isReported = reason != nil || record.withdrawn.contains(id)
      let isKnown = item != nil || isReported || record.cancelled.contains(id) || world.mayBeMissing(operation)
      guard let queue = queues[operation.queue], queue.isHere else {
        // What was applied is kept for 7 days, in case the server loses it.
        if isKnown || world.isOld(operation) { continue }
        retired = try retired ?? life.rows.readRetired()
        if retired?.contains(id) == true { continue }
        report("lost: \(operation.name) is neither pending nor retired nor reported, and nothing is shown")
        continue
      }
      let isPending = item.map { !$0.isVoided && !queue.hidden.contains(id) } ?? false
      let counted = Counted(isPending: isPending, isReported: isReported, isKnown: isKnown, reason: reason)
      let isConfirmed = countsOnce(operation, in: queue, counted) && item == nil && !isReported
      let isLasting = isConfirmed && queue.load == .loaded && !world.isSilent
      device.looked?.confirmed[id] = isLasting ? queue.history.map { (operation.queue, $0) } : nil
    }
  }

  /// Reports a damaged operation that is not reported as damaged, or that is still in the outbox.
  private func damageIsReported(_ device: Device, _ known: Known) {
    for id in device.record.damaged.sorted() where known.reported[id] != .damaged || known.outbox[id] != nil {
      report("damaged, and not reported: \(name(id)) on \(device.name)")
    }
  }

  /// What the device says of an operation, besides its rows.
  private struct Counted {
    var isPending: Bool
    var isReported: Bool
    /// It may be missing in the rows.
    var isKnown: Bool
    var reason: StoreError.Code?
  }

  /// Reports an effect of an operation that counts twice, or not at all. Returns whether the rows confirm all of it.
  ///
  /// The rows are of one history of the server; those that are shown during a first load may be of several.
  private func countsOnce(_ operation: Performed, in queue: DeviceRows.Queue, _ counted: Counted) -> Bool {
    let history = world.server.history
    let branches =
      queue.isWhole
      ? history.branches(of: operation.queue, in: queue.history) : history.branches(of: operation.queue)
    let complaints = branches.map { complaint(of: operation, in: queue, of: $0, counted) }
    guard let first = complaints.first else { return false }
    if !complaints.contains(nil), let first { report(first) }
    return branches.contains { $0.confirms(operation, in: queue) }
  }

  private func complaint(
    of operation: Performed, in queue: DeviceRows.Queue, of branch: QueueHistory, _ counted: Counted
  ) -> String? {
    for edit in operation.edits {
      let entries = branch.applied(operation, to: edit.object)
      if entries.contains(where: { $0.effect != .changed }) { continue }
      let confirmed = queue.confirmed(entries, of: edit.object)
      if confirmed + (counted.isPending ? 1 : 0) + (counted.isReported ? 1 : 0) > 1, !world.isExcused(operation) {
        return "double: \(operation.name) is confirmed \(confirmed) times, "
          + "\(counted.isPending ? "pending" : "not pending"), "
          + "\(counted.reason.map { "reported as \($0)" } ?? "not reported")"
      }
      // What was shown before the membership ended comes back with the pages of the load.
      let isComing = !queue.isWhole && !entries.isEmpty
      if confirmed == 0 && !counted.isKnown && !isComing {
        return "lost: \(operation.name) is neither confirmed nor pending nor reported, and \(operation.queue.short) is "
          + "\(queue.load) at \(queue.cursor) of \(queue.history?.short ?? "no history"), with \(entries)"
      }
    }
    return nil
  }

  /// Reports a caption that showed an own edit and shows an earlier own one again, unless the later one was taken back.
  /// A device that loses the rows with a membership begins anew.
  private func ownEditsNeverGoBack(_ device: Device, _ look: Look, _ known: Known) throws {
    let record = device.record
    for album in world.albums {
      if look.queues[album.queue]?.isWhole != true { for id in album.photos { device.record.captionsSeen[id] = nil } }
      for id in album.photos.prefix(3) + album.photos.suffix(4) where look.changed.contains(id) {
        guard let caption = try look.photo(id)?.caption, let shown = world.operations.named(caption),
          record.performed.contains(shown.id), !world.isExcused(shown)
        else { continue }
        let seen = device.record.captionsSeen[id] ?? [:]
        let later = seen.first { name, order in
          guard order > shown.order, let operation = world.operations.named(name) else { return false }
          let isRefused = known.outbox[operation.id]?.outcome.map { !$0.status.isDone } ?? false
          return known.reported[operation.id] == nil && !isRefused && !record.cancelled.contains(operation.id)
            && !record.lost.contains(operation.id) && !world.isExcused(operation)
        }
        if let later { report("an own edit went back: \(caption) is shown after \(later.key)") }
        device.record.captionsSeen[id, default: [:]][caption] = shown.order
      }
    }
  }

  /// Reports an operation that was taken back and is on the screen, unless the server has applied it.
  private func cancelledIsHidden(_ device: Device, _ look: Look) throws {
    for item in look.outbox where item.isVoided {
      guard let operation = world.operations[item.id] else { continue }
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

extension QueueHistory {
  fileprivate func applied(_ operation: Performed, to object: UUIDValue) -> [ServerHistory.Applied] {
    applied[object]?.filter { $0.operation == operation.id } ?? []
  }

  /// Whether rows of this history have all of an operation.
  fileprivate func confirms(_ operation: Performed, in queue: DeviceRows.Queue) -> Bool {
    operation.edits.allSatisfy { edit in
      let entries = applied(operation, to: edit.object)
      return entries.contains { $0.effect != .changed } || queue.confirmed(entries, of: edit.object) == 1
    }
  }
}

extension DeviceRows.Queue {
  /// How many of these changes the row of an object has.
  fileprivate func confirmed(_ entries: [ServerHistory.Applied], of object: UUIDValue) -> Int {
    let revision = rows[object]?.revision ?? cursor
    return entries.count { $0.revision <= revision }
  }
}
