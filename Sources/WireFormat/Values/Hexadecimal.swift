// Words and their hexadecimal digits, shared by the text forms of ids and hashes.

enum Hexadecimal {
  /// Appends the 16 digits of a word, in lower case.
  static func append(_ word: UInt64, to text: inout [UInt8]) {
    for shift in stride(from: UInt64(60), through: 0, by: -4) {
      let digit = UInt8(truncatingIfNeeded: word >> shift & 0xF)
      text.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
    }
  }

  /// The value of a digit of either case; nil for any other character.
  static func digit(_ character: UInt8) -> UInt64? {
    switch character {
    case 0x30...0x39: UInt64(character - 0x30)
    case 0x41...0x46: UInt64(character - 0x37)
    case 0x61...0x66: UInt64(character - 0x57)
    default: nil
    }
  }
}
