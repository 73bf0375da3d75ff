// Fixtures: values made of nothing but a seed, for tests and previews; only where the schema asks for them.
import ModelSchema

extension SwiftPrinter {
  /// Always emitted, so that a build plugin can declare it: without `fixtures: true` it only says so.
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
      let model = file.model.map { [($0.swiftName, $0.fields, Optional($0))] } ?? []
      return model + file.structs.map { (prefix + $0.swiftName, $0.fields, nil) }
    }
  }

  private func printFixture(
    _ type: String, _ fields: [FieldDeclaration], of model: ModelDeclaration?, _ printer: inout CodePrinter
  ) {
    printExtensionHead(type, &printer)
    printer.indented { printer in
      printer.line("/// A value made of nothing but the seed.")
      printer.block("\(access) static func fixture(seed: Swift.UInt64) -> Self") { printer in
        printer.line("var generator = ModelRuntime.FixtureGenerator(seed: seed)")
        printer.line("return Self.fixture(&generator)")
      }
      printer.line()
      printer.block("\(access) static func fixture(_ generator: inout ModelRuntime.FixtureGenerator) -> Self") {
        let id = model.flatMap(fixtureID)
        if let queue = id?.queue { $0.line("let _queue: \(typeText(queue.type)) = generator.id()") }
        let arguments = fields.map { field in
          field.name == id?.queue?.name
            ? CodeArgument("\(field.name): _queue") : fixtureArgument(field.name, field.type)
        }
        let head = id?.queue == nil ? "Self" : "return Self"
        $0.list(head, (id.map { [CodeArgument("id: generator.id(\($0.argument))")] } ?? []) + arguments)
      }
    }
    printer.line("}")
  }

  /// How the id is made, and the field with the queue that it is bound to; nil where the id is derived.
  private func fixtureID(_ model: ModelDeclaration) -> (argument: String, queue: FieldDeclaration?)? {
    guard model.identity.isEmpty else { return nil }
    return switch model.queue {
    case .own: ("", nil)
    case .device: ("in: nil", nil)
    case .field(let name), .home(let name): ("in: \(queueArgument(model, named: "_queue"))", model.field(named: name))
    }
  }

  private func printExtensionHead(_ type: String, _ printer: inout CodePrinter) {
    let line = "nonisolated extension \(type)"
    if printer.fits(line + " {") { return printer.line(line + " {") }
    printMember(line, deeper: true, &printer)
    printer.line("{")
  }

  /// `name: generator.list { $0.string() }`
  private func fixtureArgument(_ name: String, _ type: FieldType) -> CodeArgument {
    let body = fixtureText(type.base, type.position == .single ? "generator" : "$0")
    let function =
      switch type.position {
      case .single: ""
      case .optional: "optional"
      case .list: "list"
      case .set: "set"
      }
    if type.position == .single {
      return CodeArgument("\(name): \(body)") { printer, comma in
        printer.line("\(name):")
        printer.indented { printMember(body, tail: comma, deeper: false, &$0) }
      }
    }
    return CodeArgument("\(name): generator.\(function) { \(body) }") { printer, comma in
      printer.line("\(name): generator.\(function) {")
      printer.indented { printMember(body, deeper: true, &$0) }
      printer.line("}" + comma)
    }
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
