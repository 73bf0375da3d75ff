// Fixtures: values made of nothing but a seed, for tests and previews; only where the schema asks for them.
import ModelSchema

extension SwiftPrinter {
  /// Always emitted, so that a build plugin can declare it: without `fixtures: true` it only says so.
  func fixturesFile() -> EmittedFile {
    var printer = header(source: "modelgen.yaml")
    if schema.fixtures {
      var first = true
      for (type, fields, hasID) in fixtureTypes() {
        if !first { printer.line() }
        first = false
        printFixture(type, fields, hasID: hasID, &printer)
      }
    } else {
      printer.line("// No fixtures: `fixtures: true` in modelgen.yaml asks for them.")
    }
    return EmittedFile(path: "Swift/ModelgenFixtures.generated.swift", contents: printer.text)
  }

  private func fixtureTypes() -> [(type: String, fields: [FieldDeclaration], hasID: Bool)] {
    schema.files.flatMap { file in
      let prefix = file.model.map { $0.swiftName + "." } ?? ""
      let model = file.model.map { [($0.swiftName, $0.fields, $0.identity.isEmpty)] } ?? []
      return model + file.structs.map { (prefix + $0.swiftName, $0.fields, false) }
    }
  }

  private func printFixture(
    _ type: String, _ fields: [FieldDeclaration], hasID: Bool, _ printer: inout CodePrinter
  ) {
    printer.block("nonisolated extension \(type)") { printer in
      printer.line("/// A value made of nothing but the seed.")
      printer.block("\(access) static func fixture(seed: Swift.UInt64) -> Self") { printer in
        printer.line("var generator = ModelRuntime.FixtureGenerator(seed: seed)")
        printer.line("return Self.fixture(&generator)")
      }
      printer.line()
      printer.block("\(access) static func fixture(_ generator: inout ModelRuntime.FixtureGenerator) -> Self") {
        let id = hasID ? ["id: generator.id()"] : []
        $0.list("Self", id + fields.map { "\($0.name): \(fixtureText($0.type))" })
      }
    }
  }

  private func fixtureText(_ type: FieldType) -> String {
    switch type.position {
    case .single: fixtureText(type.base, "generator")
    case .optional: "generator.optional { \(closureBody(type.base)) }"
    case .list: "generator.list { \(closureBody(type.base)) }"
    case .set: "generator.set { \(closureBody(type.base)) }"
    }
  }

  private func closureBody(_ base: BaseType) -> String { fixtureText(base, "$0") }

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
