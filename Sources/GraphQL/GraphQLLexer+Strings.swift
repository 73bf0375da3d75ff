// Reads strings: quoted ones with escapes, and block strings, whose indentation is removed. As in editions after
// October 2021, strings may contain every character, and escapes of up to six digits.

extension GraphQLLexer {
  mutating func string() throws(GraphQLError) -> String {
    if startsHere("\"\"\"") { return try blockString() }
    advance()
    var text: [UInt8] = []
    while let byte, byte != UInt8(ascii: "\""), byte != 0x0A, byte != 0x0D {
      if byte == UInt8(ascii: "\\") {
        try escape(&text)
      } else {
        text.append(byte)
        advance()
      }
    }
    guard byte == UInt8(ascii: "\"") else { throw .syntax("A string does not end.", at: offset) }
    advance()
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func escape(_ text: inout [UInt8]) throws(GraphQLError) {
    let start = offset
    advance()
    let letter = byte
    advance()
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter!)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      guard let scalar = scalar() else { throw .syntax("This escape names no character.", at: start) }
      text.append(contentsOf: String(Character(scalar)).utf8)
    default: throw .syntax("There is no such escape.", at: start)
    }
  }

  /// Reads an escape after `\u`: four digits, a pair of surrogates, or up to six digits in braces. Nil for anything
  /// else.
  private mutating func scalar() -> Unicode.Scalar? {
    if byte == UInt8(ascii: "{") {
      advance()
      guard let value = hexadecimal(1...6), byte == UInt8(ascii: "}") else { return nil }
      advance()
      return Unicode.Scalar(value)
    }
    guard let first = hexadecimal(4...4) else { return nil }
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, startsHere("\\u") else { return nil }
    advance(2)
    guard let second = hexadecimal(4...4), (0xDC00...0xDFFF).contains(second) else { return nil }
    return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
  }

  private mutating func hexadecimal(_ counts: ClosedRange<Int>) -> UInt32? {
    var (value, count) = (0 as UInt32, 0)
    while count < counts.upperBound, let byte, byte < 0x80,
      let digit = Character(Unicode.Scalar(byte)).hexDigitValue
    {
      value = value << 4 | UInt32(digit)
      count += 1
      advance()
    }
    return counts.contains(count) ? value : nil
  }

  private mutating func blockString() throws(GraphQLError) -> String {
    advance(3)
    var text: [UInt8] = []
    while let byte, !startsHere("\"\"\"") {
      if startsHere("\\\"\"\"") {
        text.append(contentsOf: "\"\"\"".utf8)
        advance(4)
      } else {
        text.append(byte)
        advance()
      }
    }
    guard byte != nil else { throw .syntax("A string does not end.", at: offset) }
    advance(3)
    return Self.withoutIndentation(text)
  }

  /// Removes common indentation, and blank lines at both ends (section 2.9.4, BlockStringValue).
  private static func withoutIndentation(_ text: [UInt8]) -> String {
    var lines = lines(of: text)
    let isBlank = { (line: ArraySlice<UInt8>) in line.allSatisfy { $0 == 0x20 || $0 == 0x09 } }
    let indents = lines.dropFirst().filter { !isBlank($0) }.map { $0.prefix { $0 == 0x20 || $0 == 0x09 }.count }
    let common = indents.min() ?? 0
    for index in lines.indices.dropFirst() { lines[index] = lines[index].dropFirst(common) }
    while let last = lines.last, isBlank(last) { lines.removeLast() }
    let rest = lines.drop(while: isBlank)
    return String(decoding: Array(rest.joined(separator: [0x0A])), as: UTF8.self)
  }

  private static func lines(of text: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    for index in text.indices where text[index] == 0x0A || text[index] == 0x0D {
      if text[index] == 0x0A, index > 0, text[index - 1] == 0x0D {
        start = index + 1
        continue
      }
      lines.append(text[start..<index])
      start = index + 1
    }
    return lines + [text[start...]]
  }
}
