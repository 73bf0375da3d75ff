// JSON as a value, printed for people: indented, members in the order in which they were given.

enum JSONTree: Sendable {
  case string(String)
  case number(Int)
  case flag(Bool)
  case list([JSONTree])
  case object([Member])

  typealias Member = (key: String, value: JSONTree)

  static func strings(_ texts: [String]) -> JSONTree { .list(texts.map { .string($0) }) }

  func text(indentedBy indent: String = "") -> String {
    switch self {
    case .string(let text): return JSONText.quoted(text)
    case .number(let number): return "\(number)"
    case .flag(let flag): return "\(flag)"
    case .list(let values):
      let texts = values.map { $0.text(indentedBy: indent + "  ") }
      let line = "[" + texts.joined(separator: ", ") + "]"
      return line.contains("\n") || line.utf8.count > 100 ? Self.lines("[", texts, "]", indent) : line
    case .object(let members):
      let texts = members.map { JSONText.quoted($0.key) + ": " + $0.value.text(indentedBy: indent + "  ") }
      return texts.isEmpty ? "{}" : Self.lines("{", texts, "}", indent)
    }
  }

  private static func lines(_ opening: String, _ texts: [String], _ closing: String, _ indent: String) -> String {
    opening + "\n" + texts.map { "\(indent)  \($0)" }.joined(separator: ",\n") + "\n\(indent)\(closing)"
  }
}
