// Names and types of fields, kept beside the rows so that a store can be read without the schema.

import Foundation
import GRDB
import ModelTypes
import SyncProtocol
import WireFormat

enum StoredTypes {
  /// Writes the fields of every model and operation, and of the objects of sync; replaces older ones.
  static func save(
    _ schema: any SchemaDescription.Type, _ numbers: inout NumberTable, _ database: Database
  ) throws {
    let models = schema.models.map { ($0.modelName, $0.fieldTable) }
    let operations = schema.operations.map { ($0.operationName, $0.fieldTable) }
    let ofSync = [
      (QueueMember.type, QueueMember.fieldTable), (QueueMembership.type, QueueMembership.fieldTable),
      (QueueAcceptance.type, QueueAcceptance.fieldTable),
    ]
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    for (name, table) in models + operations + ofSync {
      let number = try numbers.number(type: name, database)
      let json = try encoder.encode(StoredField.all(of: table))
      try database.execute(
        sql: "UPDATE type SET fields = ?1 WHERE number = ?2 AND fields <> ?1",
        arguments: [String(decoding: json, as: UTF8.self), number])
    }
  }
}
