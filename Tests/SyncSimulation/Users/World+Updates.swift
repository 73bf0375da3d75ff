// Apps that are updated, and an operator who lets old ones only read.

import ClientStore
import ModelTypes
import TestSupport

extension World {
  /// A user updates an app, or the operator starts the server with another oldest version that may write.
  func updateSomething() {
    if random.chance(50) {
      guard let device = anyDevice(), !device.isUpdated, device.app.number == 0 else { return }
      fault(.updates, "an app is updated")
      return update(device)
    }
    guard server.isRunning else { return }
    server.oldestWriter = server.oldestWriter == nil || random.chance(30) ? random.pick(["1.1", "1.2"]) : nil
    fault(.updates, server.oldestWriter == nil ? "all apps may write" : "old apps may only read")
    stopServer()
  }

  private func update(_ device: Device) {
    count("operations that an update finds in the outbox", device.store?.pendingOperations.count ?? 0)
    if device.isRunning { stop(device, .inOrder) }
    device.isUpdated = true
  }

  /// What an answer tells a device. In some worlds something between it and the server takes the header away, so that
  /// it learns by refusals.
  func oldestWriter(for device: Device) -> String? {
    device.app.number == 0 && tellsOldestWriter ? server.oldestWriter : nil
  }

  private var tellsOldestWriter: Bool { seed % 4 != 0 }

  /// Whether a device may hold its operations back because of its version. Where it learns by refusals, it tries again
  /// after a while.
  func mayWithhold(_ device: Device) -> Bool { isTooOld(device) || !tellsOldestWriter && mayBeTooOld(device) }

  /// Whether the app of a device was too old to write at some time.
  func mayBeTooOld(_ device: Device) -> Bool { server.oldestWriters.contains { isOlder(device, than: $0) } }

  /// Whether the app of a device is too old to write now.
  func isTooOld(_ device: Device) -> Bool { server.oldestWriter.map { isOlder(device, than: $0) } ?? false }

  /// Nobody has 1.2; only the oldest app has no 1.1.
  private func isOlder(_ device: Device, than oldest: String) -> Bool {
    device.app.number == 0 && (oldest == "1.2" || device.schema.version == "1.0")
  }

  /// At the end all apps may write: because everybody has updated, or because the operator says so. No app is newer than
  /// 1.2.
  func endOldApps() throws {
    guard let oldest = server.oldestWriter else { return }
    if oldest == "1.1", seed % 2 == 1 {
      for device in devices where device.app.number == 0 && !device.isUpdated { update(device) }
    } else {
      server.oldestWriter = nil
      server.stop()
      try server.start()
    }
  }
}
