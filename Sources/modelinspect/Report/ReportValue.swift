// The findings of a command as one tree. `--json` prints it as it is; the text for people is printed from it too.

indirect enum ReportValue: Equatable, Sendable {
  case null
  case bool(Bool)
  /// Digits, printed unchanged.
  case number(String)
  case string(String)
  case list([ReportValue])
  /// Its members keep their order, so that two outputs can be compared line by line.
  case object([Member])
  /// A value with words of its own for people. People do not see a value with empty words.
  case worded(String, ReportValue)
  /// An object in lines of its own, below a title unless that is empty.
  case record(title: String, ReportValue)
  /// A list in lines of its own: its records make paragraphs, its objects a table.
  case lines([ReportValue])

  struct Member: Equatable, Sendable {
    var name: String
    var value: ReportValue
  }
}

extension ReportValue: ExpressibleByDictionaryLiteral {
  init(dictionaryLiteral elements: (String, ReportValue)...) {
    self = .object(elements.map { Member(name: $0, value: $1) })
  }

  init(_ value: (some CustomStringConvertible)?) { self = value.map { .string("\($0)") } ?? .null }
  init(number value: (some BinaryInteger)?) { self = value.map { .number("\($0)") } ?? .null }

  static func lines(of values: [some CustomStringConvertible]) -> Self { .lines(values.map { Self($0) }) }

  /// A value that people do not see.
  static func hidden(_ value: Self) -> Self { .worded("", value) }

  /// The object, of which people see only the members with these names.
  func showing(_ names: Set<String>) -> Self {
    .object(members.map { names.contains($0.name) ? $0 : Member(name: $0.name, value: .hidden($0.value)) })
  }

  static func + (left: Self, right: Self) -> Self { .object(left.members + right.members) }

  /// The members of an object; none for other values.
  var members: [Member] {
    switch self {
    case .object(let members): members
    case .worded(_, let value), .record(_, let value): value.members
    default: []
    }
  }
}

extension ReportValue {
  /// One line for each member or element.
  func json(indent: String = "") -> String {
    let inner = indent + "  "
    switch self {
    case .null: return "null"
    case .bool(let value): return "\(value)"
    case .number(let digits): return digits
    case .string(let text): return Self.quoted(text)
    case .worded(_, let value), .record(_, let value): return value.json(indent: indent)
    case .list(let values), .lines(let values):
      return Self.block("[", values.map { $0.json(indent: inner) }, "]", indent)
    case .object(let members):
      return Self.block("{", members.map { "\(Self.quoted($0.name)): \($0.value.json(indent: inner))" }, "}", indent)
    }
  }

  private static func block(_ open: String, _ lines: [String], _ close: String, _ indent: String) -> String {
    guard !lines.isEmpty else { return open + close }
    return "\(open)\n" + lines.map { "\(indent)  \($0)" }.joined(separator: ",\n") + "\n\(indent)\(close)"
  }

  /// Escapes control characters, and U+2028 and U+2029, which end lines in JavaScript.
  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
