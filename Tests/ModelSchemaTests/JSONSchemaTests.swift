// The JSON Schemas for editors: they accept whatever modelgen accepts, and refuse misspelt keys. A stock validator judges.
import EvolutionFixtures
import Foundation
import TestSupport
import Testing

@testable import ModelSchema

@Suite struct JSONSchemaTests {
  @Test(arguments: [("schema.json", JSONSchema.schemaFile), ("modelgen.schema.json", JSONSchema.configuration)])
  func fileInTheRepositoryIsFresh(name: String, text: String) throws {
    #expect(try Golden.text("docs/formats/\(name)", recording: text) == text)
  }

  private static let tables: [KeyTable] = [
    .model, .shared, .field, .structure, .enumeration, .enumCase, .reservedTags, .reservedNumbers, .access, .followed,
    .given, OperationReader.keys, .list, .anyTerm, .configuration, .reservedModels, .waiver,
  ]

  @Test func everyKeyIsThereOnceAndHasOneLine() {
    for table in Self.tables {
      #expect(Set(table.names).count == table.names.count)
      for key in table.keys { #expect(key.doc.hasSuffix(".") && !key.doc.contains("\n"), "\(key.name)") }
    }
  }

  @Test func acceptsEveryFileThatModelgenAccepts() throws {
    var documents: [String: [String: String]] = [:]
    for (name, files) in try Self.folders() {
      let result = SchemaReader.read(files)
      let refused = Set(result.diagnostics.filter { $0.severity == .error }.map(\.location.file))
      for file in files where !refused.contains(file.path) {
        let document = try #require(Self.json(file))
        documents[Self.kind(of: file), default: [:]]["\(name)/\(file.path)"] = document
      }
    }
    #expect((documents["schema.json"] ?? [:]).count > 150)
    for (schema, documents) in documents { try Self.expect(schema, documents, refused: []) }
  }

  /// Values that YAML takes for something else than texts, and blanks where the language allows them.
  @Test func acceptsOddValues() throws {
    let files = SchemaFolder.texts([
      "null.yaml": """
      model: null
      doc: 5
      queue: self
      fields:
        null: string? = 1
        true: bool=2
        tags: set ( string )  =  3
        at: { type: timestamp ?, tag: 4 }
        kind: { type: kind = 5, default: true }
        many: list( ref ( null ) ) = 6
      enums: { kind: { cases: { true: 1, null: { number: -2, doc: 1.5 } }, reserved: { numbers: [-9 to -5, 9] } } }
      reserved: {}
      operations:
        change: { parameters: { kinds: list(kind) }, clear: null, set: { true: false }, insert: { tags: "" } }
      lists: { all: { per: null, where: null is null, order: [true, at descending] }, none: {} }
      """
    ])
    let result = SchemaReader.read(files)
    #expect(result.diagnostics.filter { $0.severity == .error } == [])
    try Self.expect("schema.json", ["null": try #require(Self.json(files[1]))], refused: [])
  }

  /// Each has one mistake in its keys or words.
  private static let misspelt: [String: String] = [
    "model": "model: a\nqueue: self\nfields: { b: string = 1 }\nlist: { c: {} }\n",
    "field": "model: a\nqueue: self\nfields: { b: { type: string = 1, docs: x } }\n",
    "field without tag": "model: a\nqueue: self\nfields: { b: string }\n",
    "structs": "structs: { a: { fields: { b: string = 1 }, docs: x } }\n",
    "enums": "enums: { a: { case: { b: 1 } } }\n",
    "case": "enums: { a: { cases: { b: { number: 1, docs: x } } } }\n",
    "reserved": "enums: { a: { cases: { b: 1 }, reserved: { tags: [2] } } }\n",
    "operation": "model: a\nqueue: self\nfields: { b: string = 1 }\noperations: { c: { sets: { b: d } } }\n",
    "follow": "model: a\nqueue: self\nfields: { b: string = 1 }\noperations: { c: { follow: { users: $me } } }\n",
    "list": "model: a\nqueue: self\nfields: { b: string = 1 }\nlists: { c: { orders: b } }\n",
    "access": "model: a\nqueue: self\nfields: { b: string = 1 }\naccess: { updates: owner }\n",
    "role": "model: a\nqueue: self\nfields: { b: string = 1 }\naccess: { update: owners }\n",
    "without queue": "model: a\nfields: { b: string = 1 }\n",
    "ephemeral": "model: a\nqueue: c\nephemeral: true\nfields: { c: ref(a) = 1 }\n",
    "too long": "model: a\nqueue: c\nephemeral: 61s\nfields: { c: ref(a) = 1 }\n",
    "without model": "queue: self\nfields: { b: string = 1 }\n",
    "shared": "doc: x\nstructs: { a: { fields: { b: string = 1 } } }\n",
    "unions": "unions: { a: x }\n",
    "a comment": "// comment: x\nstructs: { a: { fields: { b: string = 1 } } }\n",
  ]

  @Test func refusesMisspeltKeys() throws {
    var documents: [String: String] = [:]
    for (name, text) in Self.misspelt {
      let file = SourceFile(path: "a.yaml", bytes: Array(text.utf8))
      #expect(SchemaReader.read(SchemaFolder.texts(["a.yaml": text])).schema == nil, "\(name)")
      let document = try #require(Self.json(file))
      documents[name] = document
    }
    try Self.expect("schema.json", documents, refused: Self.misspelt.keys.sorted())
  }

  @Test func refusesMistakesInTheConfiguration() throws {
    let texts = [
      "shema: App", "schema: App\nacces: public", "schema: App\naccess: private", "schema: app",
      "schema: App\noutput: Generated", "schema: App\nwaivers: [{ rule: field-type, at: model a }]",
      "schema: App\nreserved: { model: [a] }", "schema: App\nfixtures: maybe",
    ]
    let documents = try texts.map {
      ($0, try #require(Self.json(SourceFile(path: "modelgen.yaml", bytes: Array($0.utf8)))))
    }
    try Self.expect("modelgen.schema.json", Dictionary(uniqueKeysWithValues: documents), refused: texts.sorted())
  }
}

extension JSONSchemaTests {
  /// All schema folders of the repository, and those in the texts of fixtures, by name.
  private static func folders() throws -> [(String, [SourceFile])] {
    let fixtures = RuleFixtureTests.folders.map { "\(SchemaFolder.fixtures)/\($0)" }
    let others = [
      "Schemas", "Tests/TypeMatrix/Schemas", "Examples/Moments/Sources/Moments/Schemas",
      "Examples/QuickStart/Sources/QuickStart/Schemas",
    ]
    let folders = try (fixtures + others).map { ($0, try SchemaFolder.read($0)) }
    let texts = try ChangeFixtureTests.rules.flatMap { rule in
      try ChangeFixtureTests.fixture(rule).files.map { ("\(rule) \($0.key)", $0.value) }
    }
    return folders + texts
  }

  private static func kind(of file: SourceFile) -> String {
    ConfigurationReader.isConfiguration(file) ? "modelgen.schema.json" : "schema.json"
  }

  /// Has the documents, which are JSON, judged by name.
  private static func expect(_ schema: String, _ documents: [String: String], refused: [String]) throws {
    let folder = try TemporaryFolder()
    let members = documents.map { "\(JSONText.quoted($0.key)): \($0.value)" }
    try folder.write("documents.json", "{" + members.joined(separator: ",\n") + "}")
    let arguments = [Repository.url("docs/formats/\(schema)").path, folder.url("documents.json").path]
    let script = "Tests/ModelSchemaTests/judge.py"
    guard let said = try PythonPackage.jsonSchema.run(script, arguments) else { return }
    // The names of some documents have line ends.
    let missing = refused.filter { !said.contains("\($0): ") }
    #expect(missing == [], "\(said)")
    if refused.isEmpty { #expect(said == "") }
  }

  /// A file as JSON, as an editor that knows YAML 1.2 reads it. Nil where it is no YAML.
  private static func json(_ file: SourceFile) -> String? {
    YAMLTreeBuilder.read(file, into: Findings()).map(text)
  }

  private static func text(_ node: YAMLNode) -> String {
    switch node.content {
    case .scalar(let text, .plain):
      if ["", "~", "null", "Null", "NULL"].contains(text) { return "null" }
      if ["true", "True", "TRUE", "false", "False", "FALSE"].contains(text) { return text.lowercased() }
      let isNumber = (try? JSONDecoder().decode(Double.self, from: Data(text.utf8))) != nil
      return isNumber ? text : JSONText.quoted(text)
    case .scalar(let text, _): return JSONText.quoted(text)
    case .sequence(let nodes): return "[" + nodes.map(text).joined(separator: ", ") + "]"
    case .mapping(let pairs):
      return "{" + pairs.map { "\(JSONText.quoted($0.key.text)): \(text($0.value))" }.joined(separator: ", ") + "}"
    case .invalid: return "null"
    }
  }
}
