// Somebody does hundreds or thousands of things without a connection, and then has one again.

import ClientStore
import ClientSync
import ModelTypes
import TestSupport

extension World {
  func workOffline() throws {
    guard let device = anyDevice(), let life = device.life, !isDiskFailing(of: device) else { return }
    fault(.manyOperations)
    device.isOffline = true
    defer { device.isOffline = false }
    var left = 550 + random.below(random.chance(15) ? 4_450 : 700)
    while left > 0, device.life?.process === life.process {
      let size = min(left, 100 + random.below(200))
      left -= size
      try act(on: device, in: device.app.number) { $0.editMany(size) }
      try pass(Int64(random.below(2_000)))
    }
    device.isOffline = false
    guard device.life?.process === life.process else { return }
    let pending = life.store.operationCounts.pending
    trace("\(device.name) has a connection again, and \(pending) operations")
    if pending > 500 { count("hundreds of operations under way") }
    if pending > 2_000 { count("thousands of operations under way") }
    life.process.executor.spawn { [client = life.client] in await client.retry() }
  }
}

extension Device {
  /// Whether this look of the oracles is left out, which is counted. A look at a long outbox takes long, so one of 16
  /// is enough.
  var waitsForALook: Bool {
    guard let store, !world.isQuiet, store.operationCounts.pending > 400, looksSkipped < 15 else {
      looksSkipped = 0
      return false
    }
    looksSkipped += 1
    return true
  }
}
