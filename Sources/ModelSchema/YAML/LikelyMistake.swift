// Finds the mistake behind a syntax error. YAML often stops a line later, or for a reason that does not help the
// author.

/// A typing mistake that explains a syntax error, and its place.
struct LikelyMistake {
  var words: String
  /// Line and column count from 1; columns count Unicode scalars.
  var place: SourcePosition
  /// What is written otherwise on this line, where the author can have meant nothing else.
  var correction: Correction?

  /// A part of a line, and the text that takes its place. The range counts Unicode scalars from 0.
  typealias Correction = (range: Range<Int>, text: String)

  /// Looks for known mistakes in the lines around a syntax error; nil where there is none.
  static func behind(_ error: YAMLSyntaxError, in lines: SourceLines) -> LikelyMistake? {
    let last = error.position.line
    let before = (1..<max(last, 1)).last { lines.text(ofLine: $0)?.contains { !$0.isWhitespace } ?? false }
    for number in Set([error.contextPosition?.line, before, last].compactMap(\.self)).sorted() {
      guard let text = lines.text(ofLine: number) else { continue }
      if let (words, index, correction) = Line(text).mistake(isLast: number == last) {
        return LikelyMistake(
          words: words, place: SourcePosition(line: number, column: index + 1), correction: correction)
      }
    }
    return nil
  }

  /// The `:` in `title:string = 1`, which YAML reads as one text. `index` counts Unicode scalars from 0.
  static func missingSpace(in text: String) -> (words: String, index: Int, correction: Correction?)? {
    Line(text).missingSpace
  }

  /// A line as an array of Unicode scalars.
  private struct Line {
    private let text: [Unicode.Scalar]
    private let start: Int

    init(_ text: String) {
      self.text = Array(text.unicodeScalars)
      start = self.text.firstIndex { $0 != " " } ?? self.text.count
    }

    typealias Mistake = (words: String, index: Int, correction: Correction?)

    func mistake(isLast: Bool) -> Mistake? {
      if Self.mergeMarks.contains(where: begins(with:)) {
        return ("This line is left over from a merge: keep one of the two sides, and delete the marks.", start, nil)
      }
      if begins(with: "//") { return ("A comment begins with `#`.", start, (start..<start + 2, "#")) }
      if let missing = missingSpace { return missing }
      guard let value else { return nil }
      if text[value] == "[", let end = text.lastIndex(of: "]"), text[end...].contains("=") {
        return ("A list of values is `list(TYPE) = TAG`, and a set is `set(TYPE) = TAG`.", value, nil)
      }
      guard isLast, !Self.openings.contains(text[value]), let colon = secondColon(behind: value) else { return nil }
      return ("A value cannot contain `: `: put a text that has one in quotes.", colon, nil)
    }

    var missingSpace: Mistake? {
      guard let colon, colon + 1 < text.count, text[colon + 1] != " " else { return nil }
      let next = text[colon + 1]
      let isLookalike = next != "\t" && next.properties.isWhitespace
      let code = String(next.value, radix: 16, uppercase: true)
      let name = "U+" + String(repeating: "0", count: max(0, 4 - code.count)) + code
      return (
        "A space is missing after this `:`" + (isLookalike ? "; \(name) only looks like one." : "."), colon,
        (colon + 1..<colon + (next.properties.isWhitespace ? 2 : 1), " ")
      )
    }

    /// The index of the `:` behind the key.
    private var colon: Int? {
      guard let colon = text[start...].firstIndex(of: ":"), colon > start else { return nil }
      return text[start..<colon].allSatisfy(Self.isOfKey) ? colon : nil
    }

    private static func isOfKey(_ character: Unicode.Scalar) -> Bool {
      switch character {
      case "a"..."z", "A"..."Z", "0"..."9", "_": true
      default: false
      }
    }

    private var value: Int? { colon.flatMap { colon in text[(colon + 1)...].firstIndex { $0 != " " } } }

    private func secondColon(behind value: Int) -> Int? {
      text.indices[value...].first { text[$0] == ":" && ($0 + 1 == text.count || text[$0 + 1] == " ") }
    }

    private func begins(with mark: String) -> Bool { text[start...].starts(with: mark.unicodeScalars) }

    private static let mergeMarks = ["<<<<<<<", "=======", ">>>>>>>"]
    /// Values in quotes, brackets and blocks may contain colons. Behind `#` is a comment.
    private static let openings: Set<Unicode.Scalar> = ["\"", "'", "[", "{", "|", ">", "#"]
  }
}
