// A schema may not use names that generated code declares for itself. The names are taken from the output, so that a
// new member in the emitters cannot be forgotten here.
import ModelEmitters
import ModelSchema
import Testing

@Suite struct ReservedNamesTests {
  /// A model, a struct and an enum whose only field or case is `own`.
  private static let schema = {
    var model = ModelDeclaration.of("photo", [.of("own", .bool)])
    model.access = AccessDeclaration()
    return Schema.of(
      model, structs: [.of("place", [.of("own", .bool)])], enums: [.of("mood", [EnumCase(name: "own", number: 1)])],
      fixtures: true)
  }()

  @Test func refusesFieldsNamedLikeGeneratedMembers() {
    let text = Self.part(of: Self.schema.swift("Photo"), before: "enum Mood") + Self.schema.swift("ModelgenFixtures")
    let members = Self.members(of: text)
    #expect(
      members.isSuperset(of: ["id", "zeroWithID", "modelName", "fieldTable", "queueID", "unknownFields", "zero"]))
    for name in members {
      #expect(Self.rules("fields: { \(name): bool = 1 }") == ["reserved-name"], "a field \(name)")
      let place = "fields: { own: bool = 1 }\nstructs: { place: { fields: { \(name): bool = 1 } } }"
      #expect(Self.rules(place) == ["reserved-name"], "a field \(name) of a struct")
      let list = "fields: { own: bool = 1 }\nlists: { \(name): { order: own } }"
      #expect(Self.rules(list).contains("reserved-name"), "a list \(name)")
    }
  }

  @Test func refusesFieldsNamedLikeMembersOfAnEphemeralModel() {
    var model = ModelDeclaration.of("photo", [.of("own", .reference("photo"))], queue: .field("own"))
    model.ephemeralSeconds = 5
    let members = Self.members(of: Schema.of(model).swift("Photo"))
    #expect(members == ["unknownFields", "zero", "fieldTable", "modelName", "lifetimeMilliseconds", "queueID"])
    for name in members {
      #expect(Self.rules("fields: { \(name): bool = 1 }") == ["reserved-name"], "a field \(name)")
    }
  }

  @Test func refusesParametersNamedLikeGeneratedMembers() {
    var model = ModelDeclaration.of("photo", [.of("own", .bool)])
    model.operations = [
      OperationDeclaration(name: "mark", doc: nil, parameters: [], requirements: [], effects: [.clear(["own"])])
    ]
    let text = Schema.of(model).swift("Photo")
    let members = Self.members(of: String(text.dropFirst(Self.part(of: text, before: "struct Mark").count)))
    #expect(members == ["target", "operationName", "fieldTable", "evaluate"])
    for name in members {
      let operation = "mark: { parameters: { \(name): bool }, set: { own: $\(name) } }"
      let rules = Self.rules("fields: { own: bool = 1 }\noperations: { \(operation) }")
      #expect(rules == ["reserved-name"], "a parameter \(name)")
    }
  }

  @Test func refusesCasesNamedLikeGeneratedMembers() {
    let swift = Self.schema.swift("Photo")
    let members = Self.members(of: String(swift.dropFirst(Self.part(of: swift, before: "enum Mood").count)))
    #expect(members.isSuperset(of: ["unknown", "knownCases", "rawValue", "hash"]))
    for name in members { #expect(Self.rules(ofCase: name) == ["reserved-name"], "a case \(name)") }
  }

  /// protoc compares the names of values without the enum's name, without `_` and without case.
  @Test func refusesCasesNamedLikeValuesOfProtobuf() throws {
    let lines = Self.schema.proto().split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }
    let values = lines.filter { $0.hasPrefix("MOOD__") }.compactMap { $0.dropFirst(6).split(separator: " ").first }
    let names = values.map { $0.replacing("_", with: "").lowercased() }.filter { $0 != "own" }
    #expect(!names.isEmpty)
    for name in names { #expect(Self.rules(ofCase: name) == ["reserved-name"], "a case \(name)") }
  }

  @Test func refusesTypesNamedLikeGeneratedTypes() {
    let text = Self.schema.swift("Photo")
    let types = text.matches(of: /typealias (\w+)/).map { String($0.1) } + ["Swift", "ModelSupport", "Self", "Any"]
    #expect(types.contains("ID"))
    for type in types {
      let model = "fields: { own: bool = 1 }\n"
      #expect(Self.rules(model + "swiftName: \(type)") == ["reserved-name"], "a model \(type)")
      let nested = "structs: { place: { swiftName: \(type), fields: { own: bool = 1 } } }"
      #expect(Self.rules(model + nested) == ["reserved-name"], "a struct \(type)")
      let name = type.prefix(1).lowercased() + type.dropFirst()
      let named = "enums: { \(name): { cases: { own: 1 } } }"
      #expect(Self.rules(model + named) == ["reserved-name"], "an enum \(name)")
    }
  }

  /// The members that are declared at the level of a type, and the labels of its initialisers.
  private static func members(of text: String) -> Set<String> {
    var members: Set<String> = []
    for line in text.split(separator: "\n") {
      for match in line.matches(of: /^ +(?:public .*(?:let|var|func)|case) (\w+)/) { members.insert(String(match.1)) }
      for match in line.matches(of: /^ +public init\((?!_ )(\w+)/) { members.insert(String(match.1)) }
    }
    return members.filter { $0 != "own" && $0.first?.isNumber == false }
  }

  private static func part(of text: String, before end: String) -> String {
    text.firstRange(of: end).map { String(text[..<$0.lowerBound]) } ?? text
  }

  private static func rules(ofCase name: String) -> [String] {
    rules("fields: { own: bool = 1 }\nenums: { mood: { cases: { \(name): 1 } } }")
  }

  /// The rules that a model with these parts breaks.
  private static func rules(_ parts: String) -> [String] {
    let files = ["modelgen.yaml": "schema: Test\n", "photo.yaml": "model: photo\nqueue: self\n\(parts)\n"]
    return SchemaReader.read(files.map { SourceFile(path: $0.key, bytes: Array($0.value.utf8)) }).diagnostics.map(
      \.rule)
  }
}
