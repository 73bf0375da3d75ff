// A struct: replaced whole by a merge, so all its fields can be set.
import ModelSchema

extension SwiftPrinter {
  func printStruct(_ declaration: StructDeclaration, owner: ModelDeclaration?, _ printer: inout CodePrinter) {
    let fields = declaration.fields
    printer.lines(SwiftText.documentation(declaration.doc))
    printer.block("\(access) nonisolated struct \(declaration.swiftName): ModelRuntime.ModelStruct") { printer in
      printProperties(fields, readOnly: [], &printer)
      printer.line()
      printer.list("\(access) init", parameterTexts(fields), tail: " {")
      printer.indented { printAssignments(fields, &$0) }
      printer.line("}")
      printer.line()
      printer.line("// What decoding starts from: declared defaults and zeros.")
      printer.line("\(access) static var zero: Self { \(zeroCall(fields)) }")
      printer.line()
      printFieldTable(name: declaration.name, fields, &printer)
      printDeprecatedProperties(fields, readOnly: [], &printer)
    }
  }

  /// Only the parameters that the initialiser demands.
  private func zeroCall(_ fields: [FieldDeclaration]) -> String {
    let arguments = fields.filter { defaultText($0) == nil }.map { "\($0.name): \(zeroText($0))" }
    return "Self(\(arguments.joined(separator: ", ")))"
  }
}
