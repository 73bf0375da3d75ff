// Prints a struct. A merge replaces structs whole, so all fields can be set.
import ModelSchema

extension SwiftPrinter {
  func printStruct(_ declaration: StructDeclaration, _ converted: ConversionPrinter, _ printer: inout CodePrinter) {
    let fields = declaration.fields
    printer.lines(SwiftText.documentation(declaration.doc))
    printer.block("\(access) nonisolated struct \(declaration.swiftName): ModelSupport.ModelStruct") { printer in
      printStructBody(name: declaration.name, fields, readOnly: [], converted, &printer)
    }
  }

  /// Prints the members of a struct or an ephemeral model.
  func printStructBody(
    name: String, _ fields: [FieldDeclaration], readOnly: Set<String>, _ converted: ConversionPrinter,
    _ printer: inout CodePrinter
  ) {
    printProperties(fields, readOnly: readOnly, converted, &printer)
    printer.line()
    printer.list("\(access) init", parameters(fields, converted), tail: " {")
    printer.indented { printAssignments(fields, converted, &$0) }
    printer.line("}")
    printer.line()
    printer.line("// What decoding starts from: declared defaults and zeros.")
    printZero(fields, converted, &printer)
    printer.line()
    printFieldTable(name: name, fields, converted, &printer)
    converted.printProperties(fields, &printer)
    printDeprecatedProperties(fields, readOnly: readOnly, &printer)
  }

  /// Prints `zero`. It passes only the arguments that have no default.
  private func printZero(
    _ fields: [FieldDeclaration], _ converted: ConversionPrinter, _ printer: inout CodePrinter
  ) {
    let given = fields.filter { defaultText($0) == nil && !converted.isSource($0) }
    let arguments = given.map { "\($0.name): \(zeroText($0))" }
    guard !converted.conversions.isEmpty else {
      return printer.list("\(access) static var zero: Self { Self", arguments, tail: " }")
    }
    // The initialiser writes what older apps read. Zero has nothing at all.
    printer.block("\(access) static var zero: Self") { printer in
      printer.list("var zero = Self", arguments)
      for field in fields where converted.isConverted(field) {
        printer.line("zero.\(converted.storage(field)) = \(converted.storedZero(field))")
      }
      printer.line("return zero")
    }
  }
}
