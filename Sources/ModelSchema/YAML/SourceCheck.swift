// Checks the bytes of a file before a YAML parser sees them.

enum SourceCheck {
  /// Checks size, encoding and forbidden characters. Reports the first problem, and then returns false.
  static func check(_ source: SourceFile, _ findings: Findings) -> Bool {
    let bytes = source.bytes
    if bytes.count > YAMLLimits.fileBytes {
      let limit = YAMLLimits.fileBytes >> 10
      findings.report(
        .fileTooLarge, "The file is longer than \(limit) KiB: split it, one model to a file.",
        at: .start(of: source.path))
      return false
    }
    if let name = otherEncoding(bytes) {
      findings.report(
        .notUTF8, "The file is \(name); schema files are UTF-8.", at: .start(of: source.path))
      return false
    }
    if let offset = UTF8Check.firstError(in: bytes) {
      let byte = "0x" + String(bytes[offset], radix: 16, uppercase: true)
      findings.report(
        .notUTF8, "The byte \(byte) is not UTF-8; schema files are UTF-8.", at: place(of: offset, in: source))
      return false
    }
    if let (offset, character) = ForbiddenCharacter.first(in: source.text) {
      let code = String(character, radix: 16, uppercase: true)
      let name = "U+" + String(repeating: "0", count: max(0, 4 - code.count)) + code
      findings.report(
        .controlCharacter, "The character \(name) is not allowed in a schema file.", at: place(of: offset, in: source))
      return false
    }
    return true
  }

  /// Recognises UTF-16 by its byte order mark, or by the zero byte that every ASCII character has there.
  private static func otherEncoding(_ bytes: [UInt8]) -> String? {
    guard bytes.count >= 2 else { return nil }
    switch (bytes[0], bytes[1]) {
    case (0xFE, 0xFF), (0xFF, 0xFE): return "UTF-16"
    // UTF-16 has an even number of bytes.
    case (0, 1...0x7F), (1...0x7F, 0): return bytes.count % 2 == 0 ? "UTF-16 without a byte order mark" : nil
    default: return nil
    }
  }

  private static func place(of offset: Int, in source: SourceFile) -> SourceRange {
    var line = 1
    var column = 1
    var previous: UInt8 = 0
    for byte in source.text[..<offset] {
      if byte == 0x0A {
        if previous != 0x0D { line += 1 }
        column = 1
      } else if byte == 0x0D {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
      previous = byte
    }
    return .character(SourcePosition(line: line, column: column), of: source.path)
  }
}

extension SourceFile {
  /// The bytes of a byte order mark: 3 or 0. The mark is no part of the text, and counts as no column.
  var markLength: Int { bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }

  /// The bytes behind the byte order mark, with the indices that they have in `bytes`.
  var text: ArraySlice<UInt8> { bytes[markLength...] }
}

extension SourceRange {
  /// The place of the first character of a file, also where the file is empty.
  static func start(of file: String) -> SourceRange { character(SourcePosition(line: 1, column: 1), of: file) }

  static func character(_ start: SourcePosition, of file: String) -> SourceRange {
    SourceRange(file: file, start: start, end: SourcePosition(line: start.line, column: start.column + 1))
  }

  /// Some characters of the line that the range begins on. They count from its start, from 0.
  func part(_ characters: Range<Int>) -> SourceRange {
    SourceRange(
      file: file, start: SourcePosition(line: start.line, column: start.column + characters.lowerBound),
      end: SourcePosition(line: start.line, column: start.column + characters.upperBound))
  }
}
