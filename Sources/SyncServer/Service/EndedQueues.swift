// Removes the objects of queues that have ended. Nobody is served them any more.

import Determinism
import WireFormat

extension SyncService {
  /// Removes the objects of a queue that has just ended, in the background. If that fails, the next upkeep does it.
  func removeObjectsLater(of queue: QueueID) {
    environment.spawn { try? await removeObjects(of: queue) }
  }

  /// Removes the objects of a queue that has ended, a few in each transaction, so that nobody waits for a large queue.
  func removeObjects(of queue: QueueID) async throws {
    var isEmpty = try await storage.read { try $0.changes(in: queue, rows: 1).objects.isEmpty }
    while !isEmpty {
      try Task.checkCancellation()
      isEmpty = try await storage.write(to: queue) { [rowsAtOnce] in
        try $0.removeObjects(of: queue, rows: rowsAtOnce)
      }
    }
  }
}
