// Users try again what has failed.

import ClientStore
import Determinism
import SyncProtocol
import TestSupport
import WireFormat

extension World {
  /// Lets a user try one of the failed operations again, or all of them. A device with reports that another device has
  /// too is left alone: nobody knows which of the two tries again.
  func retry() throws {
    // A store that waits for room on its disk does not come back before time passes.
    guard let device = anyDevice(), let life = device.life, !isDiskFailing(of: device), !device.diskHasFailed else {
      return
    }
    let failed = life.store.failedOperations.filter {
      $0.canRetry && (operations[$0.id] != nil || $0.changes.join != nil)
    }
    guard !failed.isEmpty, !failed.contains(where: { shared.contains($0.id) }) else { return }
    fault(.retry)
    for item in random.chance(50) ? failed : [random.pick(failed)] { try retry(item, life, device) }
    device.isTouched = true
  }

  private func retry(_ item: FailedOperation, _ life: Device.Life, _ device: Device) throws {
    let before = life.store.failedOperations
    trace("\(device.name) tries \(oracles.name(item.id)) again, which is \(item.reason.code)")
    do { try device.perform { try await $0.store.retry(item.id) } } catch let error as StoreError {
      // The report may have gone while the store saved what came before.
      return trace("the store does not try it again: \(error)")
    }
    // What it needs was tried before it.
    let attempts = Dictionary(uniqueKeysWithValues: life.store.failedOperations.map { ($0.id, $0.attempt) })
    let retried = before.filter { attempts[$0.id] != $0.attempt }
    let pending = life.store.pendingOperations
    let order = Dictionary(uniqueKeysWithValues: pending.enumerated().map { ($1.id, $0) })
    for again in retried.sorted(by: { order[$0.id, default: -1] < order[$1.id, default: -1] }) {
      count(again.id == item.id ? "operations tried again" : "operations tried again with another")
      operations.noteRetry(of: again.id, order: device.record.takeNumber())
      device.record.noteRetry(of: again.id, order[again.id].map { pending[$0].handle })
      if let queue = again.queue { device.record.usedQueues.insert(queue) }
    }
  }
}
