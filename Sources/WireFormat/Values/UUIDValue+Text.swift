// The text and byte forms of an id (RFC 9562, section 4).

extension UUIDValue: LosslessStringConvertible {
  /// Lower case, as the RFC writes it: `017f22e2-79b0-7cc3-98c4-dc0c0c07398f`.
  public var description: String {
    var digits: [UInt8] = []
    digits.reserveCapacity(32)
    Hexadecimal.append(high, to: &digits)
    Hexadecimal.append(low, to: &digits)
    var text: [UInt8] = []
    text.reserveCapacity(36)
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text.append(0x2D) }
      text.append(digit)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The 36 characters of the RFC, in either case; nil for everything else.
  public init?(_ description: String) {
    var words: (UInt64, UInt64) = (0, 0)
    var index = 0
    for character in description.utf8 {
      if [8, 13, 18, 23].contains(index) {
        guard character == 0x2D else { return nil }
      } else {
        guard index < 36, let digit = Hexadecimal.digit(character) else { return nil }
        words = (words.0 << 4 | words.1 >> 60, words.1 << 4 | digit)
      }
      index += 1
    }
    guard index == 36 else { return nil }
    self.init(high: words.0, low: words.1)
  }

  /// 16 bytes, in the order of the text; nil for any other number of bytes.
  @inlinable
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    var words: (UInt64, UInt64) = (0, 0)
    for byte in bytes {
      words = (words.0 << 8 | words.1 >> 56, words.1 << 8 | UInt64(byte))
    }
    self.init(high: words.0, low: words.1)
  }

  /// The 16 bytes, in the order of the text.
  public var bytes: [UInt8] {
    withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { [UInt8]($0) }
  }
}
