// The text and byte forms of a hash: 64 hexadecimal digits, 32 bytes.

extension ContentHash: LosslessStringConvertible {
  /// 64 digits, lower case.
  public var description: String {
    var text: [UInt8] = []
    text.reserveCapacity(64)
    for word in [words.0, words.1, words.2, words.3] {
      Hexadecimal.append(word, to: &text)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// 64 digits of either case; nil for everything else.
  public init?(_ description: String) {
    let digits = description.utf8.compactMap(Hexadecimal.digit)
    guard digits.count == 64, description.utf8.count == 64 else { return nil }
    func word(_ index: Int) -> UInt64 {
      digits[16 * index..<16 * index + 16].reduce(0) { $0 << 4 | $1 }
    }
    self.init(words: (word(0), word(1), word(2), word(3)))
  }

  /// Nil for any other number of bytes than 32.
  public init?(bytes: some Collection<UInt8>) {
    let bytes = Array(bytes)
    guard bytes.count == 32 else { return nil }
    func word(_ index: Int) -> UInt64 {
      bytes[8 * index..<8 * index + 8].reduce(0) { $0 << 8 | UInt64($1) }
    }
    self.init(words: (word(0), word(1), word(2), word(3)))
  }

  /// The 32 bytes, in the order of the text form.
  public var bytes: [UInt8] {
    withUnsafeBytes(of: (words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian)) { [UInt8]($0) }
  }
}
