// The checks at the end of a run, when everything has come to rest.

import ClientStore
import ModelTypes
import SyncProtocol
import SyncServer
import WireFormat

extension Oracles {
  func checkEnd() throws {
    filesAreWhole()
    try filesAreServed()
    for device in world.devices { (device.looked, device.isTouched) = (nil, true) }
    checkTouchedDevices()
    if world.server.history.hasAnyEnded { world.count("worlds in which a queue ends") }
    for device in world.devices {
      try screenIsTheServer(device)
      try rolesAreKnown(device)
      revocationsAreTrue(device)
      try membershipsAreAccepted(device)
      nothingIsLeftOfWhatHasEnded(device)
      listsAreWhole(device)
      try linksAreTheServer(device)
    }
    for device in world.devices { checkOperations(of: device) }
    oneOfTwoDevicesKnows()
    for (_, queue) in world.server.history.state.queues.sorted(by: { $0.key < $1.key }) {
      for (object, applied) in queue.applied.sorted(by: { $0.key < $1.key }) {
        let decided = applied.compactMap { entry in world.operations[entry.operation].map { (entry, $0) } }
        for device in world.devices {
          let own = decided.filter { device.record.performed.contains($0.1.id) && !world.isExcused($0.1) }
          orderIsKept(own)
          noPatchOvertakesItsCreate(object, own, decided)
        }
      }
    }
  }

  /// Describes where the rows of a device differ from the server's; nil if every row of every queue of its user is the
  /// same, byte for byte, and there is no other row.
  func difference(of device: Device) -> String? {
    guard let rows = try? device.life?.rows.read() else { return "\(device.name) is not there" }
    for (id, queue) in world.server.history.state.queues.sorted(by: { $0.key < $1.key }) {
      let found = rows[id]?.rows ?? [:]
      let isMember = queue.member(on: device) != nil
      let expected = isMember ? queue.objects.compactMapValues(DeviceRows.Row.init) : [:]
      if found != expected { return "\(device.name), \(id.short): \(describe(found, expected))" }
    }
    return nil
  }

  private func describe(_ found: [UUIDValue: DeviceRows.Row], _ expected: [UUIDValue: DeviceRows.Row]) -> String {
    let ids = Set(found.keys).union(expected.keys).sorted().filter { found[$0] != expected[$0] }
    return ids.prefix(3).map { id in
      "\(id.short) \(DeviceRows.Row.words(found[id], expected[id]))"
    }.joined(separator: "; ")
  }

  /// Reports an operation with an effect that was neither applied nor unnecessary, and that was not reported to its
  /// user. Also reports one that was applied although its user was told otherwise, unless the reason was `unknown`.
  private func checkOperations(of device: Device) {
    guard let store = device.store else { return }
    let (history, record, reported) = (world.server.history, device.record, store.reported)
    for id in record.performed where !record.lost.contains(id) {
      guard let operation = world.operations[id] else { continue }
      let isReported = reported[id] != nil || record.withdrawn.contains(id)
      let applied = operation.edits.map { edit in
        history.applied(to: edit.object, in: operation.queue).filter { $0.operation == id }
      }
      // The aim of an end is that the queue is gone. Another's end reaches it, and so does a server that has lost the
      // queue.
      let isReached = operation.isEnd && (history.hasEnded(operation.queue) || !history.isThere(operation.queue))
      if applied.contains(where: \.isEmpty), !isReported, !isReached, !world.mayBeMissing(operation) {
        report("vanished: \(operation.name)")
      }
      if reported[id] == .ended { endIsTrue(operation) }
      if let reason = reported[id], [.revoked, .membershipLost].contains(reason) { queueIsMade(by: operation, reason) }
      guard isReported, reported[id] != .unknownOutcome, !world.isExcused(operation) else { continue }
      if applied.joined().contains(where: { $0.effect == .changed }) {
        report("reported although applied: \(operation.name), \(reported[id].map { "\($0)" } ?? "withdrawn")")
      }
    }
  }

  /// Reports the creation of a queue that was given up although the server has no such queue: its maker's device makes
  /// it again.
  private func queueIsMade(by operation: Performed, _ reason: StoreError.Code) {
    let makesQueue = operation.edits.contains { $0.object == operation.queue.root && $0.kind == .create }
    guard makesQueue, !world.server.history.isThere(operation.queue), !world.isExcused(operation) else { return }
    report("a lost queue is not made again: \(operation.name) of \(operation.queue.short) is \(reason)")
  }

  /// Reports an operation that failed because its queue had ended, if the queue never ended.
  private func endIsTrue(_ operation: Performed) {
    world.count("reported as ended")
    if !world.server.history.hasEverEnded(operation.queue) {
      report("reported as ended: \(operation.name), and its queue goes on")
    }
  }

  /// Reports what a device still has of a queue that has ended.
  func nothingIsLeftOfWhatHasEnded(_ device: Device) {
    guard let life = device.life, let rows = try? life.rows.read() else { return }
    for id in world.server.history.state.queues.keys.sorted() where world.server.history.hasEnded(id) {
      if rows[device.home]?.hasMembership(of: id, device) == true {
        report("\(device.name) still follows \(id.short), which has ended")
      }
      guard let queue = rows[id] else { continue }
      let isGone = [.unread, .revoked, .ended].contains(queue.load)
      if !isGone || !queue.rows.isEmpty {
        report("\(device.name) still has \(id.short), which has ended: \(queue.load), \(queue.rows.count) rows")
      }
    }
  }

  /// Reports an operation that was applied, and that both devices which have it report as not done.
  private func oneOfTwoDevicesKnows() {
    guard !world.hasForgotten else { return }
    let holders = world.devices.map { ($0.record, $0.store?.reported ?? [:]) }
    for id in world.shared.sorted() {
      guard let operation = world.operations[id], !world.mayBeMissing(operation), !world.cameBack.contains(id) else {
        continue
      }
      let own = holders.filter { record, _ in record.performed.contains(id) && !record.lost.contains(id) }
      let isReported = own.allSatisfy { _, reported in reported[id].map { $0 != .unknownOutcome } ?? false }
      let hasChanged = operation.edits.contains { edit in
        world.server.history.applied(to: edit.object, in: operation.queue).contains {
          $0.operation == id && $0.effect == .changed
        }
      }
      if isReported && hasChanged { report("reported although applied: \(operation.name), by both that have it") }
    }
  }

  /// Reports operations of one object that were decided in another order than they were performed on a device. A
  /// clone's order includes the operations that it was copied with.
  private func orderIsKept(_ decided: [(ServerHistory.Applied, Performed)]) {
    var newest = 0
    for (entry, operation) in decided {
      if entry.order < newest { report("order: \(operation.name) came after a later one of its device") }
      newest = max(newest, entry.order)
    }
  }

  /// Reports a patch without effect of an object that its own device had made, unless somebody deleted the object.
  private func noPatchOvertakesItsCreate(
    _ object: UUIDValue, _ own: [(ServerHistory.Applied, Performed)], _ all: [(ServerHistory.Applied, Performed)]
  ) {
    let kind = { (operation: Performed) in operation.edits.first { $0.object == object }?.kind }
    guard !all.contains(where: { kind($0.1) == .delete }) else { return }
    for (entry, operation) in own where entry.effect == .gone && kind(operation) == .patch {
      if own.contains(where: { kind($0.1) == .create && $0.0.order < entry.order }) {
        report("a patch overtook the create of its object: \(operation.name)")
      }
    }
  }
}
