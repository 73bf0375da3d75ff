// Single rows, for whoever does not decide about a queue.

package import SyncProtocol
package import WireFormat

extension QueueSnapshot {
  private func loaded(_ keys: [RowKey], of queue: QueueID) throws -> UnitOfWork {
    var rows: [RowKey: RowValue] = [:]
    _ = try load(keys, of: queue, into: &rows, bytes: .max)
    return UnitOfWork(on: queue, rows)
  }

  package func queue(_ id: QueueID) throws -> StoredQueue? { try loaded([.queue], of: id).queue() }

  package func membership(of user: UserID, in queue: QueueID) throws -> StoredMembership? {
    try loaded([.membership(of: user, in: queue)], of: queue).membership(of: user)
  }

  /// All members: at most `ProtocolLimits.members`.
  package func members(of queue: QueueID) throws -> [UserID: StoredMembership] {
    try loaded([.members], of: queue).members()
  }

  package func wasMember(_ user: UserID, of queue: QueueID) throws -> Bool {
    try loaded([.wasMember(user)], of: queue).isThere(.wasMember(user))
  }

  package func object(_ id: UUIDValue, in queue: QueueID) throws -> ObjectState? {
    try loaded([.object(id)], of: queue).object(id)
  }

  /// The outcomes of these operations that are known, in their order.
  package func outcomes(of operations: [OperationID], in queue: QueueID) throws -> [OperationOutcome] {
    let work = try loaded(operations.map { .outcome($0) }, of: queue)
    return try operations.compactMap { try work.outcome(of: $0) }
  }

  /// The first objects of a queue behind a cursor, deleted ones too.
  package func changes(in queue: QueueID, after cursor: Int64 = 0, rows: Int = .max) throws -> ObjectPage {
    let range = ObjectRange(.changes(after: cursor), rows: rows)
    return try loaded([.page(range)], of: queue).page(range)
  }

  package func usage(in queue: QueueID) throws -> StoredUsage { try loaded([.usage], of: queue).usage(.usage) }

  package func usage(of user: UserID) throws -> StoredUsage {
    try loaded([.usageBy(user)], of: .zero).usage(.usageBy(user))
  }

  package func queueCount(of user: UserID) throws -> QueueCount {
    try loaded([.queueCount(of: user)], of: .zero).queueCount(of: user)
  }
}
