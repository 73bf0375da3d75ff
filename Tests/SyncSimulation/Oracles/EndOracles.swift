// Asked when everything has come to rest.

import ClientStore
import ModelTypes
import SyncProtocol
import SyncServer
import WireFormat

extension Oracles {
  func checkEnd() throws {
    for device in world.devices { (device.looked, device.isTouched) = (nil, true) }
    checkTouchedDevices()
    for device in world.devices {
      try screenIsTheServer(device)
      if !world.isSilent { checkOperations(of: device) }
    }
    guard !world.isSilent else { return }
    for (queue, history) in world.server.history.state.queues.sorted(by: { $0.key < $1.key }) {
      for (object, applied) in history.applied.sorted(by: { $0.key < $1.key }) {
        orderIsKept(applied)
        noPatchOvertakesItsCreate(object, applied, queue)
      }
    }
  }

  /// In what the rows of a device differ from the server; nil where every row of every queue of its user is the same, byte for byte,
  /// and no other is there.
  func difference(of device: Device) -> String? {
    guard let rows = try? device.life?.rows.read() else { return "\(device.name) is not there" }
    for (id, queue) in world.server.history.state.queues.sorted(by: { $0.key < $1.key }) {
      let isMember = queue.members[device.user] != nil
      let found = rows[id]?.rows ?? [:]
      guard isMember else {
        if !found.isEmpty {
          return "\(device.name) has \(found.count) objects of \(id.short), of which it is no member"
        }
        continue
      }
      let expected = queue.objects.compactMapValues(DeviceRows.Row.init)
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

  /// Every effect of every operation is applied, or made no difference, or is reported; and what is reported, but as
  /// `unknown`, was not applied.
  private func checkOperations(of device: Device) {
    guard let store = device.store else { return }
    let reported = Dictionary(store.attention.map { ($0.id, $0.reason.code) }) { first, _ in first }
    for id in device.record.performed where !device.record.lost.contains(id) {
      guard let operation = world.operations[id] else { continue }
      let history = world.server.history
      let isReported = reported[id] != nil || device.record.withdrawn.contains(id)
      let isForgiven =
        world.restores > 0 && (device.record.rejoined.contains(operation.queue) || world.serverClockWasSet)
      let isSettled = operation.edits.allSatisfy { edit in
        history.applied(to: edit.object, in: operation.queue).contains { $0.operation == id }
      }
      if !isSettled && !isReported && !isForgiven { report("vanished: \(operation.name)") }
      guard !device.isCloned, isReported, reported[id] != .unknownOutcome else { continue }
      let hasChanged = operation.edits.contains { edit in
        history.applied(to: edit.object, in: operation.queue).contains { $0.operation == id && $0.effect == .changed }
      }
      if hasChanged {
        report("reported although applied: \(operation.name), \(reported[id].map { "\($0)" } ?? "withdrawn")")
      }
    }
  }

  /// An author's operations on an object are decided in the order in which they were performed.
  private func orderIsKept(_ applied: [ServerHistory.Applied]) {
    var newest: [String: Int] = [:]
    for entry in applied {
      guard let operation = world.operations[entry.operation], !world.clonedAuthors.contains(operation.author) else {
        continue
      }
      if operation.number < newest[operation.author] ?? 0 {
        report("order: \(operation.name) came after a later one of its author")
      }
      newest[operation.author] = operation.number
    }
  }

  /// A patch of an object that its author had made has no effect only if somebody deleted the object.
  private func noPatchOvertakesItsCreate(_ object: UUIDValue, _ applied: [ServerHistory.Applied], _ queue: UUIDValue) {
    let operations = applied.compactMap { entry in world.operations[entry.operation].map { (entry, $0) } }
    let edits = operations.compactMap { entry, operation in
      operation.edits.first { $0.object == object }.map { (entry, operation, $0.kind) }
    }
    guard !edits.contains(where: { $0.2 == .delete }) else { return }
    for (entry, operation, kind) in edits where kind == .patch && entry.effect == .gone {
      let own = edits.contains { $0.2 == .create && $0.1.author == operation.author && $0.1.number < operation.number }
      if own, !world.clonedAuthors.contains(operation.author) {
        report("a patch overtook the create of its object: \(operation.name)")
      }
    }
  }
}
