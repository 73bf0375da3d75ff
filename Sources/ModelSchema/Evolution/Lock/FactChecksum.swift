// The checksum of facts.

enum FactChecksum {
  /// The 64-bit FNV-1a hash of `KEY: VALUE` (draft-eastlake-fnv).
  static func of(_ key: String, _ value: String) -> UInt64 {
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
