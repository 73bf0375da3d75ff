// What the end of a queue promises at each moment, to those who ended it and to those who hear of it.

import ClientStore
import ModelTypes
import SyncProtocol
import TestSupport
import WireFormat

extension Oracles {
  func checkEnds(_ device: Device, _ life: Device.Life, _ look: Look) throws {
    defer { nothingIsLeft(device, look) }
    guard !device.record.ends.isEmpty else { return }
    let reported = Dictionary(life.store.attention.map { ($0.id, $0.reason.code) }) { first, _ in first }
    for id in device.record.ends {
      guard let end = world.operations[id] else { continue }
      if isInForce(end, device, look, reported) { try endHidesItsQueue(end, device, look) }
      // The aim of an end is reached where the queue has ended, also by another device.
      if reported[id] == .ended, !device.record.cancelled.contains(id) {
        report("reported though its aim is reached: \(end.name)")
      }
    }
  }

  /// Not taken back, not refused, and not given up for a reason that the user is told.
  private func isInForce(
    _ end: Performed, _ device: Device, _ look: Look, _ reported: [UUIDValue: StoreError.Code]
  ) -> Bool {
    let (id, record) = (end.id, device.record)
    let isOver =
      reported[id] != nil || record.lost.contains(id) || record.withdrawn.contains(id) || record.cancelled.contains(id)
      || record.gone.contains(id)
    guard !isOver else { return false }
    return look.outbox.first { $0.id == id }?.outcome?.status.isDone ?? true
  }

  /// From the moment at which a user has ended a queue, the device shows nothing of it: pending, applied or forgotten by
  /// a restored server. That is known from the hand of the user, not from the store.
  private func endHidesItsQueue(_ end: Performed, _ device: Device, _ look: Look) throws {
    world.count("looks at queues that their user has ended")
    var objects = Set(look.queues[end.queue]?.rows.keys ?? [:].keys).intersection(look.changed)
    for item in look.outbox where item.queue?.rawValue == end.queue {
      objects.formUnion(item.changes.objects.map(\.object))
    }
    let root = try? look.store.object(ObjectID<AlbumRoot>(end.queue))
    let photo = objects.sorted().first { ((try? look.photo($0)) ?? nil) != nil }
    if let shown = root.map({ _ in end.queue }) ?? photo {
      report("shown after the end: \(shown.short) on \(device.name), whose user has ended \(end.queue.short)")
    }
  }

  /// In one step with the news that a queue has ended everything of it leaves the device.
  private func nothingIsLeft(_ device: Device, _ look: Look) {
    let ended = look.queues.filter { $0.value.load == .ended }
    guard !ended.isEmpty else { return }
    world.count("looks at ended queues", ended.count)
    for (id, queue) in ended.sorted(by: { $0.key < $1.key }) {
      if !queue.rows.isEmpty || !queue.tombstones.isEmpty {
        report("left of what has ended: \(queue.rows.count) rows of \(id.short) on \(device.name)")
      }
      let isOwn = device.record.ends.contains { world.operations[$0]?.queue == id }
      if !isOwn, !world.server.history.hasEverEnded(id) {
        report("ended by nobody: \(id.short), as \(device.name) has it")
      }
    }
    // An end is retired once it is on the disk: until then it stays.
    for item in look.outbox where item.queue.map({ ended[$0.rawValue] != nil }) ?? false {
      if world.operations[item.id]?.isEnd == true { continue }
      report("pending in what has ended: \(name(item.id)) on \(device.name)")
    }
  }
}
