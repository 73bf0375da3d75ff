// The Swift text for a field's type, its zero and its default.
import ModelSchema

extension SwiftPrinter {
  /// The type of a stored property.
  func typeText(_ type: FieldType) -> String {
    let base = baseText(type.base)
    return switch type.position {
    case .single: base
    case .optional: base + "?"
    case .list: "[\(base)]"
    case .set: "ModelSupport.SortedSet<\(base)>"
    }
  }

  func baseText(_ base: BaseType) -> String {
    switch base {
    case .bool: "Swift.Bool"
    case .int32: "Swift.Int32"
    case .int64, .counter: "Swift.Int64"
    case .uint32: "Swift.UInt32"
    case .uint64: "Swift.UInt64"
    case .float: "Swift.Float"
    case .double: "Swift.Double"
    case .string: "Swift.String"
    case .data: "[Swift.UInt8]"
    case .uuid: "ModelSupport.UUIDValue"
    case .timestamp: "ModelSupport.Timestamp"
    case .file: "ModelSupport.FileReference"
    case .userReference: "ModelSupport.UserID"
    case .reference(let model): (modelNames[model] ?? model.capitalised) + ".ID"
    case .structure(let name), .enumeration(let name): typeNames[name] ?? name.name.capitalised
    }
  }

  /// The value of an absent field: the declared default, or else the zero of the type.
  func zeroText(_ field: FieldDeclaration) -> String {
    guard field.type.position == .single, let value = field.defaultValue else { return zeroText(field.type) }
    return literalText(value, of: field.type.base)
  }

  func zeroText(_ type: FieldType) -> String {
    switch type.position {
    case .optional: return "nil"
    case .list, .set: return "[]"
    case .single: break
    }
    return switch type.base {
    case .bool: "false"
    case .int32, .int64, .uint32, .uint64, .float, .double, .counter: "0"
    case .string: "\"\""
    case .data: "[]"
    case .uuid, .timestamp, .file, .userReference, .reference, .structure: ".zero"
    case .enumeration: ".unknown(0)"
    }
  }

  /// The default of an initialiser's parameter; nil where the caller must pass a value.
  func defaultText(_ field: FieldDeclaration) -> String? {
    if let value = field.defaultValue { return literalText(value, of: field.type.base) }
    return field.type.position != .single || field.type.base == .counter ? zeroText(field) : nil
  }

  func literalText(_ literal: Literal, of base: BaseType) -> String {
    switch literal {
    case .bool(let value): String(value)
    case .integer(let value): SwiftText.grouped(String(value))
    case .unsigned(let value): SwiftText.grouped(String(value))
    case .double(let value): SwiftText.literal(base == .float ? Double(Float(value)) : value)
    case .string(let value): SwiftText.literal(value)
    case .enumCase(let name): "." + name
    }
  }

  /// The name of the stored property. A deprecated field is stored behind a computed property, so that generated code
  /// compiles without warnings.
  func storageName(_ field: FieldDeclaration) -> String {
    storageName(field.name, isDeprecated: field.deprecated != nil)
  }

  func storageName(_ name: String, isDeprecated: Bool) -> String { isDeprecated ? "_" + name : name }
}
