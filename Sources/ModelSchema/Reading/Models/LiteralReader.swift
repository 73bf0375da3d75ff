// Literals, read as values of a known type.

struct LiteralReader {
  let names: NameTable
  let findings: Findings
  /// The rules to name where a literal has another type, or is out of bounds.
  var typeRule = Rule.ID.defaultType
  var rangeRule = Rule.ID.defaultRange

  /// Advice to an author who wrote `null`.
  var nullHint = ": a field without `default:` begins at its zero, one with `?` begins absent"

  /// Whether a word can stand behind `$` here: one that lacks it gets it as a suggestion.
  var isVariable: (String) -> Bool = { _ in false }

  /// Whether YAML means nothing by it. An enum may have a case of that name.
  static func isNull(_ text: String, names: NameTable, as type: BaseType) -> Bool {
    guard ["null", "Null", "NULL", "~"].contains(text) else { return false }
    guard case .enumeration(let name) = type else { return true }
    return !names.hasCase(text, in: name)
  }

  /// Nil and reported where `spelled` is no value of `type`. Quoted text is a string and nothing else.
  func read(_ spelled: Spelled, style: YAMLScalarStyle, as type: BaseType) -> Literal? {
    guard style == .plain else {
      if type == .string { return .string(spelled.text) }
      findings.report(
        typeRule, "In quotes this is a text, not a value of the type \(type.shown).", at: spelled.range,
        replacement: spelled.text.isEmpty ? nil : spelled.text)
      return nil
    }
    if Self.isNull(spelled.text, names: names, as: type) {
      findings.report(typeRule, "`\(spelled.text)` is no value\(nullHint).", at: spelled.range)
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
      reportType(spelled, type, Suggestion.nearest(to: spelled.text, among: names.cases(of: name).map(\.name)))
    case .data, .uuid, .timestamp, .file, .userReference, .reference, .structure:
      findings.report(
        typeRule, "There are no literals of the type \(type.shown).", at: spelled.range,
        replacement: isVariable(spelled.text) ? "$" + spelled.text : nil)
    }
    return nil
  }

  /// The word that is meant: what other dialects of YAML take for one, or one that is typed wrong.
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

  private func reportType(_ spelled: Spelled, _ type: BaseType, _ replacement: @autoclosure () -> String?) {
    findings.report(
      typeRule, "`\(spelled.text)` is not a value of the type \(type.shown).", at: spelled.range,
      replacement: replacement())
  }
}

extension BaseType {
  /// As a schema writes it.
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
  /// As a schema writes it.
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
