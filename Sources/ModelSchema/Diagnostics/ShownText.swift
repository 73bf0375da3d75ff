// Makes text from a schema safe to show. Characters that could move the cursor, change colours or reverse the line
// become escapes, and carets stay under the characters that they mark.

public enum ShownText {
  /// Longer lines are cut around the range, so that a file without line ends does not flood the terminal.
  private static let mostColumns = 160

  struct Excerpt {
    var line: String
    var padding: String
    var carets: Int
  }

  /// `start` and `end` are columns of `line`, counted from 1 in Unicode scalars; `end` is behind the last character.
  static func excerpt(_ line: String, start: Int, end: Int) -> Excerpt {
    var shown = ""
    var padding = 0
    var carets = 0
    let firstColumn = start > mostColumns ? start - mostColumns / 2 : 1
    if firstColumn > 1 {
      shown = "…"
      padding = 1
    }
    for (index, scalar) in line.unicodeScalars.enumerated() {
      let column = index + 1
      if column < firstColumn { continue }
      if column >= firstColumn + mostColumns {
        shown += "…"
        break
      }
      let text = escaped(scalar)
      shown += text
      let columns = scalar == "\t" || text.unicodeScalars.count > 1 ? text.unicodeScalars.count : width(scalar)
      if column < start { padding += columns } else if column < end { carets += columns }
    }
    return Excerpt(line: shown, padding: String(repeating: " ", count: padding), carets: max(carets, 1))
  }

  public static func escaped(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isHostile) else { return text }
    return text.unicodeScalars.reduce(into: "") { $0 += escaped($1) }
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    if scalar == "\t" { return "  " }
    return isHostile(scalar) ? "\\u{\(String(scalar.value, radix: 16, uppercase: true))}" : String(scalar)
  }

  private static func isHostile(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
    default: false
    }
  }

  /// The columns that a terminal uses for a character: 0 for combining marks, 2 for wide East Asian characters and
  /// emoji.
  private static func width(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x20...0x7E: return 1
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF, 0x20000...0x3FFFD:
      return 2
    default: break
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    default: return 1
    }
  }
}
