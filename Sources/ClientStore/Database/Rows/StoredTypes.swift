// Names and types of fields, kept beside the rows so that a store can be read without the schema.

import Foundation
import GRDB
import ModelTypes
import SyncProtocol
import WireFormat

enum StoredTypes {
  /// Writes the fields of every model and operation, and of the objects of sync; replaces older ones. Throws
  /// `schemaChanged` if the schema would misread the objects that are there.
  static func save(_ schema: any SchemaDescription.Type, _ transaction: StoreTransaction) throws {
    let database = transaction.database
    let models = schema.models.map { ($0.modelName, $0.fieldTable) }
    let operations = schema.operations.map { ($0.operationName, $0.fieldTable) }
    let ofSync = [
      (MemberRecord.type, MemberRecord.fieldTable), (QueueMembership.type, QueueMembership.fieldTable),
      (QueueAcceptance.type, QueueAcceptance.fieldTable), (LinkRecord.type, LinkRecord.fieldTable),
    ]
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    for (name, table) in models + operations + ofSync {
      let number = try transaction.number(type: name)
      let fields = StoredField.all(of: table)
      let json = String(decoding: try encoder.encode(fields), as: UTF8.self)
      let find = "SELECT fields FROM type WHERE number = ?"
      guard let before = try String.fetchOne(database, sql: find, arguments: [number]), before != json else { continue }
      // The parameters of operations are kept to be shown only.
      if models.contains(where: { $0.0 == name }), try hasValues(number, database) {
        try check(fields, of: name, before)
      }
      try database.execute(sql: "UPDATE type SET fields = ?1 WHERE number = ?2", arguments: [json, number])
    }
  }

  /// Whether the store may have bytes of such objects: confirmed ones, or changes in operations.
  private static func hasValues(_ type: Int64, _ database: Database) throws -> Bool {
    let find = """
      SELECT EXISTS (SELECT 1 FROM object WHERE type = ?) OR EXISTS (SELECT 1 FROM operation)
      OR EXISTS (SELECT 1 FROM retired) OR EXISTS (SELECT 1 FROM staged)
      """
    return try Bool.fetchOne(database, sql: find, arguments: [type]) ?? true
  }

  private static func check(_ fields: [StoredField], of model: String, _ before: String) throws {
    // A damaged row says nothing about the objects.
    guard let before = try? JSONDecoder().decode([StoredField].self, from: Data(before.utf8)) else { return }
    guard let change = SchemaChange.first(from: before, to: fields) else { return }
    throw StoreError(.schemaChanged, "In `\(model)`, \(change)")
  }
}
