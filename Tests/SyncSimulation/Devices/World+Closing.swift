// The app closes its store while work is under way, and opens it again.

import ClientStore
import ModelTypes
import TestSupport
import WireFormat

extension World {
  func closeStore() throws {
    guard let device = anyDevice(), !device.hasSyncEnded, !device.diskHasFailed else { return }
    if random.chance(70) { try act(on: device) }
    try pass(Int64(random.below(80)), jobs: random.chance(50) ? 1 + random.below(40) : .max)
    guard let life = device.life, !device.hasSyncEnded else { return }
    fault(.close)
    let closing = Closing(device, life)
    device.closing = closing
    defer { device.closing = nil }
    closing.begin()
    for _ in 0..<random.below(4) {
      try pass(0, jobs: 1 + random.below(10))
      do { try act(on: device) } catch let error as StoreError where error.code == .closed {}
      if random.chance(30) { cancel(on: device) }
    }
    try pass(0)
    try closing.checkStore()
    if random.chance(50) {
      try pass(1_000)
      closing.checkClient()
    }
    if device.life?.process === life.process { stop(device, .inOrder) }
  }
}

/// Closes a store while calls are under way, and judges the result. `@unchecked Sendable`: a world and everything in it
/// runs on one thread.
final class Closing: @unchecked Sendable {
  private unowned let device: Device
  private let life: Device.Life
  private var result: Result<Void, any Error>?
  private var waitingCount = 0
  private var clientHasEnded = false

  init(_ device: Device, _ life: Device.Life) { (self.device, self.life) = (device, life) }

  /// Starts tasks that wait for the last operations, and closes the store.
  func begin() {
    for id in device.record.performed.ids.suffix(3) {
      guard let handle = device.record.handle(id) else { continue }
      waitingCount += 1
      life.process.executor.spawn { [self] in
        // An error ends the wait too.
        try? await handle.waitUntilConfirmed()
        waitingCount -= 1
      }
    }
    life.process.executor.spawn { [self] in
      do {
        try await life.store.close()
        result = .success(())
      } catch { result = .failure(error) }
    }
  }

  /// Notes that the client's `run` or `syncOnce` has ended.
  func noteEndOfClient() { clientHasEnded = true }

  /// Reports what is wrong with the closed store: every operation must be saved or refused, nobody may wait, and new
  /// calls must be refused.
  func checkStore() throws {
    switch result {
    case nil: return report("the store of \(device.name) does not close")
    case .failure(let error): return report("the store of \(device.name) closes with an error: \(error)")
    case .success: break
    }
    if !life.fileTasks.readings.isEmpty { report("somebody waits for a file of a closed store: \(device.name)") }
    if waitingCount > 0 { report("somebody waits for an operation of a closed store: \(device.name)") }
    for id in device.record.performed {
      guard let handle = device.record.handle(id) else { continue }
      switch handle.state {
      case .performed: report("closed without saving: \(name(id))")
      case .failed(let error) where error.code == .closed: report("taken, and then refused as closed: \(name(id))")
      default: break
      }
    }
    let (disk, memory) = (try life.rows.readOutbox(), Set(life.store.pendingOperations.map(\.id)))
    for id in disk.symmetricDifference(memory).sorted() {
      report("closed without saving: \(name(id)) is \(disk.contains(id) ? "on the disk" : "in memory") only")
    }
    checkRefusals()
  }

  private func checkRefusals() {
    let id = ObjectID<Photo>(device.app.photos.root)
    if case .failed(let error) = life.store.delete(id).state, error.code == .closed {
    } else {
      report("a closed store takes operations: \(device.name)")
    }
    do {
      _ = try life.store.object(id)
      report("a closed store is read: \(device.name)")
    } catch let error as StoreError where error.code == .closed {} catch {
      report("a closed store is read, and says \(error): \(device.name)")
    }
  }

  /// Reports a client that goes on without its store. Between two calls of `syncOnce` there is none; the next call is
  /// refused.
  func checkClient() {
    if device.once?.isRequestUncalledFor == true { return }
    if !clientHasEnded { report("the client of \(device.name) goes on without its store") }
  }

  private func name(_ id: OperationID) -> String { device.world.oracles.name(id) }
  private func report(_ message: String) { device.world.oracles.report(message) }
}
