// Prints the parts that models and structs share: stored properties, initialisers, the field table.
import ModelSchema

extension SwiftPrinter {
  func printProperties(
    _ fields: [FieldDeclaration], readOnly: Set<String>, _ converted: ConversionPrinter, _ printer: inout CodePrinter
  ) {
    for field in fields {
      if converted.isConverted(field) {
        printer.line("var \(converted.storage(field)): \(converted.storedType(field))")
        continue
      }
      let type = typeText(field.type)
      let setter = readOnly.contains(field.name) ? "private(set) " : ""
      if field.deprecated != nil {
        // Lists in other files read it, without the warning that the field itself gives.
        printer.line("\(setter)var \(storageName(field)): \(type)")
        continue
      }
      printer.lines(SwiftText.documentation(field.doc))
      printer.line("\(access) \(setter)var \(SwiftText.name(field.name)): \(type)")
    }
    printer.line("/// Fields that a newer schema declares; kept, and written again.")
    printer.line("\(access) var unknownFields: ModelSupport.UnknownFields")
  }

  /// Prints a deprecated computed property for each deprecated field, whose stored property has another name.
  func printDeprecatedProperties(
    _ fields: [FieldDeclaration], readOnly: Set<String>, _ printer: inout CodePrinter
  ) {
    for field in fields {
      guard let reason = field.deprecated else { continue }
      printer.line()
      printer.lines(SwiftText.documentation(field.doc))
      printDeprecation(reason, &printer)
      printer.line("\(access) var \(SwiftText.name(field.name)): \(typeText(field.type)) {")
      printer.indented { printer in
        if readOnly.contains(field.name) {
          printer.line("self.\(storageName(field))")
        } else {
          printer.line("get { self.\(storageName(field)) }")
          printer.line("set { self.\(storageName(field)) = newValue }")
        }
      }
      printer.line("}")
    }
  }

  private func printDeprecation(_ reason: String, _ printer: inout CodePrinter) {
    let message = reason.isEmpty ? "" : ", message: \(SwiftText.literal(reason))"
    printer.line("@available(*, deprecated\(message))")
  }

  /// Parameters for all fields but those that are written with others. Those of the `required` fields have no default.
  func parameters(
    _ fields: [FieldDeclaration], required: Set<String> = [], _ converted: ConversionPrinter
  ) -> [String] {
    fields.filter { !converted.isSource($0) }.map {
      parameter($0.name, typeText($0.type), required.contains($0.name) ? nil : defaultText($0))
    }
  }

  /// The text `name: type = value`, or `name: type` without a value.
  func parameter(_ name: String, _ type: String, _ value: String? = nil) -> String {
    "\(name): \(type)\(value.map { " = " + $0 } ?? "")"
  }

  func printAssignments(_ fields: [FieldDeclaration], _ converted: ConversionPrinter, _ printer: inout CodePrinter) {
    for field in fields {
      let value = converted.isConverted(field) ? converted.storedZero(field) : SwiftText.name(field.name)
      printer.line("self.\(converted.storage(field)) = \(value)")
    }
    printer.line("self.unknownFields = .none")
    for field in fields where converted.isConverted(field) && !converted.isSource(field) {
      printer.line("self.\(storageName(field)) = \(SwiftText.name(field.name))")
    }
  }

  func printZeroAssignments(
    _ fields: [FieldDeclaration], _ converted: ConversionPrinter, _ printer: inout CodePrinter
  ) {
    for field in fields {
      let zero = converted.isConverted(field) ? converted.storedZero(field) : zeroText(field)
      printer.line("self.\(converted.storage(field)) = \(zero)")
    }
    printer.line("self.unknownFields = .none")
  }

  /// Prints the table that the codec engine walks, sorted by tag.
  func printFieldTable(
    name: String, _ fields: [FieldDeclaration], _ converted: ConversionPrinter, _ printer: inout CodePrinter
  ) {
    printer.line("\(access) static let fieldTable = ModelSupport.FieldTable(")
    printer.indented { printer in
      let ordered = fields.sorted { $0.tag < $1.tag }
      printer.line("\"\(name)\", unknownFields: \\Self.unknownFields" + (ordered.isEmpty ? "" : ","))
      let wholes = converted.wholes.map { "[\($0.map { SwiftText.grouped(String($0)) }.joined(separator: ", "))]" }
      if !wholes.isEmpty { printer.line("wholes: [\(wholes.joined(separator: ", "))],") }
      for (index, field) in ordered.enumerated() {
        let comma = index + 1 < ordered.count ? "," : ""
        printer.list("ModelSupport.Field", tableArguments(field, converted), tail: comma)
      }
    }
    printer.line(")")
  }

  /// The arguments of a row: tag, name and property.
  func tableArguments(_ field: FieldDeclaration, _ converted: ConversionPrinter) -> [String] {
    let label = field.type.base == .counter ? "counter: " : ""
    let property = "\(label)\\Self.\(converted.storage(field))"
    let shown = converted.isConverted(field) ? ["shown: \\Self.\(converted.accessor(field))"] : []
    return [SwiftText.grouped(String(field.tag)), "\"\(field.name)\"", property] + shown
  }
}
