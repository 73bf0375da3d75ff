// How a field's type, zero and default are written in Swift.
import ModelSchema

extension SwiftPrinter {
  /// The type of the stored property.
  func typeText(_ type: FieldType) -> String {
    let base = baseText(type.base)
    return switch type.position {
    case .single: base
    case .optional: base + "?"
    case .list: "[\(base)]"
    case .set: "ModelRuntime.SortedSet<\(base)>"
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
    case .uuid: "ModelRuntime.UUIDValue"
    case .timestamp: "ModelRuntime.Timestamp"
    case .file: "ModelRuntime.FileReference"
    case .userReference: "ModelRuntime.UserID"
    case .reference(let model): swiftName(ofModel: model) + ".ID"
    case .structure(let name), .enumeration(let name): qualifiedName(name)
    }
  }

  /// What a reader finds where the field is absent: the declared default, else the zero of the type.
  func zeroText(_ field: FieldDeclaration) -> String {
    switch field.type.position {
    case .optional: return "nil"
    case .list, .set: return "[]"
    case .single: break
    }
    if let value = field.defaultValue { return literalText(value, of: field.type.base) }
    return switch field.type.base {
    case .bool: "false"
    case .int32, .int64, .uint32, .uint64, .float, .double, .counter: "0"
    case .string: "\"\""
    case .data: "[]"
    case .uuid, .timestamp, .file, .userReference, .reference, .structure: ".zero"
    case .enumeration: ".unknown(0)"
    }
  }

  /// The default of the initialiser's parameter; nil where a caller must give the value.
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

  /// The name of the stored property: a deprecated field is kept behind a computed one, so that generated code
  /// itself compiles without a warning.
  func storageName(_ field: FieldDeclaration) -> String {
    field.deprecated == nil ? field.name : "_" + field.name
  }

  private func swiftName(ofModel name: String) -> String {
    schema.model(named: name)?.swiftName ?? capitalized(name)
  }

  private func qualifiedName(_ name: TypeName) -> String {
    guard let model = name.model else { return swiftName(ofShared: name.name) }
    let file = schema.files.first { $0.model?.name == model }
    return "\(swiftName(ofModel: model)).\(Self.swiftName(of: name.name, in: file))"
  }

  private func swiftName(ofShared name: String) -> String {
    for file in schema.files where file.model == nil {
      let found = file.structs.contains { $0.name == name } || file.enums.contains { $0.name == name }
      if found { return Self.swiftName(of: name, in: file) }
    }
    return capitalized(name)
  }

  private static func swiftName(of name: String, in file: SchemaFile?) -> String {
    file?.structs.first { $0.name == name }?.swiftName ?? file?.enums.first { $0.name == name }?.swiftName
      ?? capitalized(name)
  }
}
