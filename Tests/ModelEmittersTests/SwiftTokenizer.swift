// A small tokenizer of Swift, written without the emitters. It sees what the compiler would see in generated code.

/// A token, as far as tests tell tokens apart. A comment is a token too, so text that leaves one is seen.
enum SwiftToken: Equatable {
  case comment
  case identifier(String)
  case number(String)
  /// The value of the literal.
  case string(String)
  case punctuation(Unicode.Scalar)
  /// Text that generated code must not have: an unfinished literal, an interpolation, a character outside ASCII.
  case invalid(String)

  /// The token without the value of a literal.
  var kind: SwiftToken {
    if case .string = self { return .string("") }
    return self
  }
}

struct SwiftTokenizer {
  private let scalars: [Unicode.Scalar]
  private var position = 0

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  static func tokens(of text: String) -> [SwiftToken] {
    var tokenizer = SwiftTokenizer(text)
    var tokens: [SwiftToken] = []
    while let token = tokenizer.next() { tokens.append(token) }
    return tokens
  }

  private func peek(_ distance: Int = 0) -> Unicode.Scalar? {
    position + distance < scalars.count ? scalars[position + distance] : nil
  }

  private mutating func next() -> SwiftToken? {
    while let scalar = peek(), scalar == " " || scalar == "\n" { position += 1 }
    guard let scalar = peek() else { return nil }
    if scalar == "/", peek(1) == "/" { return lineComment() }
    if scalar == "/", peek(1) == "*" { return take(2, as: .invalid("/*")) }
    if scalar == "#", peek(1) == "\"" { return take(2, as: .invalid("#\"")) }
    if scalar == "\"" { return string() }
    if Self.isLetter(scalar) { return .identifier(word()) }
    if Self.isDigit(scalar) { return .number(word()) }
    position += 1
    return scalar.isASCII && scalar.value > 0x20 && scalar.value != 0x7F
      ? .punctuation(scalar) : .invalid("U+\(scalar.value)")
  }

  private mutating func take(_ count: Int, as token: SwiftToken) -> SwiftToken {
    position += count
    return token
  }

  /// Reads to the end of the line. Swift ends a comment at a line feed and at a carriage return.
  private mutating func lineComment() -> SwiftToken {
    while let scalar = peek(), scalar != "\n", scalar != "\r" {
      if Self.deceives(scalar) { return take(1, as: .invalid("U+\(scalar.value) in a comment")) }
      position += 1
    }
    return .comment
  }

  /// Whether a character can show a reader or another tool something else than the compiler sees.
  private static func deceives(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x200B...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }

  private mutating func string() -> SwiftToken {
    if peek(1) == "\"", peek(2) == "\"" { return take(3, as: .invalid("\"\"\"")) }
    position += 1
    var value = String.UnicodeScalarView()
    while let scalar = peek() {
      position += 1
      switch scalar {
      case "\"": return .string(String(value))
      case "\\":
        guard let escaped = escape() else { return .invalid("escape") }
        value.append(escaped)
      case " "..."~": value.append(scalar)
      default: return .invalid("U+\(scalar.value) in a string")
      }
    }
    return .invalid("unfinished string")
  }

  private mutating func escape() -> Unicode.Scalar? {
    guard let scalar = peek() else { return nil }
    position += 1
    switch scalar {
    case "\"", "\\": return scalar
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "0": return "\0"
    case "u": return hexadecimal()
    default: return nil
    }
  }

  private mutating func hexadecimal() -> Unicode.Scalar? {
    guard peek() == "{" else { return nil }
    position += 1
    var digits = ""
    while let scalar = peek(), scalar != "}", digits.count < 9 {
      digits.unicodeScalars.append(scalar)
      position += 1
    }
    guard peek() == "}", let value = UInt32(digits, radix: 16) else { return nil }
    position += 1
    return Unicode.Scalar(value)
  }

  private mutating func word() -> String {
    var text = ""
    while let scalar = peek(), Self.isLetter(scalar) || Self.isDigit(scalar) {
      text.unicodeScalars.append(scalar)
      position += 1
    }
    return text
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_" || scalar == "$" || scalar == "`"
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
}
