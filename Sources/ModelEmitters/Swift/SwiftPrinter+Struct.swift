// Prints a struct. A merge replaces structs whole, so all fields can be set.
import ModelSchema

extension SwiftPrinter {
  func printStruct(_ declaration: StructDeclaration, _ printer: inout CodePrinter) {
    let fields = declaration.fields
    printer.lines(SwiftText.documentation(declaration.doc))
    printer.block("\(access) nonisolated struct \(declaration.swiftName): ModelSupport.ModelStruct") { printer in
      printProperties(fields, readOnly: [], &printer)
      printer.line()
      printer.list("\(access) init", parameters(fields), tail: " {")
      printer.indented { printAssignments(fields, &$0) }
      printer.line("}")
      printer.line()
      printer.line("// What decoding starts from: declared defaults and zeros.")
      printZero(fields, &printer)
      printer.line()
      printFieldTable(name: declaration.name, fields, &printer)
      printDeprecatedProperties(fields, readOnly: [], &printer)
    }
  }

  /// Prints `zero`. It passes only the arguments that have no default.
  private func printZero(_ fields: [FieldDeclaration], _ printer: inout CodePrinter) {
    let arguments = fields.filter { defaultText($0) == nil }.map { "\($0.name): \(zeroText($0))" }
    printer.list("\(access) static var zero: Self { Self", arguments, tail: " }")
  }
}
