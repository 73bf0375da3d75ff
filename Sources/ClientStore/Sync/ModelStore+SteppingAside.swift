// Lets an operation step aside that does not get through, so that the others go on.

import SyncProtocol
package import WireFormat

extension ModelStore {
  /// Holds a sent operation back, and what comes after it on its objects, until `endSteppingAside`. Returns false where
  /// others cannot go on without it, because it creates the root of its queue, or it has an outcome meanwhile; and where
  /// another client than `holder` syncs the store, which would not know that it has to end this.
  package func stepAside(_ id: OperationID, in queue: QueueID, by holder: UUIDValue?) -> Bool {
    memory.withLock { memory in
      guard memory.holder.id == holder, let number = memory.outbox.number(of: id),
        let operation = memory.outbox.operations[number],
        operation.outcome == nil, !operation.changes.objects.contains(where: { $0.object == queue.root })
      else { return false }
      memory.outbox.update(number) { ($0.isAside, $0.goesAlone) = (true, true) }
      return true
    }
  }

  /// Lets the operations of a queue go again that have stepped aside; nil: those of all queues. Wakes sync.
  package func endSteppingAside(in queue: QueueID?) {
    memory.withLock { memory in
      let queues = queue.map { [$0] } ?? Array(memory.outbox.queues.keys)
      for number in queues.flatMap({ memory.outbox.queues[$0]?.underWay ?? [] })
      where memory.outbox.operations[number]?.isAside == true {
        memory.outbox.update(number) { $0.isAside = false }
      }
      memory.wakeSync()
    }
  }
}
