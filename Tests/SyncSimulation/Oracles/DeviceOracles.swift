// Asked of a device whenever something has happened on it and its tasks are at rest.

import ClientStore
import ModelTypes
import StoreTestSupport
import SyncProtocol
import SyncServer
import TestSupport
import WireFormat

extension Oracles {
  func checkTouchedDevices() {
    for device in world.devices where device.isTouched {
      guard let life = device.life, life.process.executor.isIdle, !world.isDiskFailing(of: device) else { continue }
      device.isTouched = false
      do { try check(device, life) } catch { report("the store of \(device.name) cannot be read: \(error)") }
    }
  }

  private func check(_ device: Device, _ life: Device.Life) throws {
    guard let look = try Look(device, life) else { return world.count("looks without news") }
    world.count("checks of a device")
    let queues = look.queues
    for (id, queue) in queues where queue.load == .loaded || queue.load == .loading {
      device.record.shownEpochs[id] = queue.epoch
    }
    onlyAfterALoss(device, queues)
    if !device.isCloned && !world.isSilent { try checkOperations(device, life, look) }
    memoryIsTheDisk(device, life.store, queues)
    if !world.isSilent && look.hasNewRows {
      nothingGoesBack(device, queues)
      rowsAreOfOneMoment(device, queues)
    }
    try screenIsRowsAndOutbox(device, look)
  }

  private func checkOperations(_ device: Device, _ life: Device.Life, _ look: Look) throws {
    let outbox = Dictionary(uniqueKeysWithValues: look.outbox.map { ($0.id, $0) })
    let reported = Dictionary(life.store.attention.map { ($0.id, $0.reason.code) }) { first, _ in first }
    countsExactlyOnce(device, look, outbox, reported)
    try nothingIsLostWhileAMembershipIsAwaited(device, life, look.queues, outbox, reported)
    try ownEditsNeverGoBack(device, look, outbox, reported)
    try cancelledIsHidden(look)
  }

  /// No false alarm: a queue is loaded again only if the server has refused to go on with that queue.
  private func onlyAfterALoss(_ device: Device, _ queues: [UUIDValue: DeviceRows.Queue]) {
    for (id, queue) in queues.sorted(by: { $0.key < $1.key }) {
      let refusals = device.record.refusals[id, default: 0]
      if queue.load == .loaded { device.record.refusalsWhenLoaded[id] = refusals }
      if queue.load == .reloading, device.record.refusalsWhenLoaded[id] == refusals, !world.isSilent {
        report("false alarm: \(device.name) loads \(id.short) again")
      }
    }
  }

  /// Every effect of every operation is confirmed on the screen, or pending, or reported: exactly one of them.
  private func countsExactlyOnce(
    _ device: Device, _ look: Look, _ outbox: [UUIDValue: OutboxItem], _ reported: [UUIDValue: StoreError.Code]
  ) {
    let (queues, record) = (look.queues, device.record)
    for id in record.performed where !record.lost.contains(id) {
      let item = outbox[id]
      // Confirmed by rows that only go on, and by a history in which nothing is applied twice: both are looked at.
      if !look.isWhole, item == nil, reported[id] == nil, let (queue, epoch) = record.confirmed[id],
        record.shownEpochs[queue] == epoch, queues[queue]?.load == .loaded
      {
        continue
      }
      guard let operation = world.operations[id] else { continue }
      let isReported = reported[id] != nil || record.withdrawn.contains(id)
      if reported[id] == .unknownOutcome { continue }
      guard let queue = queues[operation.queue], queue.load != .unread else {
        let isForgiven = record.cancelled.contains(id) || world.restores > 0 && world.serverClockWasSet
        if item == nil && !isReported && !isForgiven {
          report("lost: \(operation.name) is neither pending nor reported, and nothing was read")
        }
        continue
      }
      if queue.load == .revoked || queue.isAwaited { continue }
      let isForgiven =
        record.cancelled.contains(id) || world.restores > 0 && world.serverClockWasSet
        || record.rejoined.contains(operation.queue) && (queue.load != .loaded || world.restores > 0)
      var isConfirmed = item == nil && !isReported && queue.load == .loaded
      for edit in operation.edits {
        guard
          let entries = world.server.history.applied(
            to: edit.object, in: operation.queue, epoch: record.shownEpochs[operation.queue])?
            .filter({ $0.operation == id })
        else {
          isConfirmed = false
          continue
        }
        if entries.contains(where: { $0.effect != .changed }) { continue }
        let revision = queue.rows[edit.object]?.revision ?? queue.cursor
        let confirmed = entries.count { $0.revision <= revision }
        isConfirmed = isConfirmed && confirmed == 1
        let isPending = item.map { !$0.isVoided } ?? false
        let total = confirmed + (isPending ? 1 : 0) + (isReported ? 1 : 0)
        if total > 1 {
          report(
            "double: \(operation.name) is confirmed \(confirmed) times, \(isPending ? "pending" : "not pending"), "
              + "\(reported[id].map { "reported as \($0)" } ?? "not reported")")
        } else if total == 0 && item == nil && !isForgiven {
          report("lost: \(operation.name) is neither confirmed nor pending nor reported")
        }
      }
      device.record.confirmed[id] =
        isConfirmed ? record.shownEpochs[operation.queue].map { (operation.queue, $0) } : nil
    }
  }

  /// While a device waits for a membership that a restored server has lost, each of its operations in that queue is
  /// pending, kept or reported.
  private func nothingIsLostWhileAMembershipIsAwaited(
    _ device: Device, _ life: Device.Life, _ queues: [UUIDValue: DeviceRows.Queue],
    _ outbox: [UUIDValue: OutboxItem], _ reported: [UUIDValue: StoreError.Code]
  ) throws {
    // A device whose user was taken out has let go of what was done before.
    let awaited = queues.filter { $0.value.isAwaited && !device.record.rejoined.contains($0.key) }
    guard !awaited.isEmpty else { return }
    world.count("checks of an awaited membership")
    let tail = try life.rows.readTail()
    for id in device.record.performed {
      guard let operation = world.operations[id], awaited[operation.queue] != nil, !world.isGone(operation) else {
        continue
      }
      let isKnown = outbox[id] != nil || reported[id] != nil || tail.contains(id)
      if !isKnown && !device.record.lost.contains(id) && !device.record.withdrawn.contains(id) {
        report("lost: \(operation.name) is neither pending nor kept nor reported, and its membership is awaited")
      }
    }
  }

  /// A caption that showed an own edit shows no earlier own one again, unless the later one was taken back. Who loses
  /// the rows with a membership begins anew; who has lost one does not repair a restore.
  private func ownEditsNeverGoBack(
    _ device: Device, _ look: Look, _ outbox: [UUIDValue: OutboxItem], _ reported: [UUIDValue: StoreError.Code]
  ) throws {
    // Nobody has any more what was done more than 7 days of the server's time before.
    if world.restores > 0 && world.serverClockWasSet { return }
    let prefix = device.name + "."
    for album in world.albums {
      let hasLeft = device.record.rejoined.contains(album.queue)
      if hasLeft && world.restores > 0 { continue }
      let load = look.queues[album.queue]?.load
      if load == .revoked || look.queues[album.queue]?.isAwaited == true || hasLeft && load == .loading {
        for id in album.photos { device.record.captionsSeen[id] = nil }
      }
      for id in album.photos.prefix(3) + album.photos.suffix(4) where look.changed.contains(id) {
        guard let caption = try look.photo(id)?.caption, caption.hasPrefix(prefix),
          let shown = world.operations.named(caption)
        else { continue }
        let seen = device.record.captionsSeen[id] ?? [:]
        let later = seen.first { name, number in
          guard number > shown.number, let operation = world.operations.named(name) else { return false }
          let isRefused = outbox[operation.id]?.outcome.map { !$0.status.isDone } ?? false
          return reported[operation.id] == nil && !isRefused && !device.record.cancelled.contains(operation.id)
            && !device.record.lost.contains(operation.id)
        }
        if let later { report("an own edit went back: \(caption) is shown after \(later.key)") }
        device.record.captionsSeen[id, default: [:]][caption] = shown.number
      }
    }
  }

  /// An operation that was taken back is not on the screen, unless the server has applied it.
  private func cancelledIsHidden(_ look: Look) throws {
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

extension DeviceRows.Queue {
  /// A restored server does not know its user as a member, or has just begun to: nothing of it is shown, and what was done
  /// in it is kept.
  fileprivate var isAwaited: Bool { load == .awaitingMembership || load == .reloading && cursor == 0 }
}
