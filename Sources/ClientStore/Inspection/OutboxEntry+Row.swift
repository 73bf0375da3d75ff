// Reads a pending or retired operation from a row, for inspection and salvage.

import SyncProtocol
import WireFormat

extension OutboxEntry {
  /// Throws if a column has a wrong value. The caller checks the sum.
  init(_ row: StoredRow, queue: QueueID, name: String) throws {
    let bytes = try row.bytes("changes")
    guard let id = OperationID(bytes: try row.bytes("id")) else { throw StoreError(.damaged, "An id is damaged.") }
    self.init(
      number: try row.integer("number"), id: id, queue: queue, name: name, parameters: try row.bytes("parameters"),
      changes: try OperationChanges(bytes: bytes), bytes: bytes,
      performedAt: Timestamp(millisecondsSince1970: try row.integer("performedAt")))
    isSaved = true
    firstSent = row.isNull("firstSent") ? nil : Timestamp(millisecondsSince1970: try row.integer("firstSent"))
    dependencies = try row.dependencies()
    attempt = Int(clamping: try row.integer("attempt"))
    // A retired operation was applied, so its row has no outcome.
    guard row.has("outcome") else { return }
    isVoided = try row.integer("voided") != 0
    isHidden = try row.integer("hidden") != 0
    guard !row.isNull("outcome") else { return }
    let code = row.isNull("outcomeCode") ? nil : try row.text("outcomeCode")
    guard let status = OperationOutcome.Status(try row.text("outcome"), code: code) else {
      throw StoreError(.damaged, "An outcome is damaged.")
    }
    let time = row.isNull("outcomeTime") ? 0 : try row.integer("outcomeTime")
    outcome = OperationOutcome(
      operation: id, status: status, at: try row.integer("outcomeAt"), time: Timestamp(millisecondsSince1970: time))
  }
}
