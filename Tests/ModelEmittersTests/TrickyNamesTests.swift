// Every name that the reader accepts gives output that compiles. The reader reports all other names.
import Foundation
import ModelEmitters
import TestSupport
import Testing

@testable import ModelSchema

@Suite struct TrickyNamesTests {
  static let schemas = [
    "models": TrickyNames.models, "types": TrickyNames.nestedTypes, "operations": TrickyNames.operations,
  ]

  @Test(arguments: schemas.keys.sorted()) func generatedCodeOfTrickyNamesCompiles(names: String) throws {
    let files = try #require(Self.schemas[names])
    let result = SchemaReader.read(files())
    let errors = result.diagnostics.filter { $0.severity == .error }
    #expect(errors.isEmpty, "\(errors.prefix(5).map(\.message))")
    let schema = try #require(result.schema)
    try ProtoTests.accept(schema.proto(), "tricky names")
    try TypeChecker.check(schema)
  }

  @Test func warnsOfModelsNamedLikeTypesOfSwift() {
    let warnings = SchemaReader.read(TrickyNames.models()).diagnostics.filter { $0.rule == "name-ambiguous" }
    let names = warnings.compactMap { $0.message.split(separator: "`").first.map(String.init) }
    #expect(TrickyNames.typesOfOthers(in: ["Swift"]).subtracting(names) == [])
  }

  /// A type of the schema with one of these names is ambiguous in a file that imports both modules.
  @Test func warnsOfModelsNamedLikeTypesOfRuntime() throws {
    let types = try Self.typesOfTheRuntime()
    #expect(types.isSuperset(of: ["ObjectID", "ModelStore", "SyncClient"]))
    let files = types.sorted().enumerated().map { index, name in
      ("m\(index)", "model: m\(index)\nswiftName: \(name)\nqueue: self\nfields: { own: bool = 1 }\n")
    }
    let sources = (files + [("modelgen", "schema: Test\n")]).map {
      SourceFile(path: "\($0.0).yaml", bytes: Array($0.1.utf8))
    }
    let warnings = SchemaReader.read(sources).diagnostics.filter { $0.rule == "name-ambiguous" }
    let names = warnings.compactMap { $0.message.split(separator: "`").first.map(String.init) }
    #expect(types.subtracting(names) == [], "these belong to AmbiguousNames")
    let listed = AmbiguousNames.owners.first { $0.name == "ModelRuntime" }?.types ?? []
    #expect(listed.subtracting(types) == [], "a schema may have these without a warning")
  }

  @Test func warnsOfModelsNamedLikeTypesOfModelRuntimeUI() throws {
    let folder = Repository.url("Sources/ModelRuntimeUI")
    let sources = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    let types = try sources.filter { $0.pathExtension == "swift" }.flatMap { file in
      try String(contentsOf: file, encoding: .utf8).matches(of: /public (?:struct|class|enum|protocol) (\w+)/).map {
        String($0.1)
      }
    }
    #expect(AmbiguousNames.owners.first { $0.name == "ModelRuntimeUI" }?.types == Set(types))
  }

  /// The types that an app gets with `import ModelRuntime`.
  private static func typesOfTheRuntime() throws -> Set<String> {
    let exports = try String(contentsOf: Repository.url("Sources/ModelRuntime/ModelRuntime.swift"), encoding: .utf8)
    return Set(exports.matches(of: /@_exported public import \w+ \w+\.(\w+)/).map { String($0.1) })
  }
}
