// Schemas as tests write them. Parts that a test is not about have defaults.
import ModelEmitters
import ModelSchema

extension Schema {
  static func of(_ files: SchemaFile..., access: AccessLevel = .public, fixtures: Bool = false) -> Schema {
    Schema(name: "Moments", access: access, output: "../Generated", fixtures: fixtures, files: files)
  }

  static func of(
    _ model: ModelDeclaration, structs: [StructDeclaration] = [], enums: [EnumDeclaration] = [],
    access: AccessLevel = .public, fixtures: Bool = false
  ) -> Schema {
    .of(.of(model, structs: structs, enums: enums), access: access, fixtures: fixtures)
  }

  /// The contents of one Swift file, named without its suffix.
  func swift(_ name: String) -> String {
    Emitter.swift.emit(self).first { $0.path == "Swift/\(name).generated.swift" }?.contents ?? ""
  }

  func proto() -> String { Emitter.proto.emit(self).first?.contents ?? "" }
}

extension SchemaFile {
  static func of(
    _ model: ModelDeclaration, structs: [StructDeclaration] = [], enums: [EnumDeclaration] = []
  ) -> SchemaFile {
    SchemaFile(stem: model.name, model: model, structs: structs, enums: enums)
  }

  static func shared(
    _ stem: String, structs: [StructDeclaration] = [], enums: [EnumDeclaration] = []
  ) -> SchemaFile {
    SchemaFile(stem: stem, model: nil, structs: structs, enums: enums)
  }
}

extension ModelDeclaration {
  static func of(
    _ name: String, _ fields: [FieldDeclaration] = [], wireName: String? = nil, swiftName: String? = nil,
    doc: String? = nil, queue: QueuePlacement = .own, identity: [FieldPath] = [],
    reserved: ReservedFields = ReservedFields()
  ) -> ModelDeclaration {
    ModelDeclaration(
      name: name, wireName: wireName ?? name, swiftName: swiftName ?? raised(name), doc: doc, queue: queue,
      identity: identity, newestBy: nil, fields: fields, reserved: reserved, operations: [], lists: [], views: [])
  }
}

extension StructDeclaration {
  static func of(
    _ name: String, _ fields: [FieldDeclaration], swiftName: String? = nil, doc: String? = nil,
    reserved: ReservedFields = ReservedFields()
  ) -> StructDeclaration {
    StructDeclaration(
      name: name, swiftName: swiftName ?? raised(name), doc: doc, fields: fields, reserved: reserved)
  }
}

extension EnumDeclaration {
  static func of(
    _ name: String, _ cases: [EnumCase], swiftName: String? = nil, doc: String? = nil,
    reserved: ReservedFields = ReservedFields()
  ) -> EnumDeclaration {
    EnumDeclaration(name: name, swiftName: swiftName ?? raised(name), doc: doc, cases: cases, reserved: reserved)
  }
}

extension FieldDeclaration {
  static func of(
    _ name: String, _ base: BaseType, _ position: FieldPosition = .single, tag: Int = 1, doc: String? = nil,
    default value: Literal? = nil, deprecated: String? = nil
  ) -> FieldDeclaration {
    FieldDeclaration(
      name: name, type: FieldType(base, position), tag: tag, doc: doc, defaultValue: value, deprecated: deprecated)
  }
}

/// Raises the first letter: `photo` becomes `Photo`.
func raised(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }
