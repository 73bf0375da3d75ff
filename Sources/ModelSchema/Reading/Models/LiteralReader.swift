// Reads literals as values of a known type.

struct LiteralReader {
  let names: NameTable
  let findings: Findings
  /// The rules that are reported for a literal of another type, and for one out of bounds.
  var typeRule = Rule.defaultType
  var rangeRule = Rule.defaultRange

  /// Advice in the message for `null`.
  var nullHint = ": a field without `default:` begins at its zero, one with `?` begins absent"

  /// Whether `$word` is valid at this place. If so, a missing `$` is suggested.
  var isVariable: (String) -> Bool = { _ in false }

  /// Whether the text is YAML's null. The name of an enum's case is not.
  static func isNull(_ text: String, names: NameTable, as type: BaseType) -> Bool {
    guard ["null", "Null", "NULL", "~"].contains(text) else { return false }
    guard case .enumeration(let name) = type else { return true }
    return !names.hasCase(text, in: name)
  }

  /// Reports a text that is no value of `type`, and returns nil. Quoted text is a string only.
  func read(_ spelled: Spelled, style: YAMLScalarStyle, as type: BaseType) -> Literal? {
    guard style == .plain else {
      if type == .string { return .string(spelled.text) }
      findings.report(
        typeRule, "In quotes this is a text, not a value of the type \(type.shown).", at: spelled.range,
        replacement: spelled.text.isEmpty ? nil : spelled.text)
      return nil
    }
    if Self.isNull(spelled.text, names: names, as: type) {
      findings.report(typeRule, "`\(spelled.text)` is not a value\(nullHint).", at: spelled.range)
      return nil
    }
    switch type {
    case .string: return .string(spelled.text)
    case .bool:
      if spelled.text == "true" || spelled.text == "false" { return .bool(spelled.text == "true") }
      reportType(spelled, type, Self.flag(spelled.text))
    case .int32: return integer(spelled, type, Int64(Int32.min)...Int64(Int32.max))
    case .uint32: return integer(spelled, type, 0...Int64(UInt32.max))
    case .int64, .counter: return integer(spelled, type, Int64.min...Int64.max)
    case .uint64:
      let number = WholeNumber.read(spelled.text, as: UInt64.self)
      if let number, number > UInt64(Int64.max) { return .unsigned(number) }
      return integer(spelled, type, 0...Int64.max)
    case .float, .double: return real(spelled, type)
    case .enumeration(let name):
      if names.hasCase(spelled.text, in: name) { return .enumCase(spelled.text) }
      let cases = names.cases(of: name).map(\.name)
      let nearest = findings.suggests ? Suggestion.nearest(to: spelled.text, among: cases) : nil
      reportType(spelled, type, nearest, isCertain: Suggestion.isCertain(nearest, for: spelled.text, among: cases))
    case .data, .uuid, .timestamp, .file, .userReference, .reference, .structure:
      findings.report(
        typeRule, "A value of the type \(type.shown) cannot be written as a literal.", at: spelled.range,
        replacement: isVariable(spelled.text) ? "$" + spelled.text : nil)
    }
    return nil
  }

  /// The flag that the text most likely means: a word of another dialect of YAML, or a misspelt one.
  private static func flag(_ text: String) -> String? {
    switch text.lowercased() {
    case "yes", "on", "y", "1": "true"
    case "no", "off", "n", "0": "false"
    default: Suggestion.nearest(to: text, among: ["true", "false"])
    }
  }

  private func integer(_ spelled: Spelled, _ type: BaseType, _ bounds: ClosedRange<Int64>) -> Literal? {
    guard WholeNumber.isOne(spelled.text) else {
      reportType(spelled, type, nil)
      return nil
    }
    guard let number = Int64(spelled.text), bounds.contains(number) else {
      findings.report(rangeRule, "\(spelled.text) is out of the bounds of \(type.shown).", at: spelled.range)
      return nil
    }
    return .integer(number)
  }

  private func real(_ spelled: Spelled, _ type: BaseType) -> Literal? {
    let isDecimal = spelled.text.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }
    guard isDecimal, let number = Double(spelled.text) else {
      reportType(spelled, type, nil)
      return nil
    }
    let kept = type == .double ? number : Double(Float(number))
    let mantissa = spelled.text.prefix { $0 != "e" && $0 != "E" }
    let isLost = kept == 0 && mantissa.contains { $0 >= "1" && $0 <= "9" }
    guard kept.isFinite, !isLost else {
      findings.report(rangeRule, "\(spelled.text) is out of the bounds of \(type.shown).", at: spelled.range)
      return nil
    }
    return .double(number)
  }

  private func reportType(
    _ spelled: Spelled, _ type: BaseType, _ replacement: @autoclosure () -> String?, isCertain: Bool = true
  ) {
    let isVariable = isVariable(spelled.text)
    findings.report(
      typeRule, "`\(spelled.text)` is not a value of the type \(type.shown).", at: spelled.range,
      replacement: isVariable ? "$" + spelled.text : replacement(), isCertain: isVariable || isCertain)
  }
}

extension BaseType {
  /// The type as a schema writes it, in backticks.
  var shown: String {
    switch self {
    case .userReference: "`ref(user)`"
    case .reference(let model): "`ref(\(model))`"
    case .structure(let name), .enumeration(let name): "`\(name.name)`"
    default: "`\(self)`"
    }
  }
}

extension FieldType {
  /// The type as a schema writes it, in backticks.
  var shown: String {
    let inner = base.shown.dropFirst().dropLast()
    return switch position {
    case .single: "`\(inner)`"
    case .optional: "`\(inner)?`"
    case .list: "`list(\(inner))`"
    case .set: "`set(\(inner))`"
    }
  }
}
