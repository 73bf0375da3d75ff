// The small parts of a lock's text: quotes, and the checksum of facts.

enum LockText {
  /// The text in quotes, with the escapes of JSON; all on one line.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.properties.isWhitespace && scalar != " " || scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// The 64-bit FNV-1a hash of `KEY: VALUE` (draft-eastlake-fnv).
  static func hash(_ key: String, _ value: String) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ text: String) {
      var text = text
      text.withUTF8 { bytes in
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      }
    }
    add(key)
    add(": ")
    add(value)
    return hash
  }

  static func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
