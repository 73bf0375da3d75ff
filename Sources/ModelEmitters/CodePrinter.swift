// Text that grows line by line, with indentation: what every emitter writes into.

/// Collects the lines of one file; each block is two spaces deeper than what is around it.
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

  /// Lines that were written elsewhere, as they are.
  mutating func written(_ lines: String) { text += lines }

  mutating func lines(_ lines: [String]) {
    for line in lines { self.line(line) }
  }

  mutating func indented(_ body: (inout CodePrinter) -> Void) {
    indentation += "  "
    body(&self)
    indentation.removeLast(2)
  }

  /// `head {` … `}`
  mutating func block(_ head: String, _ body: (inout CodePrinter) -> Void) {
    line(head + " {")
    indented(body)
    line("}")
  }

  /// `head(items)tail`, or an item a line where there are many, or long ones. Nothing else ever breaks a line.
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

  /// In characters.
  private static let longList = 120
}
