// JSON whose members keep the order in which they were added, so that two outputs can be compared line by line.

indirect enum OrderedJSON: Equatable {
  case null
  case bool(Bool)
  /// Digits, printed unchanged.
  case number(String)
  case string(String)
  case array([OrderedJSON])
  case object([Member])

  struct Member: Equatable {
    var name: String
    var value: OrderedJSON
  }
}

extension OrderedJSON: ExpressibleByDictionaryLiteral {
  init(dictionaryLiteral elements: (String, OrderedJSON)...) {
    self = .object(elements.map { Member(name: $0, value: $1) })
  }

  init(_ value: (some CustomStringConvertible)?) { self = value.map { .string("\($0)") } ?? .null }
  init(number value: (some BinaryInteger)?) { self = value.map { .number("\($0)") } ?? .null }

  /// One line for each member or element.
  func text(indent: String = "") -> String {
    let inner = indent + "  "
    switch self {
    case .null: return "null"
    case .bool(let value): return "\(value)"
    case .number(let digits): return digits
    case .string(let text): return Self.quoted(text)
    case .array(let values):
      return Self.block("[", values.map { $0.text(indent: inner) }, "]", indent)
    case .object(let members):
      return Self.block("{", members.map { "\(Self.quoted($0.name)): \($0.value.text(indent: inner))" }, "}", indent)
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
