// The three columns of an object's system fields: createdBy, createdAt, updatedAt.

import SyncProtocol
import WireFormat

extension BoundStatement {
  func bind(_ system: SystemFields, from index: Int32) throws {
    try bind(index, system.createdBy)
    try bind(index + 1, system.createdAt.millisecondsSince1970)
    try bind(index + 2, system.updatedAt.millisecondsSince1970)
  }

  func system(from index: Int32) throws -> StoredSystemFields {
    StoredSystemFields(
      createdBy: isNull(index) ? nil : try id(index), createdAt: try time(index + 1), updatedAt: try time(index + 2))
  }

  /// Those of an object that came from the server.
  func systemOfServer(from index: Int32) throws -> SystemFields {
    SystemFields(createdBy: try id(index), createdAt: try time(index + 1), updatedAt: try time(index + 2))
  }

  private func time(_ index: Int32) throws -> Timestamp { Timestamp(millisecondsSince1970: try integer(index)) }
}
