// Whole numbers as a schema writes them: without `+`, and without leading zeros, which YAML would read as octal.

enum WholeNumber {
  /// Whether the text is a whole number, of any size.
  static func isOne(_ text: String) -> Bool {
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    guard let first = digits.first, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
    return first != UInt8(ascii: "0") || digits.count == 1
  }

  /// Nil where the text is no whole number or does not fit into the type.
  static func read<Number: FixedWidthInteger>(_ text: String, as: Number.Type) -> Number? {
    isOne(text) ? Number(text) : nil
  }
}
