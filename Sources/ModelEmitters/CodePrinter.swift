// The text buffer of every emitter: it grows line by line and keeps the indentation.

/// Collects the lines of one file. Each block is indented by two more spaces than the code around it.
struct CodePrinter {
  private(set) var text = ""
  private var indentation = ""

  mutating func line(_ line: String = "") {
    if !line.isEmpty {
      text += indentation
      text += line
    }
    text += "\n"
  }

  /// Appends lines that were printed by another `CodePrinter`, unchanged.
  mutating func written(_ lines: String) { text += lines }

  mutating func lines(_ lines: [String]) {
    for line in lines { self.line(line) }
  }

  mutating func indented(_ body: (inout CodePrinter) -> Void) {
    indentation += "  "
    body(&self)
    indentation.removeLast(2)
  }

  /// Prints `head {`, the indented body and `}`.
  mutating func block(_ head: String, _ body: (inout CodePrinter) -> Void) {
    line(head + " {")
    indented(body)
    line("}")
  }

  /// Prints `head(items)tail` on one line, or one item a line where that line would be too long. No other call breaks a
  /// line.
  mutating func list(_ head: String, _ items: [String], in brackets: (String, String) = ("(", ")"), tail: String = "") {
    let joined = head + brackets.0 + items.joined(separator: ", ") + brackets.1 + tail
    guard items.count > 1, indentation.utf8.count + joined.utf8.count > Self.longList else { return line(joined) }
    line(head + brackets.0)
    indented { printer in
      for item in items.dropLast() { printer.line(item + ",") }
      printer.line(items[items.count - 1])
    }
    line(brackets.1 + tail)
  }

  /// In UTF-8 bytes, indentation included.
  private static let longList = 120
}
