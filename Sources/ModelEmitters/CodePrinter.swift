// Text that grows line by line, with indentation: what every emitter writes into.

/// Collects the lines of one file; each block is two spaces deeper than what is around it.
struct CodePrinter {
  static let lineLength = 120

  private(set) var text = ""
  private var indentation = ""

  mutating func line(_ line: String = "") {
    if !line.isEmpty {
      text += indentation
      text += line
    }
    text += "\n"
  }

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

  /// `head(items)tail`, on one line where it fits, else an item a line.
  mutating func list(_ head: String, _ items: [String], tail: String = "") {
    let joined = items.joined(separator: ", ")
    let length = indentation.count + head.count + joined.count + tail.count + 2
    if length <= Self.lineLength {
      line("\(head)(\(joined))\(tail)")
      return
    }
    line("\(head)(")
    indented { printer in
      for (index, item) in items.enumerated() {
        printer.line(index + 1 < items.count ? item + "," : item)
      }
    }
    line(")\(tail)")
  }
}
