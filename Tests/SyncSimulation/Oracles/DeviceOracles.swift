// The checks of a device, made whenever something has happened on it and its tasks are at rest.

import ClientStore
import StoreTestSupport
import SyncProtocol
import SyncServer
import TestSupport
import WireFormat

extension Oracles {
  func checkTouchedDevices() {
    for device in world.devices { filesAreRight(on: device) }
    for device in world.devices where device.isTouched {
      guard let life = device.life, life.process.executor.isIdle, !world.isDiskFailing(of: device),
        device.closing == nil, !device.waitsForALook
      else { continue }
      device.isTouched = false
      do { try check(device, life) } catch { report("the store of \(device.name) cannot be read: \(error)") }
    }
  }

  private func check(_ device: Device, _ life: Device.Life) throws {
    guard let look = try Look(device, life) else { return }
    let queues = look.queues
    reloadsWithReason(device, queues)
    try checkOperations(device, life, look)
    try bytesAreKept(device, life, look)
    memoryIsTheDisk(device, life.store, queues)
    if look.hasNewRows {
      nothingGoesBack(device, queues)
      rowsAreOfOneMoment(device, queues)
    }
    try screenIsRowsAndOutbox(device, look)
    if let lists = life.lists { listsAreTheScreen(device, lists) }
    try checkEnds(device, life, look)
    invitationsAreRight(device, look)
  }

  /// Reports a queue that is loaded again although the server has lost nothing, and has not refused to go on with it.
  private func reloadsWithReason(_ device: Device, _ queues: [QueueID: DeviceRows.Queue]) {
    for (id, queue) in queues.sorted(by: { $0.key < $1.key }) {
      // A refusal that was fetched ahead counts until the client reads it.
      if queue.load == .loaded, device.pagesAhead[id] == nil, !device.refusedDeltas.contains(id) {
        device.record.mayReload.remove(id)
      }
      if queue.load == .reloading, !device.record.mayReload.contains(id), world.losses == 0 {
        report("false alarm: \(device.name) loads \(id.short) again")
      }
      if !queue.hidden.isEmpty { world.count("looks at operations that are sent again") }
    }
  }
}
