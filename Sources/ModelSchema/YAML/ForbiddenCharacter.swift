// Characters that YAML forbids (YAML 1.1, section 5.1), and those at which YAML 1.1 ends a line while YAML 1.2 and editors
// do not: a text with one would mean two things. They are found before parsing, so that their exact place is known.

enum ForbiddenCharacter {
  /// The first forbidden character of well-formed UTF-8: its index in `text`, and its scalar value.
  static func first(in text: ArraySlice<UInt8>) -> (index: Int, scalar: UInt32)? {
    text.withUnsafeBufferPointer { bytes in
      for index in bytes.indices {
        if let scalar = forbidden(bytes, at: index) { return (text.startIndex + index, scalar) }
      }
      return nil
    }
  }

  private static func forbidden(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt32? {
    switch bytes[index] {
    case 0x09, 0x0A, 0x0D, 0x20...0x7E: nil
    case 0x00...0x1F, 0x7F: UInt32(bytes[index])
    // U+0080 … U+009F. The text is well-formed, so one byte follows here, and two below.
    case 0xC2 where bytes[index + 1] < 0xA0: UInt32(bytes[index + 1])
    // U+2028 and U+2029.
    case 0xE2 where bytes[index + 1] == 0x80 && bytes[index + 2] | 1 == 0xA9: 0x2000 | UInt32(bytes[index + 2] & 0x3F)
    case 0xEF:
      switch (bytes[index + 1], bytes[index + 2]) {
      case (0xBB, 0xBF): 0xFEFF
      case (0xBF, 0xBE): 0xFFFE
      case (0xBF, 0xBF): 0xFFFF
      default: nil
      }
    default: nil
    }
  }
}
