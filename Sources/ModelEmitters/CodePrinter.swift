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

  /// Whether `line` would stay within the length of a line here.
  func fits(_ line: String) -> Bool {
    indentation.utf8.count + line.utf8.count <= Self.lineLength
  }

  /// `head(arguments)tail`, on one line where it fits, else an argument a line.
  mutating func list(_ head: String, _ arguments: [CodeArgument], tail: String = "") {
    let joined = "\(head)(\(arguments.map(\.text).joined(separator: ", ")))\(tail)"
    if fits(joined) { return line(joined) }
    line("\(head)(")
    indented { printer in
      for (index, argument) in arguments.enumerated() {
        let comma = index + 1 < arguments.count ? "," : ""
        if printer.fits(argument.text + comma) {
          printer.line(argument.text + comma)
        } else {
          argument.broken(&printer, comma)
        }
      }
    }
    line(")\(tail)")
  }
}

/// An argument or parameter, and how it is broken where even a line of its own is too short.
struct CodeArgument {
  var text: String
  /// Prints the argument with the text that follows it.
  var broken: (inout CodePrinter, String) -> Void

  init(_ text: String, broken: ((inout CodePrinter, String) -> Void)? = nil) {
    self.text = text
    self.broken = broken ?? { printer, comma in printer.line(text + comma) }
  }
}
