// Users try again what has failed.

import ClientStore
import Determinism
import TestSupport
import WireFormat

extension World {
  /// Lets a user try one of the failed operations again, or all of them. Operations that another device has too are left
  /// alone: nobody knows which of the two tries again.
  func retry() throws {
    // A store that waits for room on its disk does not come back before time passes.
    guard let device = anyDevice(), let life = device.life, !isDiskFailing(of: device), !device.diskHasFailed else {
      return
    }
    let failed = life.store.failedOperations.filter { item in
      item.canRetry && operations[item.id] != nil && !shared.contains(item.id)
    }
    guard !failed.isEmpty else { return }
    fault(.retry)
    for item in random.chance(50) ? failed : [random.pick(failed)] { try retry(item, life, device) }
    device.isTouched = true
  }

  private func retry(_ item: FailedOperation, _ life: Device.Life, _ device: Device) throws {
    guard let operation = operations[item.id] else { return }
    trace("\(device.name) tries \(operation.name) again, which is \(item.reason.code)")
    do { try device.perform { try await $0.store.retry(item.id) } } catch let error as StoreError {
      // The report may have gone while the store saved what came before.
      return trace("the store does not try it again: \(error)")
    }
    count("operations tried again")
    operations.noteRetry(of: item.id, order: device.record.takeNumber())
    device.record.noteRetry(of: item.id, life.store.pendingOperations.first { $0.id == item.id }?.handle)
    if let queue = item.queue { device.record.usedQueues.insert(queue) }
  }
}
