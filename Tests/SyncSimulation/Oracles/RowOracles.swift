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
    for (id, queue) in queues.sorted(by: { $0.key < $1.key }) where queue.isHere {
      let history = world.server.history
      let branches = queue.isWhole ? history.branches(of: id, in: queue.history) : history.branches(of: id)
      if branches.isEmpty, queue.rows.isEmpty { continue }
      let differences = branches.map { queue.isWhole ? $0.difference(from: queue) : $0.strange(in: queue, branches) }
      if !differences.contains(nil), let difference = differences.first ?? "of no history of the server" {
        report("wrong rows: \(device.name), \(id.short) at \(queue.cursor): \(difference)")
      }
    }
  }

  /// Reports a cursor or a revision that fell within one history. A device that has lost the membership, or never had
  /// it, begins with the cursor at 0.
  func nothingGoesBack(_ device: Device, _ queues: [QueueID: DeviceRows.Queue]) {
    for (id, queue) in queues.sorted(by: { $0.key < $1.key }) {
      var seen = device.record.seen[id] ?? DeviceRecord.Seen()
      if !queue.isWhole || seen.history != queue.history { seen = DeviceRecord.Seen(history: queue.history) }
      if queue.cursor < seen.cursor, !world.isSilent {
        report("the cursor fell: of \(id.short) on \(device.name), from \(seen.cursor) to \(queue.cursor)")
      }
      seen.cursor = queue.cursor
      for (object, row) in queue.rows {
        if let before = seen.revisions[object], row.revision < before, !world.isSilent {
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
      if place.cursor != queue.cursor || place.load.rawValue != queue.load.rawValue || place.history != queue.history {
        report("memory is not the disk: \(device.name), \(id.short) is at \(queue.cursor), \(queue.load), not \(place)")
      }
    }
  }
}

extension DeviceRows.Queue {
  /// Whether something of the queue may be on the device.
  var isHere: Bool { [.loading, .loaded, .reloading].contains(load) }

  /// Whether everything up to the cursor is here: also while the queue is loaded again, unless it never was.
  var isWhole: Bool { load == .loaded || load == .reloading && cursor > 0 }
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

  /// Describes a row that the server never had, in any of the `branches`; nil if there is none.
  fileprivate func strange(in queue: DeviceRows.Queue, _ branches: [QueueHistory]) -> String? {
    let strange = queue.rows.first { id, row in !branches.contains { $0.hadRow(row, of: id) } }
    return strange.map { id, row in
      let known = states[id]?.last { $0.revision == row.revision }.flatMap(DeviceRows.Row.init)
      return "\(id.short) never was so: it \(DeviceRows.Row.words(row, known))"
    }
  }

  private func hadRow(_ row: DeviceRows.Row, of id: UUIDValue) -> Bool {
    states[id]?.contains { DeviceRows.Row($0) == row } ?? false
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
    if found.createdAt != expected.createdAt { return "has another createdAt at revision \(found.revision)" }
    if found.updatedAt != expected.updatedAt { return "has another updatedAt at revision \(found.revision)" }
    return "has another content at revision \(found.revision)"
  }

  /// Nil for a tombstone.
  init?(_ state: ObjectState) {
    guard let live = state.live else { return nil }
    self.init(
      revision: state.revision, type: live.type, newestBy: live.newestBy, createdBy: live.system.createdBy,
      createdAt: live.system.createdAt.millisecondsSince1970, updatedAt: live.system.updatedAt.millisecondsSince1970,
      content: live.content)
  }
}
