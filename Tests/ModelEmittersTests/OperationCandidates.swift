// Candidates for operations, with every kind of value in every place. The reader decides which ones are valid.
import ModelSchema

/// Lines of `operations:`, valid and invalid ones.
struct OperationCandidates {
  private static let bases = [
    "bool", "int32", "int64", "uint32", "uint64", "float", "double", "string", "data", "uuid", "timestamp", "file",
    "ref(user)", "ref(b)", "ref(c)", "ref(s)", "ref(p)", "ref(h)", "g", "f",
  ]
  private static let literals = [
    "true", "false", "0", "7", "-1", "4000000000", "18446744073709551615", "-9223372036854775808", "1.5", "-1e300", "b",
    "\"x y\"", "\"\"",
  ]

  /// The types of parameters. `p17` has the type at index 17.
  static let parameterTypes = bases + bases.map { $0 + "?" } + bases.flatMap { ["list(\($0))", "set(\($0))"] }

  /// Values for all models: parameters, `$me` and the like, literals, paths of up to two steps, and lookups.
  static let values: [String] = {
    let letters = "abcdefghijklmnopqrstuvwxyz".map { "\($0)" }
    let parts = ["a", "b", "c", "d", "e", "hash", "size", "mime", "name"]
    let parameters = parameterTypes.indices.map { "$p\($0)" }
    let own = letters.map { "$self.\($0)" }
    let further = ["a", "b", "c", "d", "g", "j", "k", "m", "n", "v"].flatMap { first in
      (["j", "v"].contains(first) ? letters : parts).map { "$self.\(first).\($0)" }
    }
    let behindParameters = parameterTypes.indices.flatMap { index in parts.prefix(5).map { "$p\(index).\($0)" } }
    let keys = ["$me", "$p12", "$self.b", "$self.c", "$self.a.c", "$p8", "$p11.hash", "$self.a.d.hash"]
    let lookups = ["s", "p", "h"].flatMap { model in
      keys.flatMap { ["\(model)(\($0))", "\(model)(\($0)).b", "\(model)(\($0)).d"] }
    }
    return parameters + own + further + behindParameters + lookups + ["$me", "$now", "$self"] + literals
  }()

  /// An effect with one value, which replaces `#`.
  struct Place: Hashable {
    var model: String
    var effect: String
    /// The field or the kind of effect that an operation may have only once.
    var field: String
  }

  /// The places of all models that are targets of operations.
  static let places: [Place] = {
    let fields = ["b": "abcd", "c": "bcefghijklmnopqrstuvwxz", "s": "cd", "p": "cd", "h": "bd", "l": "abc"]
    let sets = ["c": "eky", "l": "b"]
    let counters = ["b": "e", "c": "d", "l": "d"]
    func all(_ fields: [String: String], _ effect: String) -> [Place] {
      fields.sorted { $0.key < $1.key }.flatMap { model, names in
        names.map { Place(model: model, effect: "\(effect): { \($0): # }", field: "\($0)") }
      }
    }
    let effects = [
      ("follow", "#"), ("follow", "{ user: #, role: reader }"), ("role", "{ user: #, role: owner }"), ("unfollow", "#"),
    ]
    let users = effects.flatMap { effect, value in
      ["b", "c", "h"].map { Place(model: $0, effect: "\(effect): \(value)", field: effect) }
    }
    let files = ["b", "c", "l"].map {
      Place(model: $0, effect: "requires: uploaded(#), delete: true", field: "requires")
    }
    return all(fields, "set") + all(sets, "insert") + all(sets, "remove") + all(counters, "increment") + users + files
  }()

  /// Makes `{ parameters: …, effects }` with the parameters that the effects name.
  static func operation(_ effects: String) -> String {
    let used = Set(effects.matches(of: /\$p(\d+)/).compactMap { Int($0.1) }).sorted()
    let parameters = used.map { "p\($0): \(parameterTypes[$0])" }.joined(separator: ", ")
    return "{ \(used.isEmpty ? "" : "parameters: { \(parameters) }, ")\(effects) }"
  }

  /// The operations that the reader accepts. Each one is a line, so the line of an error tells which one is invalid.
  static func accepted(_ operations: [(model: String, body: String)]) -> [(model: String, body: String)] {
    let files = files(operations)
    let lines = Dictionary(uniqueKeysWithValues: files.map { ($0.path, $0.lines) })
    let wrong = SchemaReader.read(files).diagnostics.filter { $0.severity == .error }
      .compactMap { lines[$0.location.file]?[$0.location.start.line - 1].firstMatch(of: /^  o(\d+):/) }
    let refused = Set(wrong.compactMap { Int($0.1) })
    return operations.enumerated().filter { !refused.contains($0.offset) }.map(\.element)
  }

  static func files(_ operations: [(model: String, body: String)]) -> [SourceFile] {
    var lines: [String: [String]] = [:]
    for (index, operation) in operations.enumerated() {
      lines[operation.model, default: []].append("o\(index): \(operation.body)")
    }
    return RichSchema.files(length: 1, operations: lines)
  }
}

extension SourceFile {
  fileprivate var lines: [Substring] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
  }
}
