// JSON Schemas of the files that users write, made of the tables of keys. Editors complete, explain and check by them.
//
// Draft 7, the newest that the YAML language server (VS Code and others) reads whole. A schema accepts every file that
// modelgen accepts. It refuses unknown keys and most values of a wrong form; what spans files is for `modelgen lint`.

public enum JSONSchema {
  /// The JSON Schema of a schema file: a model, or shared types.
  public static let schemaFile = text(
    "Schema file of modelgen", "A model with what belongs to it, or shared structs and enums.", .model,
    rules: modelRules)

  /// The JSON Schema of `modelgen.yaml`.
  public static let configuration = text(
    "modelgen.yaml", "The name of the schema, and the settings of its output.", .configuration,
    rules: required(.configuration))

  private static func text(_ title: String, _ doc: String, _ keys: KeyTable, rules: [JSONTree.Member]) -> String {
    var printer = JSONSchemaPrinter()
    let members = printer.properties(keys)
    let heading: [JSONTree.Member] = [
      ("$schema", .string("http://json-schema.org/draft-07/schema#")), ("title", .string(title)),
      ("description", .string(doc)), ("type", .string("object")), ("minProperties", .number(1)),
    ]
    let definitions: [JSONTree.Member] =
      printer.definitions.isEmpty ? [] : [("definitions", .object(printer.definitions))]
    return JSONTree.object(heading + members + rules + definitions).text() + "\n"
  }

  /// A file that has a key of a model has all that a model needs. Others may have shared types only.
  private static var modelRules: [JSONTree.Member] {
    let needed = KeyTable.model.keys.filter(\.isRequired).map(\.name)
    let ofModel = KeyTable.model.keys.filter { !KeyTable.shared.names.contains($0.name) }
    let rules = ofModel.map { key in
      (key.name, JSONTree.strings(key.name == needed[0] ? Array(needed.dropFirst()) : [needed[0]]))
    }
    return [("dependencies", .object(rules))]
  }

  static func required(_ keys: KeyTable) -> [JSONTree.Member] {
    let names = keys.keys.filter(\.isRequired).map(\.name)
    return names.isEmpty ? [] : [("required", .strings(names))]
  }
}

/// Turns forms of values into JSON Schema, and collects the named ones.
struct JSONSchemaPrinter {
  private(set) var definitions: [JSONTree.Member] = []

  /// The kinds of values of JSON, with the constraints for values of these kinds.
  private struct Form {
    var kinds: Set<Kind>
    var members: [JSONTree.Member] = []
  }

  private enum Kind: String, CaseIterable {
    case object, array, string, integer, number, boolean, null

    /// Those of single values.
    static let single: Set<Kind> = [.string, .number, .boolean, .null]
  }

  mutating func properties(_ table: KeyTable) -> [JSONTree.Member] {
    let properties: [JSONTree.Member] = table.keys.filter(\.isSupported).map { key in
      (key.name, .object([("description", .string(key.doc))] + schema(of: key.value)))
    }
    return [("properties", .object(properties)), ("additionalProperties", .flag(false))]
  }

  private mutating func schema(of value: KeyValue) -> [JSONTree.Member] {
    switch value {
    case .words(let words): return [("enum", .strings(words))]
    case .named(let name, let doc, let value):
      if !definitions.contains(where: { $0.key == name }) {
        let members = schema(of: value)
        definitions.append((name, .object([("description", .string(doc))] + members)))
      }
      return [("$ref", .string("#/definitions/\(name)"))]
    case .either(let values) where values.contains(where: \.isWords):
      return [("anyOf", .list(values.map { .object(schema(of: $0)) }))]
    default:
      let form = form(of: value)
      return Self.kinds(form.kinds) + form.members
    }
  }

  /// Where words such as `null` are allowed, the other kinds are excluded: of a list of allowed kinds editors would
  /// offer `true` and `null` at each place.
  private static func kinds(_ kinds: Set<Kind>) -> [JSONTree.Member] {
    guard kinds.contains(.null) else { return [("type", names(of: kinds))] }
    // A whole number is a number.
    let others = Set(Kind.allCases).subtracting(kinds).subtracting([.integer])
    return others.isEmpty ? [] : [("not", .object([("type", names(of: others))]))]
  }

  private static func names(of kinds: Set<Kind>) -> JSONTree {
    let names = Kind.allCases.filter(kinds.contains).map(\.rawValue)
    return names.count == 1 ? .string(names[0]) : .strings(names)
  }

  private mutating func form(of value: KeyValue) -> Form {
    switch value {
    case .text: return Form(kinds: Kind.single)
    case .word(let pattern, let examples):
      return Form(kinds: [.string, .boolean, .null], members: Self.pattern(pattern, examples))
    case .expression(let pattern, let examples): return Form(kinds: [.string], members: Self.pattern(pattern, examples))
    case .flag: return Form(kinds: [.boolean])
    case .yes: return Form(kinds: [.boolean], members: [("enum", .list([.flag(true)]))])
    case .number(let range):
      return Form(
        kinds: [.integer], members: [("minimum", .number(range.lowerBound)), ("maximum", .number(range.upperBound))])
    case .list(let element):
      return Form(kinds: [.array], members: [("items", .object(schema(of: element))), ("minItems", .number(1))])
    case .entries(let value, let mayBeEmpty):
      let names = JSONTree.object([("pattern", .string("^\(KeyValue.namePattern)$"))])
      return Form(
        kinds: [.object],
        members: [("propertyNames", names), ("additionalProperties", .object(schema(of: value)))]
          + (mayBeEmpty ? [] : [("minProperties", .number(1))]))
    case .mapping(let table): return Form(kinds: [.object], members: properties(table) + JSONSchema.required(table))
    case .either(let values):
      // Each constraint is for values of one kind, so those of several kinds stand beside each other.
      return values.reduce(into: Form(kinds: [])) { result, value in
        let form = form(of: value)
        result.kinds.formUnion(form.kinds)
        result.members += form.members
      }
    case .words, .named: preconditionFailure("has a schema of its own")
    }
  }

  private static func pattern(_ pattern: String, _ examples: [String]) -> [JSONTree.Member] {
    [("pattern", .string(pattern))] + (examples.isEmpty ? [] : [("examples", .strings(examples))])
  }
}

extension KeyValue {
  fileprivate var isWords: Bool { if case .words = self { true } else { false } }
}
