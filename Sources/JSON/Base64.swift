// Bytes as text (RFC 4648, section 4): padded, without line ends. Decoding accepts only the text that encoding gives.

package enum Base64 {
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")

  /// The number of each letter of the alphabet; 255 for every other byte.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
    return values
  }()

  package static func text(of bytes: [UInt8]) -> String {
    let letters = Self.letters
    return String(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { text in
      var end = 0
      for start in stride(from: 0, to: bytes.count, by: 3) {
        let count = min(3, bytes.count - start)
        let second = count > 1 ? bytes[start + 1] : 0
        let third = count > 2 ? bytes[start + 2] : 0
        text[end] = letters[Int(bytes[start] >> 2)]
        text[end + 1] = letters[Int((bytes[start] & 0x03) << 4 | second >> 4)]
        text[end + 2] = count > 1 ? letters[Int((second & 0x0F) << 2 | third >> 6)] : padding
        text[end + 3] = count > 2 ? letters[Int(third & 0x3F)] : padding
        end += 4
      }
      return end
    }
  }

  /// At least the number of bytes that a text decodes to.
  package static func capacity(of text: String) -> Int { text.utf8.count / 4 * 3 }

  /// Nil unless `text(of:)` gives exactly this text for some bytes.
  package static func bytes(of text: String) -> [UInt8]? {
    var text = text
    return text.withUTF8 { letters in
      guard letters.count % 4 == 0 else { return nil }
      guard !letters.isEmpty else { return [] }
      let paddingCount = letters.suffix(2).reversed().prefix { $0 == padding }.count
      let values = Self.values
      var bytes: [UInt8] = []
      bytes.reserveCapacity(letters.count / 4 * 3)
      var word: UInt32 = 0
      for (index, letter) in letters.dropLast(paddingCount).enumerated() {
        let value = values[Int(letter)]
        guard value < 64 else { return nil }
        word = word << 6 | UInt32(value)
        guard index % 4 == 3 else { continue }
        bytes.append(UInt8(truncatingIfNeeded: word >> 16))
        bytes.append(UInt8(truncatingIfNeeded: word >> 8))
        bytes.append(UInt8(truncatingIfNeeded: word))
        word = 0
      }
      switch paddingCount {
      case 1:
        guard word & 0x03 == 0 else { return nil }
        bytes.append(UInt8(truncatingIfNeeded: word >> 10))
        bytes.append(UInt8(truncatingIfNeeded: word >> 2))
      case 2:
        guard word & 0x0F == 0 else { return nil }
        bytes.append(UInt8(truncatingIfNeeded: word >> 4))
      default: break
      }
      return bytes
    }
  }
}
