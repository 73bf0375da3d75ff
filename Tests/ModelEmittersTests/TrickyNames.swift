// Schemas whose names mean something to Swift, protobuf or generated code, and are allowed all the same.
import ModelEmitters
import ModelSchema

enum TrickyNames {
  /// Words of Swift, words that are so only in places where no name stands, and names of local variables in generated
  /// code.
  static let words = """
    actor amount any async autoclosure available borrow borrowing column consume consuming context convenience copy discard
    distributed dsohandle dynamic dynamicType each edit element escaping exports file final forget function generator get hasher identity indirect
    infix isolated lazy left line macro message module mutate mutating newValue nonisolated nonmutating of oldValue
    oneof open operation optional override package postfix precedence prefix reasync repeated required reserved right seed
    sending set then type unavailable unowned unsafe user using value value1 weak willSet with wrappedValue yield
    as associatedtype await break case catch class continue default defer deinit do else enum extension fallthrough false
    fileprivate for func guard if import in internal is nil operator precedencegroup private protocol public repeat rethrows
    return static struct subscript super switch throw throws true try typealias where while
    """.split { $0 == " " || $0 == "\n" }.map(String.init)

  /// The names of all types that generated code takes from other modules. A type of the schema may have each of them.
  static func typesOfOthers() -> Set<String> {
    typesOfOthers(in: ["Swift", "ModelSupport"])
      .union(["Array", "Dictionary", "Error", "MainActor", "Never", "Optional", "Result", "Sendable"])
  }

  /// The names that generated code takes from these modules.
  static func typesOfOthers(in modules: Set<Substring>) -> Set<String> {
    let rich = SchemaReader.read(RichSchema.files(length: 7, operations: RichSchema.everyEffect)).schema
    let texts = ([NamesOfEveryLength.schema(length: 7)] + [rich].compactMap { $0 }).flatMap(Emitter.swift.emit)
      .map(\.contents)
    let names = texts.flatMap { $0.matches(of: /(Swift|ModelSupport)\.([A-Z]\w*)/) }
    return Set(names.filter { modules.contains($0.1) }.map { String($0.2) })
  }

  /// Models with these names, and a model all of whose members are named by the words.
  static func models() -> [SourceFile] {
    let names = typesOfOthers().sorted()
    var texts = ["words": wordsText(queue: "unsafe")]
    for (index, name) in names.enumerated() {
      texts["m\(index)"] = model("m\(index)", swiftName: name, refersTo: "m\((index + 1) % names.count)")
    }
    return files(texts)
  }

  /// The same names for types nested in one model.
  static func nestedTypes() -> [SourceFile] {
    let refused: Set<String> = ["Any", "Protocol", "Type"]
    let names = typesOfOthers().union(words.map(raised)).subtracting(refused).sorted()
    return files(["m0": model("m0", swiftName: "Zero", refersTo: "m0"), "nested": nested(names)])
  }

  /// The same names for operations. Each has every second of the words as a parameter, since a file has so many values.
  static func operations() -> [SourceFile] {
    let refused: Set<String> = ["Any", "Protocol", "Type"]
    let names = typesOfOthers().union(words.map(raised)).subtracting(refused).sorted()
    func joined(_ half: Int, _ text: (Int, String) -> String) -> String {
      words.enumerated().filter { $0.offset % 2 == half }.map(text).joined(separator: ", ")
    }
    let parameters = (0..<2).map { joined($0) { "\($1): \(types[$0 % types.count])" } }
    let uses = (0..<2).map { joined($0) { "f\($0 % types.count)x\($0): $\($1)" } }
    let fields = words.indices.map { "  f\($0 % types.count)x\($0): \(types[$0 % types.count]) = \($0 + 1)\n" }
    let operations = names.enumerated().map { index, name in
      "  \(name.prefix(1).lowercased())\(name.dropFirst()): "
        + "{ parameters: { \(parameters[index % 2]) }, set: { \(uses[index % 2]) } }\n"
    }
    return files(["m0": "model: m0\nqueue: self\nfields:\n\(fields.joined())operations:\n\(operations.joined())"])
  }

  private static let types = [
    "string", "list(string)", "data?", "ref(m0)", "set(ref(user))", "timestamp", "file", "float",
  ]

  private static func files(_ texts: [String: String]) -> [SourceFile] {
    texts.merging(["modelgen": "schema: Tricky\naccess: public\nfixtures: true\n"]) { given, _ in given }
      .map { SourceFile(path: "\($0.key).yaml", bytes: Array($0.value.utf8)) }
  }

  /// A model in which each word is a field, a part of the identity, a deprecated field of a struct, and a case.
  private static func wordsText(queue: String) -> String {
    let fields = words.enumerated().map { "  \($1): \($1 == queue ? "ref(m0)" : "string") = \($0 + 1)\n" }
    let deprecated = words.enumerated().map { "      \($1): { type: mood, tag: \($0 + 1), deprecated: true }\n" }
    let cases = words.enumerated().map { "      \($1): \($0 + 1)\n" }
    return """
      model: words
      queue: \(queue)
      identity: [\(words.joined(separator: ", "))]
      fields:
      \(fields.joined())  place: place? = 1000
      structs:
        place:
          fields:
      \(deprecated.joined())enums:
        mood:
          cases:
      \(cases.joined())
      """
  }

  private static func nested(_ names: [String]) -> String {
    let fields = names.indices.map { "  f\($0): n\($0) = \($0 + 1)\n" }
    let types = names.enumerated().map { index, name in
      "  n\(index): { swiftName: \(name), fields: { texts: list(string) = 1, data: data? = 2, ratio: float = 3, "
        + "user: ref(user) = 4, other: ref(m0) = 5, users: set(ref(user)) = 6, at: timestamp = 7, mood: mood? = 8 } }\n"
    }
    return "model: nested\nqueue: device\nfields:\n\(fields.joined())structs:\n\(types.joined())"
      + "enums: { mood: { cases: { good: 1 } } }\n"
  }

  private static func model(_ name: String, swiftName: String, refersTo other: String) -> String {
    """
    model: \(name)
    swiftName: \(swiftName)
    queue: self
    fields:
      other: ref(\(other)) = 1
      others: set(ref(\(other))) = 2
      file: file = 3
      likes: counter = 4
      inner: inner = 5
      mood: mood? = 6
    structs: { inner: { fields: { other: ref(\(other)) = 1, id2: uuid = 2, mood: mood = 3, count: uint64? = 4 } } }
    enums: { mood: { cases: { good: 1 } } }
    """
  }
}
