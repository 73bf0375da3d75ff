// Runs decisions on loaded rows, and writes what they decide.

import SyncProtocol
package import WireFormat

extension QueueSnapshot {
  /// Runs a decision on rows of this snapshot, and returns its result and its writes. `first` are the rows that say
  /// whether it goes on at all: whoever is refused makes nothing else be read. `then` are those that it reads most likely
  /// if it does, in its order; others are loaded when it asks for them.
  ///
  /// No more than `UnitOfWork.rowsAtOnce` rows and about `ProtocolLimits.touchedBytes` of contents are loaded at once: a few bytes of
  /// changes can name gigabytes of objects.
  package func decide<Result>(
    on queue: QueueID, reading first: [RowKey], then likely: [RowKey] = [],
    _ decision: (inout UnitOfWork) throws -> Result
  ) throws -> (result: Result, writes: [RowWrite]) {
    var rows: [RowKey: RowValue] = [:]
    var (keys, rest) = (first, likely)
    while true {
      rest = try load(keys, of: queue, into: &rows, bytes: ProtocolLimits.touchedBytes) + rest
      var work = UnitOfWork(on: queue, rows)
      do { return (try decision(&work), work.writes) } catch let absent as UnitOfWork.NotLoaded {
        precondition(rows[absent.key] == nil, "a row is loaded once")
        keys = [absent.key] + rest.prefix(UnitOfWork.rowsAtOnce)
        rest.removeFirst(min(UnitOfWork.rowsAtOnce, rest.count))
      }
    }
  }
}

extension QueueStorage {
  /// By default, each decision has a transaction of its own.
  package func decide<Result: Sendable>(
    on queue: QueueID, reading first: [RowKey], then likely: [RowKey],
    _ decision: @Sendable (inout UnitOfWork) throws -> Result
  ) async throws -> Result {
    try await write(to: queue) { transaction in
      let (result, writes) = try transaction.decide(on: queue, reading: first, then: likely, decision)
      try transaction.write(writes, to: queue)
      return result
    }
  }
}
