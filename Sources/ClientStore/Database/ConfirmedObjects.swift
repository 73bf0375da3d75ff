// Rows of confirmed state: written by deltas, and by operations on objects that never leave the device.

import Foundation
import GRDB
import ModelTypes
import SyncProtocol
import WireFormat

enum ConfirmedObjects {
  private static let put = """
    INSERT INTO object (id, queue, type, revision, newestBy, createdBy, content) VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id, queue) DO UPDATE SET type = excluded.type, revision = excluded.revision,
      newestBy = excluded.newestBy, createdBy = excluded.createdBy, content = excluded.content
    WHERE excluded.revision >= object.revision
    """
  private static let take = "DELETE FROM object WHERE id = ? AND queue = ? AND revision <= ?"

  /// Returns whether the delta is not older than what is there. An older one has nothing to say, and would bring back
  /// what was deleted since.
  static func apply(_ delta: QueueDelta, _ numbers: inout NumberTable, _ database: Database) throws -> Bool {
    let queue = try numbers.number(queue: QueueID(delta.queue), database)
    let cursor = try Int64.fetchOne(database, sql: "SELECT cursor FROM queue WHERE number = ?", arguments: [queue])
    guard delta.cursor >= cursor ?? 0 else { return false }
    let put = try BoundStatement(put, database)
    let take = try BoundStatement(take, database)
    for object in delta.objects {
      if let live = object.live {
        try put.bind(1, object.id)
        try put.bind(2, queue)
        try put.bind(3, numbers.number(type: live.type, database))
        try put.bind(4, object.revision)
        try put.bind(5, live.newestBy)
        try put.bind(6, live.createdBy)
        try put.bind(7, live.content)
        try put.run()
      } else {
        try take.bind(1, object.id)
        try take.bind(2, queue)
        try take.bind(3, object.revision)
        try take.run()
      }
    }
    try database.execute(
      sql: "UPDATE queue SET cursor = ? WHERE number = ?", arguments: [delta.cursor, queue])
    return true
  }
}

/// Objects that never leave the device: an operation on them is confirmed as soon as it is saved.
enum DeviceObjects {
  /// Throws a `WireError`, before anything is written, where a change cannot be merged.
  static func apply(
    _ operation: PendingOperation, _ contents: inout [UUIDValue: [UInt8]?], _ numbers: inout NumberTable,
    _ database: Database
  ) throws {
    let results = try operation.changes.objects.map { change in
      let before = try Data.fetchOne(
        database, sql: "SELECT content FROM object WHERE id = ? AND queue = 0", arguments: [change.object.stored])
      return (change, isNew: before == nil, after: try change.applied(to: before.map { [UInt8]($0) }))
    }
    for (change, isNew, after) in results {
      let id = change.object.stored
      contents[change.object] = .some(after)
      if let after {
        if case .create(let type, _, _) = change.action, isNew {
          try database.execute(
            sql: "INSERT INTO object (id, queue, type, revision, content) VALUES (?, 0, ?, 0, ?)",
            arguments: [id, numbers.number(type: type, database), Data(after)])
        } else {
          try database.execute(
            sql: "UPDATE object SET content = ? WHERE id = ? AND queue = 0", arguments: [Data(after), id])
        }
      } else {
        try database.execute(sql: "DELETE FROM object WHERE id = ? AND queue = 0", arguments: [id])
      }
    }
  }
}
