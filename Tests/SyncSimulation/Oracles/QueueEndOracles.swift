// Oracles of ended queues, asked at each look: what the end promises to those who ended it and to those who hear of it.

import ClientStore
import ModelTypes
import SyncProtocol
import TestSupport
import WireFormat

extension Oracles {
  func checkEnds(_ device: Device, _ life: Device.Life, _ look: Look) throws {
    defer { nothingIsLeft(device, look) }
    let ends = world.operations.ends.filter(device.record.performed.contains)
    guard !ends.isEmpty else { return }
    let reported = life.store.reported
    for id in ends {
      guard let end = world.operations[id] else { continue }
      if isInForce(end, device, look, reported) { endHidesItsQueue(end, device, look) }
      // The aim of an end is reached once the queue has ended, by another device too.
      if reported[id] == .ended, !device.record.cancelled.contains(id) {
        report("reported though its aim is reached: \(end.name)")
      }
    }
  }

  /// Whether an end still holds: it was not taken back, refused, lost for good or reported.
  private func isInForce(
    _ end: Performed, _ device: Device, _ look: Look, _ reported: [OperationID: StoreError.Code]
  ) -> Bool {
    let (id, record) = (end.id, device.record)
    let isOver =
      reported[id] != nil || record.lost.contains(id) || record.withdrawn.contains(id) || record.cancelled.contains(id)
      || world.mayBeMissing(end)
    guard !isOver else { return false }
    return look.outbox.first { $0.id == id }?.outcome?.status.isDone ?? true
  }

  /// Reports anything that a device shows of a queue after its user has ended it, whether the end is pending, applied,
  /// or lost by the server. The oracle knows of the end from the user's hand, not from the store.
  private func endHidesItsQueue(_ end: Performed, _ device: Device, _ look: Look) {
    world.count("looks at queues that their user has ended")
    var objects = Set(look.queues[end.queue]?.rows.keys ?? [:].keys).intersection(look.changed)
    for item in look.outbox where item.queue == end.queue {
      objects.formUnion(item.changes.objects.map(\.object))
    }
    let root = try? look.store.object(ObjectID<AlbumRoot>(end.queue.root))
    let photo = objects.sorted().first { ((try? look.photo($0)) ?? nil) != nil }
    if let shown = root.map({ _ in end.queue.root }) ?? photo {
      report("shown after the end: \(shown.short) on \(device.name), whose user has ended \(end.queue.short)")
    }
  }

  /// Reports what a device still has of a queue that it knows as ended: everything leaves in one step with that news.
  private func nothingIsLeft(_ device: Device, _ look: Look) {
    let ended = look.queues.filter { $0.value.load == .ended }
    guard !ended.isEmpty else { return }
    world.count("looks at ended queues", ended.count)
    for (id, queue) in ended.sorted(by: { $0.key < $1.key }) {
      if !queue.rows.isEmpty || !queue.tombstones.isEmpty {
        report("left of what has ended: \(queue.rows.count) rows of \(id.short) on \(device.name)")
      }
      if !device.hasEverEnded(id), !world.server.history.hasEverEnded(id) {
        report("ended by nobody: \(id.short), as \(device.name) has it")
      }
    }
    // An end becomes retired once it is on the disk, and stays in the outbox until then. What is sent again after a loss
    // stays until the server tells whether it has lost the end; what a user tries again, until it is refused anew. Who
    // joins by a link need not know that the queue has ended.
    for item in look.outbox {
      guard let queue = item.queue, let place = ended[queue], !place.hidden.contains(item.id) else { continue }
      if let operation = world.operations[item.id], operation.isEnd || operation.isRetried { continue }
      if item.changes.join != nil || device.record.retried.contains(item.id) { continue }
      report("pending in what has ended: \(name(item.id)) on \(device.name)")
    }
  }
}
