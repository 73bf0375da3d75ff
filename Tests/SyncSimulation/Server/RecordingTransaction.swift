// A transaction that records what is put. Its reads go to the real one.

import SyncProtocol
import SyncServer
import WireFormat

struct RecordingTransaction: RecordedReads, QueueTransaction {
  let inner: any QueueTransaction
  let record: TransactionRecord
  let faults: ServerFaults

  var snapshot: any QueueSnapshot { inner }

  private func note(_ put: TransactionRecord.Put) throws {
    record.puts.append(put)
    try faults.whileWriting()
  }

  func load(
    _ keys: [RowKey], of queue: QueueID, into rows: inout [RowKey: RowValue], bytes: Int
  ) throws -> [RowKey] {
    for case .duty(let duty) in keys { record.doneDuty = duty }
    // The decision begins again after each load.
    record.looks = 0
    return try inner.load(keys, of: queue, into: &rows, bytes: bytes)
  }

  func write(_ writes: [RowWrite], to queue: QueueID) throws {
    for write in writes {
      try inner.write([write], to: queue)
      switch write {
      case .queue(let row): try note(.queue(row, queue))
      case .object(let object): try note(.object(object, queue))
      case .outcome(let outcome, _): try note(.outcome(outcome, queue))
      case .membership(let membership, let user): try note(.membership(membership, user, queue))
      case .noMembers: try note(.membersGone(queue))
      case .references(let files, _, _): record.named += files
      case .duty(let duty): record.newDuties.append(duty)
      case .invitations, .noReferences, .dutyDone, .usage, .usageBy: break
      }
    }
  }

  func removeTombstones(in queue: QueueID, upTo revision: Int64) throws {
    try inner.removeTombstones(in: queue, upTo: revision)
    try note(.tombstonesGone(queue, revision))
  }

  func removeOutcomes(in queue: QueueID, before time: Timestamp) throws {
    try inner.removeOutcomes(in: queue, before: time)
    try note(.outcomesGone(queue, time))
  }

  func removeObjects(of queue: QueueID, rows: Int) throws -> Bool {
    let isEmpty = try inner.removeObjects(of: queue, rows: rows)
    if !isEmpty { record.leavesObjects = true }
    try faults.whileWriting()
    return isEmpty
  }

  func removeOutcomes(_ operations: [OperationID], in queue: QueueID, before time: Timestamp) throws {
    try inner.removeOutcomes(operations, in: queue, before: time)
    record.outcomesGone += operations
  }
  func put(_ file: StoredFile?, as hash: ContentHash, in queue: QueueID) throws {
    try inner.put(file, as: hash, in: queue)
    record.files.append((hash, file))
    try faults.whileWriting()
  }
  func put(part: StoredPart?, as hash: ContentHash, in queue: QueueID) throws {
    try inner.put(part: part, as: hash, in: queue)
    try faults.whileWriting()
  }
  func put(_ mark: QueueMark, of queue: QueueID) throws {
    try inner.put(mark, of: queue)
    record.mark = mark
  }
  func removeMarks(of queue: QueueID, upTo time: Timestamp) throws {
    try inner.removeMarks(of: queue, upTo: time)
    record.marksGone = time
  }
  func put(newestTime time: Timestamp) throws {
    try inner.put(newestTime: time)
    record.notedTime = time
  }
  func put(_ seen: SyncServer.SeenVersion, on day: Int64) throws { try inner.put(seen, on: day) }
  func removeSeenVersions(before day: Int64) throws { try inner.removeSeenVersions(before: day) }
}
