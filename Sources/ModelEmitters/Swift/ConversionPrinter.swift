// Prints fields that are converted: what the bytes say is stored, and properties read and write it
// (docs/formats/blob-format.md, "Conversions").
import ModelSchema

/// Prints the converted fields of one model or struct, into its type or into the fields that a list reads.
struct ConversionPrinter {
  let printer: SwiftPrinter
  /// The Swift type that has the functions of the app.
  let owner: String
  let conversions: [Conversion]
  /// A list only reads, and calls deprecated fields by their own names too.
  let isList: Bool

  init(_ printer: SwiftPrinter, of fields: [FieldDeclaration], owner: String, isList: Bool = false) {
    self.printer = printer
    self.owner = owner
    self.conversions = Conversion.all(in: fields)
    self.isList = isList
  }

  func isConverted(_ field: FieldDeclaration) -> Bool { !field.from.isEmpty || isSource(field) }

  /// Whether another field is read from this one, so that it is written with that one only.
  func isSource(_ field: FieldDeclaration) -> Bool { conversions.contains { $0.sources.contains(field) } }

  /// The property that holds what the bytes say. No field has such a name.
  func storage(_ field: FieldDeclaration) -> String { isConverted(field) ? "__" + field.name : accessor(field) }

  /// The property that converts.
  func accessor(_ field: FieldDeclaration) -> String { isList ? field.name : printer.storageName(field) }

  /// Whether a patch has the field whenever it has others of its conversions.
  func isWhole(_ field: FieldDeclaration) -> Bool {
    conversions.contains { $0.isWhole && ($0.sources + $0.targets).contains(field) }
  }

  /// A single value is stored as an optional: absence counts.
  func storedType(_ field: FieldDeclaration) -> String {
    field.type.position == .single ? printer.baseText(field.type.base) + "?" : printer.typeText(field.type)
  }

  func storedZero(_ field: FieldDeclaration) -> String { field.type.position.isMany ? "[]" : "nil" }

  /// The fields of all conversions that the field takes part in, directly or through others.
  func linked(to field: FieldDeclaration) -> [FieldDeclaration] { linked(to: field, by: conversions) }

  /// The tags of fields that are written together.
  var wholes: [[Int]] {
    let whole = conversions.filter(\.isWhole)
    var seen: Set<FieldDeclaration> = []
    return whole.compactMap { conversion in
      let fields = linked(to: conversion.targets[0], by: whole)
      guard seen.isDisjoint(with: fields) else { return nil }
      seen.formUnion(fields)
      return fields.map(\.tag)
    }
  }

  private func linked(to field: FieldDeclaration, by conversions: [Conversion]) -> [FieldDeclaration] {
    var fields = [field]
    var count = 0
    while count < fields.count {
      count = fields.count
      for conversion in conversions {
        let all = conversion.sources + conversion.targets
        if all.contains(where: fields.contains) { fields += all.filter { !fields.contains($0) } }
      }
    }
    return fields.sorted { $0.tag < $1.tag }
  }
}

// Properties.
extension ConversionPrinter {
  /// Prints a property for each converted field, and a pair of values for what one function makes.
  func printProperties(_ fields: [FieldDeclaration], _ output: inout CodePrinter) {
    for conversion in conversions where conversion.targets.count > 1 {
      guard conversion.targets.allSatisfy(fields.contains) else { continue }
      output.line()
      printParts(conversion, &output)
    }
    for field in fields where isConverted(field) {
      output.line()
      let isShown = !isList && field.deprecated == nil
      if isShown { output.lines(SwiftText.documentation(field.doc)) }
      let name = isList || isShown ? SwiftText.name(field.name) : accessor(field)
      output.line("\(isShown ? printer.access + " " : "")var \(name): \(printer.typeText(field.type)) {")
      output.indented { output in
        guard !isList else { return printGetter(field, &output) }
        output.block("get") { printGetter(field, &$0) }
        output.block("set") { printSetter(field, &$0) }
      }
      output.line("}")
    }
  }

  private func printGetter(_ field: FieldDeclaration, _ output: inout CodePrinter) {
    guard let conversion = conversions.first(where: { $0.targets.contains(field) }) else {
      return output.line(storedValue(field))
    }
    if conversion.targets.count > 1 { return output.line("self.\(partsName(conversion)).\(field.name)") }
    if field.type.position == .set { return output.line(forward(conversion)) }
    let value = field.type.position.isMany ? stored(field) : "stored_"
    let binding = field.type.position.isMany ? "!\(stored(field)).isEmpty" : "let stored_ = \(stored(field))"
    let agreement = agreement(conversion, back(conversion, [value], isPresent: true))
    output.line("if \(binding), \(agreement) { return \(value) }")
    output.line("return \(forward(conversion))")
  }

  private func printSetter(_ field: FieldDeclaration, _ output: inout CodePrinter) {
    guard let conversion = conversions.first(where: { $0.targets.contains(field) }) else {
      return output.line("\(stored(field)) = \(storedText(field, "newValue"))")
    }
    if field.type.position == .set { return printSetter(ofSet: field, conversion, &output) }
    // A value that is assigned unchanged leaves what older apps have written as it is, also what no conversion gives.
    let isWritten = conversion.sources.map { source in
      source.type.position.isMany ? "!\(stored(source)).isEmpty" : "\(stored(source)) != nil"
    }
    output.line("if \(isWritten.joined(separator: " || ")), newValue == self.\(accessor(field)) { return }")
    let others = conversion.targets.filter { $0 != field }
    for other in others { output.line("let _\(other.name) = self.\(accessor(other))") }
    let values = conversion.targets.map { $0 == field ? "newValue" : "_" + $0.name }
    printSources(conversion, back(conversion, values, isPresent: false), &output)
    for (target, value) in zip(conversion.targets, values) {
      output.line("\(stored(target)) = \(storedText(target, value))")
    }
  }

  private func printSetter(ofSet field: FieldDeclaration, _ conversion: Conversion, _ output: inout CodePrinter) {
    let source = conversion.sources[0]
    let older = ConvertedElement(self, conversion).one
    output.list(
      "let written_ = ModelSupport.FieldConversion.write", ["newValue", "over: \(stored(field))", "and: \(older)"])
    output.line(
      "self.\(accessor(source)) = \(source.type.position == .single ? "written_.older ?? \(printer.zeroText(source))" : "written_.older")"
    )
    output.line("\(stored(field)) = written_.stored")
  }

  /// Prints the assignments of the older values.
  private func printSources(_ conversion: Conversion, _ value: String, _ output: inout CodePrinter) {
    guard conversion.sources.count > 1 else {
      return output.line("self.\(accessor(conversion.sources[0])) = \(value)")
    }
    output.line("let old_ = \(value)")
    for source in conversion.sources { output.line("self.\(accessor(source)) = old_.\(source.name)") }
  }

  /// Prints the values that one function makes: the stored ones, while the older ones agree with them.
  private func printParts(_ conversion: Conversion, _ output: inout CodePrinter) {
    let type = tupleType(conversion.targets)
    output.block("\(isList ? "" : "private ")var \(partsName(conversion)): \(type)") { output in
      let isAnyStored = conversion.targets.map { field in
        field.type.position.isMany ? "!\(stored(field)).isEmpty" : "\(stored(field)) != nil"
      }
      output.block("if \(isAnyStored.joined(separator: " || "))") { output in
        let values = conversion.targets.map { "\($0.name): \(storedValue($0))" }
        output.line("let stored_ = (\(values.joined(separator: ", ")))")
        let parts = conversion.targets.map { "stored_.\($0.name)" }
        output.line("if \(agreement(conversion, back(conversion, parts, isPresent: false))) { return stored_ }")
      }
      output.line("return \(forward(conversion))")
    }
  }

  private func partsName(_ conversion: Conversion) -> String { "_\(conversion.via ?? "")" }

  func tupleType(_ fields: [FieldDeclaration]) -> String {
    if fields.count == 1 { return printer.typeText(fields[0].type) }
    return "(\(fields.map { "\($0.name): \(printer.typeText($0.type))" }.joined(separator: ", ")))"
  }

  private func stored(_ field: FieldDeclaration) -> String { "self.\(storage(field))" }

  /// What is stored, as the type that is declared.
  private func storedValue(_ field: FieldDeclaration) -> String {
    field.type.position == .single ? "\(stored(field)) ?? \(printer.zeroText(field))" : stored(field)
  }

  /// What to store for a value. An id of zeros and an enum's 0 mean absent, and are not written.
  private func storedText(_ field: FieldDeclaration, _ value: String) -> String {
    guard field.type.position == .single else { return value }
    return switch field.type.base {
    case .userReference, .reference: "\(value) == .zero ? nil : \(value)"
    case .enumeration: "\(value).rawValue == 0 ? nil : \(value)"
    default: value
    }
  }
}

// Expressions.
extension ConversionPrinter {
  /// Whether the older fields say what would be written into them.
  private func agreement(_ conversion: Conversion, _ back: String) -> String {
    guard conversion.sources.count > 1 else { return "\(back) == self.\(accessor(conversion.sources[0]))" }
    let parts = conversion.sources.map { "old_.\($0.name) == self.\(accessor($0))" }
    return "case let old_ = \(back), \(parts.joined(separator: ", "))"
  }

  /// The newer values, from the older ones.
  private func forward(_ conversion: Conversion) -> String {
    guard let via = conversion.via else { return ConvertedElement(self, conversion).forward }
    return "\(owner).\(via)(\(conversion.sources.map { "\($0.name): self.\(accessor($0))" }.joined(separator: ", ")))"
  }

  /// The older values, from newer ones. `isPresent` says that a value of an optional field is there.
  private func back(_ conversion: Conversion, _ values: [String], isPresent: Bool) -> String {
    guard let via = conversion.via else {
      return ConvertedElement(self, conversion).back(values[0], isPresent: isPresent)
    }
    let arguments = zip(conversion.targets, values).map { "\($0.name): \($1)" }
    return "\(owner).\(via)(\(arguments.joined(separator: ", ")))"
  }
}

// The functions of the app.
extension ConversionPrinter {
  /// Prints the protocol of the functions that `via:` names, so that the compiler says which one is missing.
  func printProtocol(_ output: inout CodePrinter) {
    let functions = conversions.filter { $0.via != nil }
    guard !functions.isEmpty else { return }
    output.line()
    output.block("nonisolated extension \(owner)") { output in
      output.line("/// The functions that `via:` names in the schema. Write them in an extension of `\(owner)`.")
      output.line("///")
      output.line("/// Pure and fast: reading a field may call them each time.")
      output.block("nonisolated protocol Conversions") { output in
        for (index, conversion) in functions.enumerated() {
          if index > 0 { output.line() }
          printRequirement(
            conversion, "Reads", conversion.sources, conversion.targets, ", which older apps write", &output)
          printRequirement(conversion, "Writes", conversion.targets, conversion.sources, ", for older apps", &output)
        }
      }
    }
    output.line()
    output.line("nonisolated extension \(owner): \(owner).Conversions {}")
  }

  private func printRequirement(
    _ conversion: Conversion, _ verb: String, _ given: [FieldDeclaration], _ made: [FieldDeclaration],
    _ why: String, _ output: inout CodePrinter
  ) {
    func names(_ fields: [FieldDeclaration]) -> String { fields.map { "`\($0.name)`" }.joined(separator: ", ") }
    output.line("/// \(verb) \(names(made)) from \(names(given))\(why).")

    let parameters = given.map { printer.parameter($0.name, printer.typeText($0.type)) }
    output.list("static func \(SwiftText.name(conversion.via ?? ""))", parameters, tail: " -> \(tupleType(made))")
  }
}
