// Splits expressions in plain scalars into words and signs, each with its exact place in the file.

/// Reads one scalar from left to right.
struct ExpressionScanner {
  private let bytes: [UInt8]
  private let origin: SourceRange
  /// False where the scalar spans several lines. Then every piece has the range of the whole scalar.
  private let isOnOneLine: Bool
  private(set) var position = 0

  init(_ text: String, range: SourceRange) {
    bytes = Array(text.utf8)
    origin = range
    isOnOneLine = range.start.line == range.end.line
  }

  var isAtEnd: Bool {
    mutating get {
      skipSpaces()
      return position == bytes.count
    }
  }

  /// The range of the unread rest, or of the last character where nothing is left.
  var rest: SourceRange {
    mutating get {
      skipSpaces()
      return position < bytes.count ? range(position..<bytes.count) : range(max(position - 1, 0)..<position)
    }
  }

  /// The rest of the text. It stays unread.
  var restText: String {
    mutating get {
      skipSpaces()
      return String(decoding: bytes[position...], as: UTF8.self)
    }
  }

  mutating func skipSpaces() {
    while position < bytes.count, bytes[position] == 0x20 || bytes[position] == 0x0A || bytes[position] == 0x09 {
      position += 1
    }
  }

  /// Letters, digits and underscores, beginning with a letter or underscore.
  mutating func word() -> Spelled? {
    skipSpaces()
    guard position < bytes.count, Self.isLetter(bytes[position]) else { return nil }
    return take { Self.isLetter($0) || Self.isDigit($0) }
  }

  /// Digits, with an optional sign before and letters behind: `-12`, `6h`.
  mutating func number() -> Spelled? {
    skipSpaces()
    guard position < bytes.count else { return nil }
    let isSigned = bytes[position] == 0x2D || bytes[position] == 0x2B
    let first = isSigned ? position + 1 : position
    guard first < bytes.count, Self.isDigit(bytes[first]) else { return nil }
    var isFirst = true
    return take { byte in
      defer { isFirst = false }
      return Self.isDigit(byte) || Self.isLetter(byte) || (isFirst && isSigned)
    }
  }

  /// Everything up to the next space.
  mutating func run() -> Spelled? {
    skipSpaces()
    guard position < bytes.count else { return nil }
    return take { $0 != 0x20 && $0 != 0x0A && $0 != 0x09 }
  }

  /// A run of `=`, `!`, `<` and `>`.
  mutating func signs() -> Spelled? {
    let run = take { $0 == 0x3D || $0 == 0x21 || $0 == 0x3C || $0 == 0x3E }
    return run.text.isEmpty ? nil : run
  }

  mutating func take(_ sign: Character) -> Bool {
    skipSpaces()
    guard position < bytes.count, bytes[position] == sign.asciiValue else { return false }
    position += 1
    return true
  }

  /// Skips one character; false at the end.
  mutating func skipCharacter() -> Bool {
    guard position < bytes.count else { return false }
    position += 1
    return true
  }

  /// Whether the next character is `sign`, without spaces before it.
  func isNext(_ sign: Character) -> Bool {
    position < bytes.count && bytes[position] == sign.asciiValue
  }

  func range(from start: Int) -> SourceRange {
    range(start..<position)
  }

  private mutating func take(while belongs: (UInt8) -> Bool) -> Spelled {
    let start = position
    while position < bytes.count, belongs(bytes[position]) { position += 1 }
    return Spelled(text: String(decoding: bytes[start..<position], as: UTF8.self), range: range(start..<position))
  }

  private func range(_ part: Range<Int>) -> SourceRange {
    guard isOnOneLine else { return origin }
    let start = origin.start.column + scalars(in: 0..<part.lowerBound)
    let line = origin.start.line
    return SourceRange(
      file: origin.file, start: SourcePosition(line: line, column: start),
      end: SourcePosition(line: line, column: start + max(scalars(in: part), 1)))
  }

  private func scalars(in part: Range<Int>) -> Int {
    bytes[part].reduce(0) { $0 + ($1 & 0xC0 != 0x80 ? 1 : 0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte)
  }
}

extension ExpressionScanner {
  /// Nil unless the scalar is plain: quoted and block scalars are text.
  init?(_ node: YAMLNode) {
    guard case .scalar(let text, .plain) = node.content else { return nil }
    self.init(text, range: node.range)
  }
}

extension ExpressionScanner {
  /// Skips one character and counts parentheses in `depth`; false at the end.
  mutating func skipOne(_ depth: inout Int) -> Bool {
    if take("(") { depth += 1 } else if take(")") { depth -= 1 } else { return skipCharacter() }
    return true
  }
}

extension ExpressionScanner {
  /// Reads `.name.name` directly behind the previous word, and also `.$name` where `hasSystem`; nil where a dot has no name
  /// behind it.
  mutating func pathBehindDots(hasSystem: Bool = false) -> [Spelled]? {
    var names: [Spelled] = []
    while isNext(".") {
      _ = skipCharacter()
      guard !isNext(" "), let name = (hasSystem ? systemWord() : nil) ?? word() else { return nil }
      names.append(name)
    }
    return names
  }

  /// Reads `name.name`, `$name` or `name.$name`.
  mutating func path() -> [Spelled]? {
    guard let first = systemWord() ?? word(), let others = pathBehindDots(hasSystem: true) else { return nil }
    return [first] + others
  }

  /// Reads `$name`, with the sign in its text; nil where something else is next, which stays unread.
  private mutating func systemWord() -> Spelled? {
    skipSpaces()
    let start = position
    guard take("$"), let name = word(), name.text.utf8.count == position - start - 1 else {
      position = start
      return nil
    }
    return Spelled(text: "$" + name.text, range: range(from: start))
  }

  /// Reads an operator such as `==`, `<` or `contains`: a run of signs, or a word.
  mutating func comparison() -> Spelled? {
    skipSpaces()
    return signs() ?? word()
  }
}
