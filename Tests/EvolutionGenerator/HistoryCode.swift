// Writes the Swift of a history of versions, the functions that its conversions name, and what tests need to know of it.

import ModelEmitters
import ModelSchema

struct HistoryCode {
  private(set) var text = ""
  /// The second half of the versions, for a file of its own.
  private(set) var laterText = ""

  init(_ history: SchemaHistory) {
    var versions: [String] = []
    for (index, schema) in history.versions.enumerated() {
      let code = VersionCode(schema, prefix: "H\(index)", name: "\(index + 1)")
      let declarations = code.declarations + Self.functions(in: code.declarations, prefix: "H\(index)")
      if index < history.versions.count / 2 { text += declarations } else { laterText += declarations }
      versions.append(Self.version(schema, "H\(index)", code.expression))
    }
    let lineage = history.lineage.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
    let counts = history.counts.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ")
    text += """
      extension HistoryVersion {
        static let all: [HistoryVersion] = [
          \(versions.joined(separator: ",\n    "))
        ]
        /// Fields that hold one value, in whichever version, have one number.
        static let lineage: [Int: Int] = [\(lineage)]
        static let changes: [String: Int] = [\(counts)]
      }

      """
  }

  private static func version(_ schema: Schema, _ prefix: String, _ expression: String) -> String {
    guard let model = schema.models.first else { return "" }
    let type = model.swiftName.hasPrefix(prefix) ? model.swiftName : prefix + model.swiftName
    let sources = Set(model.fields.flatMap(\.from))
    let tags = model.fields.map { "\"\($0.name)\": \($0.tag)" }.joined(separator: ", ")
    let edits = model.fields.filter { !sources.contains($0.name) }.map { field in
      "\"\(field.name)\": { (object: inout \(type), other: \(type)) in object.\(field.name) = other.\(field.name) }"
    }
    return """
      HistoryVersion(
            \(expression),
            tags: [\(tags)], fixture: \(type).fixture(seed:),
            edits: [
              \(edits.joined(separator: ",\n        "))
            ])
      """
  }

  /// The functions of the protocols `Conversions`, in the generated code of one version.
  private static func functions(in code: String, prefix: String) -> String {
    var functions: [String] = []
    for line in code.split(separator: "\n") {
      let line = line.drop { $0 == " " }
      guard line.hasPrefix("static func parts") || line.hasPrefix("static func wrapped"), !line.hasSuffix("{"),
        let open = line.firstIndex(of: "("), let close = line.firstRange(of: ") -> ")
      else { continue }
      let labels = line[line.index(after: open)..<close.lowerBound].split(separator: ", ")
        .map { String($0.prefix { $0 != ":" }) }
      let function = line.hasPrefix("static func parts") ? "parts" : "wrapped"
      functions.append("  \(line) { HistoryValues.\(function)(\(labels.joined(separator: ", "))) }")
    }
    if functions.isEmpty { return "" }
    return "extension \(prefix)Item {\n\(functions.joined(separator: "\n"))\n}\n"
  }
}
