// Oracles of the bytes that a device must keep, and of those that it must not.

import ClientStore
import ModelTypes
import SyncProtocol
import TestSupport
import WireFormat

extension Oracles {
  /// Reports missing bytes of a file that an operation on the disk names. While the operation is pending or reported,
  /// they stay until the server has the file.
  func bytesAreKept(_ device: Device, _ life: Device.Life, _ look: Look) throws {
    guard look.hasNewRows || look.isWhole else { return }
    // An operation for which the disk had no room was never saved, and neither were its bytes.
    let reported = Set(life.store.failedOperations.filter { !$0.reason.isOfTheDisk }.map(\.id))
    let pending = Dictionary(uniqueKeysWithValues: look.outbox.map { ($0.id, $0) })
    let unjudged = device.record.lost.union(device.record.damaged).union(device.record.withoutFiles)
    for id in device.record.performed where !unjudged.contains(id) {
      guard let operation = world.operations[id], let file = operation.named, file.isHere else { continue }
      let place = FileKey(queue: operation.queue, hash: file.hash)
      let isReported = reported.contains(id) && !device.record.hasBrought.contains(place)
      let isPending = pending[id].map { !$0.isVoided && $0.state.isSaved && $0.applies } ?? false
      // Only `files/pending` gives the file of a pending operation a durable name.
      let isThere = device.hasBytes(of: file.hash, in: isPending ? "files/pending" : "files")
      guard isPending || isReported, !isThere else { continue }
      // A file that was brought goes with its queue, and an operation may come back after that.
      if device.record.hasBrought.contains(place), device.record.hasLeft(place.queue) { continue }
      report("the bytes of a file are gone: \(file.hash.description.prefix(8)) of \(operation.name) on \(device.name)")
    }
    try rightsHaveEnded(device, life)
  }

  /// Reports a file of a queue that has gone, unless it is kept because its user had not brought it yet.
  private func rightsHaveEnded(_ device: Device, _ life: Device.Life) throws {
    for file in try life.rows.readFiles() {
      uploadedStays(file, device)
      guard file.load == .revoked || file.load == .ended else { continue }
      if file.state == DeviceRows.File.kept {
        world.count("looks at files kept after the end of their queue")
      } else {
        report("a file of a queue that has gone: \(file.place.hash.description.prefix(8)) on \(device.name)")
      }
    }
  }
}

extension Oracles {
  /// Reports a brought file that went before 7 days of the server's time. A restored server may lack it.
  private func uploadedStays(_ file: DeviceRows.File, _ device: Device) {
    guard file.state == DeviceRows.File.uploaded, file.wasHere, !world.serverClockWasSet else { return }
    world.count("looks at files that were brought")
    let isYoung = file.since > world.server.referee.newestTime - 7 * 86_400_000
    if isYoung, !device.hasBytes(of: file.place.hash, in: "files/pending") {
      report("a file that was brought is gone too early: \(file.place.hash.description.prefix(8)) on \(device.name)")
    }
  }
}

extension StoreError {
  fileprivate var isOfTheDisk: Bool { [.diskFull, .readOnly, .inputOutput].contains(code) }
}

extension OperationState {
  fileprivate var isSaved: Bool {
    switch self {
    case .saved, .sent: true
    default: false
    }
  }
}

extension World {
  /// Starts each app again eight days later, and reports files that nothing names.
  func sweepFiles() throws {
    for device in devices {
      device.clockOffset += 8 * 86_400_000
      stop(device, .inOrder)
    }
    try pass(5_000)
    for device in devices {
      guard let life = device.life else { continue }
      // Operations that were refused when they were performed are among these.
      let reported = life.store.failedOperations.flatMap { item in
        item.changes.files + item.changes.objects.flatMap { $0.files.flatMap(\.hashes) }
      }.map(\.description)
      let now = SimulatedProcess.start + time.now + device.clockOffset
      let known = try life.rows.readFiles().filter { file in
        file.state != DeviceRows.File.kept || file.since > now - 7 * 86_400_000
      }
      let kept = try life.rows.readRetired().union(life.rows.readOutbox()).compactMap { operations[$0]?.named?.hash }
      let named = Set(known.map(\.place.hash.description) + kept.map(\.description) + reported)
      for (path, inode) in device.files.live.files.sorted(by: { $0.key < $1.key }) where path.hasPrefix("files/") {
        // So young a file was written while the clock was ahead.
        if inode.time > now - 86_400_000 { continue }
        count("files swept or named")
        let name = String(path.split(separator: "/").last ?? "")
        if ContentHash(name) == nil ? path.hasPrefix("files/temporary") : !named.contains(name) {
          oracles.report("nothing names a file, and it is there: \(path.prefix(30)) on \(device.name)")
        }
      }
    }
  }
}
