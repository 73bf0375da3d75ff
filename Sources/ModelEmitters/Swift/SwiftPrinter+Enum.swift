// Prints an enum with an `unknown` case, because a newer schema may send numbers that this one does not know.
import ModelSchema

extension SwiftPrinter {
  func printEnum(_ declaration: EnumDeclaration, _ printer: inout CodePrinter) {
    printer.lines(SwiftText.documentation(declaration.doc))
    printer.block("\(access) nonisolated enum \(declaration.swiftName): ModelSupport.ModelEnum") { printer in
      for item in declaration.cases {
        printer.lines(SwiftText.documentation(item.doc))
        printer.line("case \(SwiftText.name(item.name))")
      }
      printer.line("/// A number that only a newer schema declares.")
      printer.line("case unknown(Swift.Int32)")
      printer.line()
      let cases = declaration.cases.map { ".\($0.name)" }
      printer.line("/// All but `unknown`, in the order of the schema.")
      printer.list("\(access) static let knownCases: [Self] = ", cases, in: ("[", "]"))
      printer.line()
      printNumbers(declaration, &printer)
      printer.line()
      printer.block("\(access) static func == (left: Self, right: Self) -> Swift.Bool") {
        $0.line("left.rawValue == right.rawValue")
      }
      printer.line()
      printer.block("\(access) func hash(into hasher: inout Swift.Hasher)") {
        $0.line("hasher.combine(self.rawValue)")
      }
    }
  }

  private func printNumbers(_ declaration: EnumDeclaration, _ printer: inout CodePrinter) {
    printer.block("\(access) init(rawValue: Swift.Int32)") { printer in
      printer.line("switch rawValue {")
      for item in declaration.cases {
        printer.line("case \(SwiftText.grouped(String(item.number))): self = .\(item.name)")
      }
      printer.line("default: self = .unknown(rawValue)")
      printer.line("}")
    }
    printer.line()
    printer.block("\(access) var rawValue: Swift.Int32") { printer in
      printer.line("switch self {")
      for item in declaration.cases { printer.line("case .\(item.name): \(SwiftText.grouped(String(item.number)))") }
      printer.line("case .unknown(let number): number")
      printer.line("}")
    }
  }
}
