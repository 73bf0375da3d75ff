// Where long names break a line, as the formatter demands: generated code is formatted code.
import ModelSchema

extension SwiftPrinter {
  /// `head: ModelRuntime.protocolName { … }`
  func printConformingType(
    _ head: String, _ protocolName: String, _ printer: inout CodePrinter, _ body: (inout CodePrinter) -> Void
  ) {
    let line = "\(head): ModelRuntime.\(protocolName)"
    if printer.fits(line + " {") { return printer.block(line, body) }
    if printer.fits(line) {
      printer.line(line)
    } else {
      printer.line("\(head): ModelRuntime")
      printer.indented { $0.indented { $0.line(".\(protocolName)") } }
    }
    printer.line("{")
    printer.indented(body)
    printer.line("}")
  }

  /// `head type`, then a brace where a block follows.
  func printTyped(_ head: String, _ type: String, opensBlock: Bool = false, _ printer: inout CodePrinter) {
    let line = "\(head) \(type)"
    if opensBlock, printer.fits(line + " {") { return printer.line(line + " {") }
    if printer.fits(line) {
      printer.line(line)
    } else {
      printer.line(head)
      printer.indented { printType(type, deeper: true, &$0) }
    }
    if opensBlock { printer.line("{") }
  }

  /// A type on lines of its own, with the text that follows it.
  private func printType(_ type: String, tail: String = "", deeper: Bool, _ printer: inout CodePrinter) {
    let set = "ModelRuntime.SortedSet<"
    if printer.fits(type + tail) { return printer.line(type + tail) }
    if type.hasPrefix(set) {
      let element = String(type.dropFirst(set.count).dropLast())
      printer.line(set)
      printer.indented { printMember(element, deeper: true, &$0) }
      printer.line(">" + tail)
    } else {
      printMember(type, tail: tail, deeper: deeper, &printer)
    }
  }

  /// `Model.Nested`, broken before its first dot where it is too long.
  func printMember(_ text: String, tail: String = "", deeper: Bool, _ printer: inout CodePrinter) {
    guard !printer.fits(text + tail), let dot = text.firstIndex(of: ".") else { return printer.line(text + tail) }
    printer.line(String(text[..<dot]))
    if deeper {
      printer.indented { $0.line(text[dot...] + tail) }
    } else {
      printer.line(text[dot...] + tail)
    }
  }

  /// `name: type = value`
  func parameter(_ name: String, _ type: String, _ value: String?) -> CodeArgument {
    let text = "\(name): \(type)\(value.map { " = " + $0 } ?? "")"
    return CodeArgument(text) { printer, comma in
      if let value, printer.fits("\(name): \(type) =") {
        printer.line("\(name): \(type) =")
        printer.indented { $0.line(value + comma) }
        return
      }
      printer.line("\(name):")
      printer.indented { printer in
        let last = type.firstIndex(of: ".").map { String(type[$0...]) } ?? type
        let tail = (value.map { " = " + $0 } ?? "") + comma
        if let value, !type.hasPrefix("ModelRuntime."), !printer.fits(last + tail) {
          printType(type, tail: " =", deeper: false, &printer)
          printer.line(value + comma)
        } else {
          printType(type, tail: tail, deeper: false, &printer)
        }
      }
    }
  }

  /// `label: value`, on two lines where it does not fit one.
  func labelled(_ text: String) -> CodeArgument {
    CodeArgument(text) { printer, comma in
      guard let colon = text.firstRange(of: ": ") else { return printer.line(text + comma) }
      printer.line(text[..<colon.lowerBound] + ":")
      printer.indented { printChain(String(text[colon.upperBound...]), tail: comma, deeper: false, &$0) }
    }
  }

  /// `first.second.third`, with as many on a line as fit.
  func printChain(_ text: String, tail: String = "", deeper: Bool, _ printer: inout CodePrinter) {
    guard !printer.fits(text + tail) else { return printer.line(text + tail) }
    var lines: [String] = []
    for (index, part) in text.split(separator: ".").enumerated() {
      let part = (index == 0 ? "" : ".") + part
      if let last = lines.last, printer.fits(last + part + tail) {
        lines[lines.count - 1] += part
      } else {
        lines.append(part)
      }
    }
    let rest = lines.dropFirst().map { $0 == lines.last ? $0 + tail : $0 }
    printer.line(lines[0])
    if deeper { printer.indented { $0.lines(rest) } } else { printer.lines(rest) }
  }

  /// `self.name = value`
  func printAssignment(_ name: String, _ value: String, _ printer: inout CodePrinter) {
    let line = "self.\(name) = \(value)"
    if printer.fits(line) { return printer.line(line) }
    printer.line("self.\(name) =")
    printer.indented { $0.line(value) }
  }

  /// `head { expression }`
  func printComputed(_ head: String, _ expression: String, _ printer: inout CodePrinter) {
    let line = "\(head) { \(expression) }"
    if printer.fits(line) { return printer.line(line) }
    printer.block(head) { $0.line(expression) }
  }

  func printDeprecation(_ reason: String, _ printer: inout CodePrinter) {
    if reason.isEmpty { return printer.line("@available(*, deprecated)") }
    let message = SwiftText.literal(reason)
    let line = "@available(*, deprecated, message: \(message))"
    if printer.fits(line) { return printer.line(line) }
    printer.line("@available(")
    printer.indented { printer in
      printer.line("*, deprecated,")
      if printer.fits("message: \(message)") { return printer.line("message: \(message)") }
      printer.line("message:")
      printer.indented { $0.line(message) }
    }
    printer.line(")")
  }
}
