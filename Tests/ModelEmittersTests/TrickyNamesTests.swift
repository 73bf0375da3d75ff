// Every name that the reader accepts gives output that compiles: what would not is a diagnostic instead.
import ModelEmitters
import ModelSchema
import Testing

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

  @Test func typesThatGeneratedCodeNamesAreAmbiguous() {
    let warnings = SchemaReader.read(TrickyNames.models()).diagnostics.filter { $0.rule == "name-ambiguous" }
    let names = warnings.compactMap { $0.message.split(separator: "`").first.map(String.init) }
    #expect(TrickyNames.typesOfOthers().subtracting(names) == [])
  }
}
