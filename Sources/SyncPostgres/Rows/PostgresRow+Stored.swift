// Rows as the values that decisions know.

import SyncProtocol
import SyncServer
import WireFormat

extension StoredQueue {
  /// Reads schema, head, floor, retention, live, digest, ended and newest.
  init(_ row: PostgresRow, at index: Int) throws {
    self.init(of: try row.text(index))
    head = try row.int(index + 1)
    floor = try row.int(index + 2)
    retention = try row.time(index + 3)
    digest = QueueDigest(live: try row.int(index + 4), sum: UInt64(bitPattern: try row.int(index + 5)))
    isEnded = try row.bool(index + 6)
    newest = try row.time(index + 7)
  }
}

extension StoredMembership {
  /// Reads role, membership, added_by and since.
  init(_ row: PostgresRow, at index: Int) throws {
    guard let role = QueueRole(number: Int32(truncatingIfNeeded: try row.int(index))) else {
      throw PostgresError(.badRow, "A membership has an unknown role.")
    }
    self.init(role: role, grant: try row.id(index + 1), by: try row.id(index + 2), since: try row.time(index + 3))
  }
}

extension StoredUsage {
  /// Reads rows and bytes.
  init(_ row: PostgresRow, at index: Int) throws {
    self.init(rows: try row.int(index), bytes: try row.int(index + 1))
  }
}

extension ObjectState {
  /// Reads id, revision, type, newest_by, created_by, created_at, updated_at and content.
  init(_ row: PostgresRow) throws {
    self.init(id: try row.id(0), revision: try row.int(1), live: nil)
    guard let type = try row.textIfAny(2) else { return }
    let newestBy = try row.int(3)
    live = Live(
      type: type, content: try row.bytes(7), newestBy: newestBy == .min ? nil : newestBy,
      system: SystemFields(createdBy: try row.id(4), createdAt: try row.time(5), updatedAt: try row.time(6)))
  }
}

extension OperationOutcome {
  /// Reads operation, status, code, at, time and attempt.
  init(_ row: PostgresRow) throws {
    guard let status = Status(number: try row.int(1), code: try row.textIfAny(2)) else {
      throw PostgresError(.badRow, "An outcome cannot be read.")
    }
    self.init(
      operation: try row.id(0), status: status, at: try row.int(3), time: try row.time(4),
      attempt: Int(try row.int(5)))
  }
}
