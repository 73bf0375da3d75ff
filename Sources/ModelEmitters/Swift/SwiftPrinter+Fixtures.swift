// Prints fixtures for tests and previews: values that depend on a seed only. The schema asks for them.
import ModelSchema

extension SwiftPrinter {
  /// The file of fixtures. It is always emitted, because the build plugin declares it as an output. Without
  /// `fixtures: true` it holds only a comment.
  func fixturesFile() -> EmittedFile {
    var printer = header(source: "modelgen.yaml", importsRuntime: schema.fixtures)
    if schema.fixtures {
      var first = true
      for (type, fields, model) in fixtureTypes() {
        if !first { printer.line() }
        first = false
        printFixture(type, fields, of: model, &printer)
      }
    } else {
      printer.line("// No fixtures: `fixtures: true` in modelgen.yaml asks for them.")
    }
    return EmittedFile(path: "Swift/ModelgenFixtures.generated.swift", contents: printer.text)
  }

  private func fixtureTypes() -> [(type: String, fields: [FieldDeclaration], model: ModelDeclaration?)] {
    schema.files.flatMap { file in
      let prefix = file.model.map { $0.swiftName + "." } ?? ""
      let model = file.model.map { [($0.swiftName, $0.fields, $0.isEphemeral ? nil : $0)] } ?? []
      return model + file.structs.map { (prefix + $0.swiftName, $0.fields, nil) }
    }
  }

  private func printFixture(
    _ type: String, _ fields: [FieldDeclaration], of model: ModelDeclaration?, _ printer: inout CodePrinter
  ) {
    printer.block("nonisolated extension \(type)") { printer in
      printer.line("/// A value made of nothing but the seed.")
      printer.block("\(access) static func fixture(seed: Swift.UInt64) -> Self") { printer in
        printer.line("var generator = ModelSupport.FixtureGenerator(seed: seed)")
        printer.line("return Self.fixture(&generator)")
      }
      printer.line()
      printer.block("\(access) static func fixture(_ generator: inout ModelSupport.FixtureGenerator) -> Self") {
        let id = model.flatMap(fixtureID)
        if let queue = id?.queue { $0.line("let _queue: \(typeText(queue.type)) = generator.id()") }
        let converted = ConversionPrinter(self, of: fields, owner: type)
        let arguments = fields.filter { !converted.isSource($0) }.map { field in
          field.name == id?.queue?.name ? "\(field.name): _queue" : fixtureArgument(field.name, field.type)
        }
        let head = id?.queue == nil ? "Self" : "return Self"
        $0.list(head, (id.map { ["id: generator.id(\($0.argument))"] } ?? []) + arguments)
      }
    }
  }

  /// The argument that makes the id, and the field that names the queue of that id. Nil where the id is derived.
  private func fixtureID(_ model: ModelDeclaration) -> (argument: String, queue: FieldDeclaration?)? {
    guard model.identity.isEmpty else { return nil }
    return switch model.queue {
    case .own: ("", nil)
    case .device: ("in: nil", nil)
    case .field(let name), .home(let name): ("in: \(queueArgument(model, named: "_queue"))", model.field(named: name))
    }
  }

  /// An argument such as `name: generator.list { $0.string() }`.
  private func fixtureArgument(_ name: String, _ type: FieldType) -> String {
    let body = fixtureText(type.base, type.position == .single ? "generator" : "$0")
    let function =
      switch type.position {
      case .single: ""
      case .optional: "optional"
      case .list: "list"
      case .set: "set"
      }
    return type.position == .single ? "\(name): \(body)" : "\(name): generator.\(function) { \(body) }"
  }

  private func fixtureText(_ base: BaseType, _ generator: String) -> String {
    switch base {
    case .bool: "\(generator).bool()"
    case .int32: "\(generator).int32()"
    case .int64, .counter: "\(generator).int64()"
    case .uint32: "\(generator).uint32()"
    case .uint64: "\(generator).uint64()"
    case .float: "\(generator).float()"
    case .double: "\(generator).double()"
    case .string: "\(generator).string()"
    case .data: "\(generator).data()"
    case .uuid: "\(generator).uuid()"
    case .timestamp: "\(generator).timestamp()"
    case .file: "\(generator).file()"
    case .userReference, .reference: "\(generator).id()"
    case .enumeration: "\(generator).enumeration()"
    case .structure: "\(baseText(base)).fixture(&\(generator))"
    }
  }
}
