// Reads JSON text into values. Texts without escapes are slices of the body.

extension PlainJSON {
  /// Nil if the bytes are not JSON, as far as the model checks.
  init?(reading bytes: [UInt8]) {
    var reader = Reader(bytes: bytes)
    guard let value = reader.value() else { return nil }
    reader.skipSpace()
    guard reader.place == bytes.count else { return nil }
    self = value
  }

  private struct Reader {
    let bytes: [UInt8]
    var place = 0

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    mutating func skipSpace() {
      while let byte = next, [0x20, 0x0A, 0x0D, 0x09].contains(byte) { place += 1 }
    }

    mutating func value() -> PlainJSON? {
      skipSpace()
      switch next {
      case UInt8(ascii: "{"): return object()
      case UInt8(ascii: "["): return array()
      case UInt8(ascii: "\""): return text().map { .text($0) }
      case UInt8(ascii: "n"): return take("null", .null)
      case UInt8(ascii: "t"): return take("true", .bool(true))
      case UInt8(ascii: "f"): return take("false", .bool(false))
      default: return number()
      }
    }

    private mutating func take(_ word: StaticString, _ value: PlainJSON) -> PlainJSON? {
      place += word.utf8CodeUnitCount
      return place <= bytes.count ? value : nil
    }

    private mutating func number() -> PlainJSON? {
      let start = place
      while let byte = next, byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte) { place += 1 }
      return Int64(String(decoding: bytes[start..<place], as: UTF8.self)).map { .number($0) }
    }

    /// Takes a comma or `end`. Returns whether it was a comma; nil if it was neither.
    private mutating func goesOn(until end: UInt8) -> Bool? {
      skipSpace()
      guard let byte = next, byte == end || byte == UInt8(ascii: ",") else { return nil }
      place += 1
      return byte != end
    }

    private mutating func isEmpty(_ end: UInt8) -> Bool {
      place += 1
      skipSpace()
      guard next == end else { return false }
      place += 1
      return true
    }

    private mutating func array() -> PlainJSON? {
      var elements: [PlainJSON] = []
      if isEmpty(UInt8(ascii: "]")) { return .array([]) }
      while true {
        guard let element = value() else { return nil }
        elements.append(element)
        guard let more = goesOn(until: UInt8(ascii: "]")) else { return nil }
        if !more { return .array(elements) }
      }
    }

    private mutating func object() -> PlainJSON? {
      var members: [Member] = []
      if isEmpty(UInt8(ascii: "}")) { return .object([]) }
      while true {
        skipSpace()
        guard next == UInt8(ascii: "\""), let name = text() else { return nil }
        skipSpace()
        guard next == UInt8(ascii: ":") else { return nil }
        place += 1
        guard let value = value() else { return nil }
        members.append(Member(name: String(decoding: name, as: UTF8.self), value: value))
        guard let more = goesOn(until: UInt8(ascii: "}")) else { return nil }
        if !more { return .object(members) }
      }
    }

    /// Reads an escape as its letter. That is enough, because only documents and messages of errors have escapes.
    private mutating func text() -> ArraySlice<UInt8>? {
      place += 1
      let start = place
      var hasEscapes = false
      while let byte = next, byte != UInt8(ascii: "\"") {
        if byte == UInt8(ascii: "\\") {
          hasEscapes = true
          place += 1
        }
        place += 1
      }
      guard place < bytes.count else { return nil }
      place += 1
      let text = bytes[start..<place - 1]
      return hasEscapes ? text.filter { $0 != UInt8(ascii: "\\") }[...] : text
    }
  }
}
