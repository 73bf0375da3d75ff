// Parses JSON strictly. Limits on depth and on the number of values keep hostile bytes from exhausting stack or memory.

/// Bytes that are no JSON text, or exceed a limit.
package struct JSONError: Error, Hashable {
  /// The offset of the mistake, in bytes.
  package var offset: Int
  package var isTooLarge = false
}

/// The most that one text may hold. The size of a body bounds its bytes; these limits bound its size in memory.
package struct JSONLimits: Sendable {
  package var depth = 32
  package var values = 250_000

  package init() {}
}

extension JSONValue {
  /// Throws for a member that stands twice, and for anything after the value.
  package init(parsing bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) {
    var parser = JSONParser(bytes: bytes, limits: limits)
    self = try parser.value(depth: limits.depth)
    parser.skipSpace()
    if parser.offset < bytes.count { throw parser.error }
  }
}

private struct JSONParser {
  let bytes: [UInt8]
  let limits: JSONLimits
  var offset = 0
  var count = 0

  init(bytes: [UInt8], limits: JSONLimits) {
    self.bytes = bytes
    self.limits = limits
  }

  var error: JSONError { JSONError(offset: offset) }
  var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  mutating func value(depth: Int) throws(JSONError) -> JSONValue {
    count += 1
    guard depth > 0, count <= limits.values else { throw JSONError(offset: offset, isTooLarge: true) }
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return .object(try members(depth: depth - 1))
    case UInt8(ascii: "["): return .array(try elements(depth: depth - 1))
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return .number(try number())
    }
  }

  mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
  }

  /// Skips space and then this byte, if it comes next.
  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard next == byte else { return false }
    offset += 1
    return true
  }

  private mutating func members(depth: Int) throws(JSONError) -> [JSONValue.Member] {
    offset += 1
    var members: [JSONValue.Member] = []
    if take(UInt8(ascii: "}")) { return members }
    repeat {
      skipSpace()
      let name = try string()
      guard take(UInt8(ascii: ":")) else { throw error }
      members.append(JSONValue.Member(name, try value(depth: depth)))
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")), Self.namesDiffer(members) else { throw error }
    return members
  }

  /// Whether no name stands twice. Most objects are small, and comparing then costs less than a set.
  private static func namesDiffer(_ members: [JSONValue.Member]) -> Bool {
    guard members.count <= 8 else { return Set(members.lazy.map(\.name)).count == members.count }
    return members.indices.allSatisfy { index in !members[..<index].contains { $0.name == members[index].name } }
  }

  private mutating func elements(depth: Int) throws(JSONError) -> [JSONValue] {
    offset += 1
    var elements: [JSONValue] = []
    if take(UInt8(ascii: "]")) { return elements }
    repeat { elements.append(try value(depth: depth)) } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw error }
    return elements
  }

  private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
    let end = offset + word.utf8CodeUnitCount
    guard end <= bytes.count, word.description.utf8.elementsEqual(bytes[offset..<end]) else { throw error }
    offset = end
    return value
  }

  private mutating func number() throws(JSONError) -> String {
    let start = offset
    if next == UInt8(ascii: "-") { offset += 1 }
    if next == UInt8(ascii: "0") { offset += 1 } else { try digits() }
    if next == UInt8(ascii: ".") {
      offset += 1
      try digits()
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      offset += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { offset += 1 }
      try digits()
    }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  private mutating func digits() throws(JSONError) {
    let start = offset
    while let byte = next, byte >= 0x30, byte <= 0x39 { offset += 1 }
    if offset == start { throw error }
  }

  private mutating func string() throws(JSONError) -> String {
    guard next == UInt8(ascii: "\"") else { throw error }
    offset += 1
    let start = offset
    while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { offset += 1 }
    guard next != UInt8(ascii: "\\") else { return try escapedString(Array(bytes[start..<offset])) }
    return try finished(bytes[start..<offset])
  }

  private mutating func escapedString(_ beginning: [UInt8]) throws(JSONError) -> String {
    var text = beginning
    while let byte = next, byte != UInt8(ascii: "\""), byte >= 0x20 {
      offset += 1
      if byte == UInt8(ascii: "\\") { try escape(&text) } else { text.append(byte) }
    }
    return try finished(text[...])
  }

  private mutating func finished(_ units: ArraySlice<UInt8>) throws(JSONError) -> String {
    guard next == UInt8(ascii: "\""), let text = String(validating: units, as: UTF8.self) else { throw error }
    offset += 1
    return text
  }

  private mutating func escape(_ text: inout [UInt8]) throws(JSONError) {
    guard let letter = next else { throw error }
    offset += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"): text.append(contentsOf: String(Character(try scalar())).utf8)
    default: throw error
    }
  }

  /// The character after `\u`: four digits, or a surrogate pair in two escapes. Throws for a lone surrogate.
  private mutating func scalar() throws(JSONError) -> Unicode.Scalar {
    let first = try fourDigits()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, next == UInt8(ascii: "\\") else { throw error }
    offset += 1
    guard next == UInt8(ascii: "u") else { throw error }
    offset += 1
    let second = try fourDigits()
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw error }
    return scalar
  }

  private mutating func fourDigits() throws(JSONError) -> UInt32 {
    guard offset + 4 <= bytes.count else { throw error }
    var value: UInt32 = 0
    for byte in bytes[offset..<offset + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else { throw error }
      value = value << 4 | UInt32(digit)
    }
    offset += 4
    return value
  }
}
