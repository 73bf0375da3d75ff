// Splits the text of a document into tokens (GraphQL, October 2021, section 2.1).

struct GraphQLToken: Hashable {
  enum Kind: Hashable {
    /// One of `! $ & ( ) ... : = @ [ ] { | }`.
    case punctuator(String)
    case name(String)
    case int(String)
    case float(String)
    case string(String)
    case end
  }

  var kind: Kind
  /// In bytes.
  var offset: Int
}

struct GraphQLLexer {
  let source: [UInt8]
  private(set) var offset = 0
  /// How many tokens may still come.
  private var left: Int

  init(_ source: [UInt8], tokens: Int) {
    self.source = source
    left = tokens
  }

  var byte: UInt8? { offset < source.count ? source[offset] : nil }

  /// Reads the next token; at the end of the text that is `end`, also when called again. Throws after too many tokens.
  mutating func next() throws(GraphQLError) -> GraphQLToken {
    skipIgnored()
    let start = offset
    guard let byte else { return GraphQLToken(kind: .end, offset: start) }
    left -= 1
    guard left >= 0 else { throw GraphQLError(.validationFailed, "The document has too many tokens.", at: start) }
    let kind: GraphQLToken.Kind =
      switch byte {
      case UInt8(ascii: "\""): .string(try string())
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
      case _ where Self.startsName(byte): .name(name())
      default: .punctuator(try punctuator(byte))
      }
    return GraphQLToken(kind: kind, offset: start)
  }

  mutating func advance(_ count: Int = 1) { offset += count }

  func startsHere(_ text: StaticString) -> Bool {
    source[offset...].starts(with: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  func unexpected() -> GraphQLError {
    guard let byte else { return .syntax("The document ends too early.", at: offset) }
    guard byte >= 0x20, byte < 0x7F else { return .syntax("A character is not allowed here.", at: offset) }
    return .syntax("`\(Character(Unicode.Scalar(byte)))` is not allowed here.", at: offset)
  }

  static func startsName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"): true
    default: false
    }
  }

  static func isDigit(_ byte: UInt8?) -> Bool {
    byte.map { $0 >= 0x30 && $0 <= 0x39 } ?? false
  }

  /// Skips white space, line ends, commas, comments and byte order marks.
  private mutating func skipIgnored() {
    while let byte {
      switch byte {
      case 0x09, 0x0A, 0x0D, 0x20, UInt8(ascii: ","): offset += 1
      case UInt8(ascii: "#"):
        while let byte = self.byte, byte != 0x0A, byte != 0x0D { offset += 1 }
      case 0xEF where startsHere("\u{FEFF}"): offset += 3
      default: return
      }
    }
  }

  private mutating func punctuator(_ byte: UInt8) throws(GraphQLError) -> String {
    if startsHere("...") {
      offset += 3
      return "..."
    }
    guard "!$&():=@[]{|}".utf8.contains(byte) else { throw unexpected() }
    offset += 1
    return String(Character(Unicode.Scalar(byte)))
  }

  private mutating func name() -> String {
    let start = offset
    while let byte, Self.startsName(byte) || Self.isDigit(byte) { offset += 1 }
    return String(decoding: source[start..<offset], as: UTF8.self)
  }

  /// Reads a number. Throws if a name, a digit or a dot follows it directly.
  private mutating func number() throws(GraphQLError) -> GraphQLToken.Kind {
    let start = offset
    var isFloat = false
    if byte == UInt8(ascii: "-") { offset += 1 }
    if byte == UInt8(ascii: "0") { offset += 1 } else { try digits() }
    if byte == UInt8(ascii: ".") {
      isFloat = true
      offset += 1
      try digits()
    }
    if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
      isFloat = true
      offset += 1
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { offset += 1 }
      try digits()
    }
    if let byte, Self.startsName(byte) || Self.isDigit(byte) || byte == UInt8(ascii: ".") { throw unexpected() }
    let text = String(decoding: source[start..<offset], as: UTF8.self)
    return isFloat ? .float(text) : .int(text)
  }

  private mutating func digits() throws(GraphQLError) {
    guard Self.isDigit(byte) else { throw unexpected() }
    while Self.isDigit(byte) { offset += 1 }
  }
}
