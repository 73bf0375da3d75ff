// The table of access: who may create, change and delete objects of each type (docs/formats/access-format.md).

import Foundation
public import WireFormat

/// Rights by type. Objects of a type without an entry may be changed by owners and writers.
public struct AccessTable: Hashable, Sendable {
  public private(set) var types: [String: ObjectAccess]

  public init(types: [String: ObjectAccess] = [:]) {
    self.types = types
  }

  public subscript(type: String) -> ObjectAccess { types[type] ?? .byRole }

  /// Whether members with this role may upload files. They may if they may create or update objects of some type.
  func letsUpload(_ role: QueueRole) -> Bool {
    ObjectAccess.byRole.letsWrite(role) || types.values.contains { $0.letsWrite(role) }
  }

  /// Adds the types of another app's table. If both tables name a type, adds nothing and returns the first such name.
  public mutating func add(_ other: Self) -> String? {
    if let twice = other.types.keys.filter({ types[$0] != nil }).min() { return twice }
    types.merge(other.types) { first, _ in first }
    return nil
  }
}

/// The table in force. `SyncService.serve` may replace it while commits are under way.
///
/// `@unchecked Sendable`: its lock guards all state.
final class ServedAccess: @unchecked Sendable {
  private let lock = NSLock()
  private var table: AccessTable

  init(_ table: AccessTable) {
    self.table = table
  }

  var now: AccessTable {
    get { lock.withLock { table } }
    set { lock.withLock { table = newValue } }
  }
}
