// The tables of access: who may create, change and delete objects of each type (docs/formats/access-format.md).

import Foundation
package import SyncProtocol
import WireFormat

/// Rights by type. Objects of a type without an entry may be changed by owners and writers, and have random ids.
package struct AccessTable: Hashable, Sendable {
  package private(set) var types: [String: ObjectAccess]

  package init(types: [String: ObjectAccess] = [:]) {
    self.types = types
  }

  package subscript(type: String) -> ObjectAccess {
    types[type] ?? (types.isEmpty ? .byRole : ObjectAccess(identity: []))
  }

  /// Whether members with this role may upload files. They may if they may create or update objects of some type.
  func letsUpload(_ role: QueueRole) -> Bool {
    ObjectAccess.byRole.letsWrite(role) || types.values.contains { $0.letsWrite(role) }
  }

}

/// The tables of all apps that a server serves. A table judges the queues of its schema only.
package struct AccessTables: Hashable, Sendable {
  private var tables: [String: AccessTable]
  /// By the names of schemas: the oldest release whose apps may commit. Older ones may read.
  package var oldestWriters: [String: SchemaVersion] = [:]

  /// By the names of their schemas.
  package init(_ tables: [String: AccessTable] = [:]) { self.tables = tables }

  /// Of a schema without a table, members follow their roles.
  package subscript(schema: String) -> AccessTable {
    get { tables[schema] ?? AccessTable() }
    set { tables[schema] = newValue }
  }

  /// Throws `outdated` if the asker's app is too old to commit. An app that names no version is older than all.
  func admitWriter(_ asker: Asker) throws(RequestError) {
    guard let oldest = oldestWriters[asker.schema], asker.version?.stands(on: oldest) != true else { return }
    let own = asker.version.map { "version \($0)" } ?? "no version"
    throw RequestError(
      .outdated, "This app has \(own) of the schema \(asker.schema); the server takes changes from \(oldest) on.")
  }

  package func has(_ schema: String) -> Bool { tables[schema] != nil }

  /// The table that judges a queue.
  func table(of queue: QueueID, _ snapshot: any QueueSnapshot) throws -> AccessTable {
    try snapshot.queue(queue).map { self[$0.schema] } ?? AccessTable()
  }

  /// How many types all tables name together.
  package var typeCount: Int { tables.values.reduce(0) { $0 + $1.types.count } }
}

/// The tables in force. `SyncService.serve` may replace it while commits are under way.
///
/// `@unchecked Sendable`: its lock guards all state.
final class ServedAccess: @unchecked Sendable {
  private let lock = NSLock()
  private var tables: AccessTables

  init(_ tables: AccessTables) {
    self.tables = tables
  }

  var now: AccessTables {
    get { lock.withLock { tables } }
    set { lock.withLock { tables = newValue } }
  }
}
