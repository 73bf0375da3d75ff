// The description of a field in the store, so that rows can be read without the schema.

import ModelTypes
import WireFormat

/// One entry of `type.fields` (docs/formats/store-layout.md).
package struct StoredField: Codable, Hashable, Sendable {
  package var tag: Int
  package var name: String
  /// In the words of the schema language: `string?`, `set(id)`, `enum`, or the name of a struct.
  package var type: String
  /// The fields of a struct; nil for other types, and for a struct inside a struct of the same name.
  package var fields: [StoredField]?
  /// The cases of an enum that the schema names; nil for other types.
  package var cases: [Case]?

  /// A case of an enum: its number in the bytes, and its name in the schema.
  package struct Case: Codable, Hashable, Sendable {
    package var number: Int32
    package var name: String

    package init(number: Int32, name: String) {
      self.number = number
      self.name = name
    }
  }

  package init(tag: Int, name: String, type: String, fields: [StoredField]? = nil, cases: [Case]? = nil) {
    self.tag = tag
    self.name = name
    self.type = type
    self.fields = fields
    self.cases = cases
  }
}

extension StoredField {
  /// The fields of a table; `outer` are the names of the structs that contain it.
  static func all(of table: FieldTable, in outer: [String] = []) -> [Self] {
    table.fields.map { tag, name, type in
      var field = Self(tag: tag, name: name, type: type.description)
      switch type.element {
      case .structure(let type) where !outer.contains(type.fieldTable.name):
        field.fields = all(of: type.fieldTable, in: outer + [type.fieldTable.name])
      case .enumeration(let type):
        field.cases = (type as? any ModelEnum.Type).map { Case.all(of: $0) }
      default: break
      }
      return field
    }
  }
}

extension StoredField.Case {
  fileprivate static func all<Value: ModelEnum>(of type: Value.Type) -> [Self] {
    // A case prints as its name.
    type.knownCases.map { Self(number: $0.rawValue, name: "\($0)") }
  }
}
