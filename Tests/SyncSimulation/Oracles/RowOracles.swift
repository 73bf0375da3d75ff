// Compares the confirmed rows of a device with the server's history, and with what the device has shown before.

import ClientStore
import ModelTypes
import SyncProtocol
import SyncServer
import WireFormat

extension Oracles {
  /// Reports a queue whose rows are not exactly those that the server had at its cursor, byte for byte. During a first
  /// load, reports a row that the server never had.
  func rowsAreOfOneMoment(_ device: Device, _ queues: [QueueID: DeviceRows.Queue]) {
    for (id, queue) in queues.sorted(by: { $0.key < $1.key }) where queue.load != .unread {
      guard let history = world.server.history.history(of: id, epoch: device.record.shownEpochs[id]) else { continue }
      if let difference = queue.isWhole ? history.difference(from: queue) : history.strange(in: queue) {
        report("wrong rows: \(device.name), \(id.short) at \(queue.cursor): \(difference)")
      }
    }
  }

  /// Reports a cursor or a revision that fell within one epoch. A device that has lost the membership, or never had it,
  /// begins with the cursor at 0.
  func nothingGoesBack(_ device: Device, _ queues: [QueueID: DeviceRows.Queue]) {
    for (id, queue) in queues.sorted(by: { $0.key < $1.key }) {
      let epoch = device.record.shownEpochs[id]
      var seen = device.record.seen[id] ?? DeviceRecord.Seen(epoch: epoch)
      if seen.epoch != epoch { seen = DeviceRecord.Seen(epoch: epoch) }
      if queue.load == .loaded || queue.load == .reloading, queue.cursor < seen.cursor {
        report("the cursor fell: of \(id.short) on \(device.name), from \(seen.cursor) to \(queue.cursor)")
      }
      seen.cursor = queue.cursor
      for (object, row) in queue.rows {
        if let before = seen.revisions[object], row.revision < before {
          report("a revision fell: of \(object.short) on \(device.name), from \(before) to \(row.revision)")
        }
        seen.revisions[object] = row.revision
      }
      device.record.seen[id] = seen
    }
  }

  /// Reports a queue that stands elsewhere in memory than on the disk: a step happens in both or in neither.
  func memoryIsTheDisk(_ device: Device, _ store: ModelStore, _ queues: [QueueID: DeviceRows.Queue]) {
    for (id, queue) in queues.sorted(by: { $0.key < $1.key }) {
      let place = store.place(of: id)
      if place.cursor != queue.cursor || place.load.rawValue != queue.load.rawValue || place.epoch != queue.epoch {
        report("memory is not the disk: \(device.name), \(id.short) is at \(queue.cursor), \(queue.load), not \(place)")
      }
    }
  }
}

extension DeviceRows.Queue {
  /// Whether everything up to the cursor is here: also while the queue is loaded again, unless its rows had gone.
  fileprivate var isWhole: Bool { load == .loaded || load == .reloading && cursor > 0 }
}

extension QueueHistory {
  /// Describes how rows differ from those that the server had at their cursor; nil if they do not.
  fileprivate func difference(from queue: DeviceRows.Queue) -> String? {
    var live = 0
    for (id, states) in states {
      let expected = states.last { $0.revision <= queue.cursor }.flatMap(DeviceRows.Row.init)
      if expected != nil { live += 1 }
      let found = queue.rows[id]
      if found != expected { return "\(id.short) \(DeviceRows.Row.words(found, expected))" }
    }
    return live == queue.rows.count ? nil : "\(queue.rows.count) rows, not \(live)"
  }

  /// Describes a row that the server never had; nil if there is none.
  fileprivate func strange(in queue: DeviceRows.Queue) -> String? {
    queue.rows.first { id, row in !(states[id] ?? []).contains { DeviceRows.Row($0) == row } }
      .map { id, row in
        let known = states[id]?.last { $0.revision == row.revision }.flatMap(DeviceRows.Row.init)
        return "\(id.short) never was so: it \(DeviceRows.Row.words(row, known))"
      }
  }
}

extension DeviceRows.Row {
  /// Describes how two rows of an object differ.
  static func words(_ found: Self?, _ expected: Self?) -> String {
    guard let found, let expected, found.revision == expected.revision else {
      return "has revision \(found.map { "\($0.revision)" } ?? "none"), not "
        + "\(expected.map { "\($0.revision)" } ?? "none")"
    }
    if found.newestBy != expected.newestBy { return "has another newestBy at revision \(found.revision)" }
    if found.createdBy != expected.createdBy { return "has another createdBy at revision \(found.revision)" }
    return "has another content at revision \(found.revision)"
  }

  /// Nil for a tombstone.
  init?(_ state: ObjectState) {
    guard let live = state.live else { return nil }
    self.init(
      revision: state.revision, type: live.type, newestBy: live.newestBy, createdBy: live.createdBy,
      content: live.content)
  }
}
