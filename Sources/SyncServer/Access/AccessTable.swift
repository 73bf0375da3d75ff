// The table of access: the rights of the types that the operator's schemas name (docs/formats/access-format.md).

import Foundation
public import WireFormat

/// Rights by type. A type that is not in it follows the roles.
public struct AccessTable: Hashable, Sendable {
  public private(set) var types: [String: ObjectAccess]

  public init(types: [String: ObjectAccess] = [:]) {
    self.types = types
  }

  public subscript(type: String) -> ObjectAccess { types[type] ?? .byRole }

  /// Whether members with this role may bring files: for objects that they may create or update.
  func letsUpload(_ role: QueueRole) -> Bool {
    ObjectAccess.byRole.letsWrite(role) || types.values.contains { $0.letsWrite(role) }
  }

  /// Takes the types of another app's table; returns the first that both name, and takes none then.
  public mutating func add(_ other: Self) -> String? {
    if let twice = other.types.keys.filter({ types[$0] != nil }).min() { return twice }
    types.merge(other.types) { first, _ in first }
    return nil
  }
}

/// The table that is served now: another one may take its place while commits are under way.
///
/// `@unchecked Sendable`: behind its lock.
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
