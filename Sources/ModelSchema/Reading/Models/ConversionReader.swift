// Reads `from:` and `via:` of fields, and checks the conversions of a model or struct.

struct ConversionReader {
  let findings: Findings
  private var kinds: KindReader { KindReader(findings: findings) }

  /// Reads the keys of one field.
  func read(_ parts: [String: YAMLPair], into field: inout DeclaredField) {
    if let node = parts["from"]?.value {
      field.from = kinds.oneOrMore(of: node, "`from:`").compactMap { kinds.plain($0, "`from:`") }
    }
    guard let pair = parts["via"], let name = kinds.plain(pair.value, "`via:`") else { return }
    NameRules(findings).check(name, as: .conversion)
    if parts["from"] == nil {
      findings.report(
        .missingKey, "`via:` converts the fields that `from:` names, and there is no `from:`.", at: pair.key.range)
    } else {
      field.via = name
    }
  }

  /// Checks the conversions among the fields of one model or struct.
  func check(_ fields: [DeclaredField]) {
    guard fields.contains(where: { !$0.from.isEmpty }) else { return }
    let byName = Dictionary(fields.map { ($0.name.text, $0) }) { first, _ in first }
    var readers: [String: DeclaredField] = [:]
    var functions: [String: DeclaredField] = [:]
    var isCircular = false
    for field in fields where !field.from.isEmpty {
      if let via = field.via { checkFunction(via, of: field, &functions, byName) }
      if field.type?.base == .counter { reportCounter(field.typeRange) }
      if field.type?.position == .set, field.via != nil { reportSet(field.typeRange) }
      for name in field.from {
        guard let source = source(name, of: field, byName) else { continue }
        if let other = readers[name.text], other.via == nil || other.via?.text != field.via?.text {
          findings.report(
            .conversionSource,
            "`\(name.text)` is converted to `\(other.name.text)` already: one field replaces another.",
            at: name.range, related: [.init(message: "That is here.", location: other.name.range)])
        }
        readers[name.text] = readers[name.text] ?? field
        if !isCircular, reaches(source, field, byName, depth: fields.count) {
          isCircular = true
          findings.report(
            .conversionSource, "`\(name.text)` is read from `\(field.name.text)` itself.", at: name.range)
        }
      }
      if field.via == nil { checkType(of: field, byName) }
    }
  }

  /// The field that a name of `from:` means. Reports one that cannot be converted and returns nil.
  private func source(_ name: Spelled, of field: DeclaredField, _ fields: [String: DeclaredField]) -> DeclaredField? {
    guard let source = fields[name.text] else {
      findings.report(
        .unknownField, "There is no field `\(name.text)` beside `\(field.name.text)`.", at: name.range,
        nearestTo: name.text, among: fields.keys.sorted())
      return nil
    }
    if field.from.first(where: { $0.text == name.text })?.range != name.range {
      findings.report(.conversionSource, "`\(name.text)` is repeated here.", at: name.range)
    }
    if source.deprecated == nil {
      findings.report(
        .conversionSource,
        "`\(name.text)` is not deprecated: write `deprecated: true` there. `\(field.name.text)` takes its place, and apps that "
          + "are out go on using it.", at: name.range,
        related: [.init(message: "It is declared here.", location: source.name.range)])
    }
    if source.type?.base == .counter { reportCounter(name.range) }
    if source.type?.position == .set { reportSet(name.range) }
    return source
  }

  private func reportCounter(_ place: SourceRange) {
    findings.report(
      .conversionType, "A counter is not converted: what others add at the same moment would be lost.", at: place)
  }

  private func reportSet(_ place: SourceRange) {
    findings.report(
      .conversionType,
      "No function converts a set: what others insert at the same moment would be lost. Only a single value becomes a set, "
        + "without `via:`.", at: place)
  }

  /// Whether the field is read from the other one, directly or through others.
  private func reaches(
    _ field: DeclaredField, _ other: DeclaredField, _ fields: [String: DeclaredField], depth: Int
  ) -> Bool {
    if field.name.text == other.name.text { return true }
    guard depth > 0 else { return false }
    return field.from.contains { name in
      fields[name.text].map { reaches($0, other, fields, depth: depth - 1) } ?? false
    }
  }

  /// Reports a function of two conversions, and one with the name of a field.
  private func checkFunction(
    _ name: Spelled, of field: DeclaredField, _ functions: inout [String: DeclaredField],
    _ fields: [String: DeclaredField]
  ) {
    if let other = fields[name.text] {
      findings.report(
        .duplicateName, "`\(name.text)` is the name of a field: give the function another one.", at: name.range,
        related: [.init(message: "The field is here.", location: other.name.range)])
    }
    guard let other = functions.updateValue(functions[name.text] ?? field, forKey: name.text) else { return }
    if other.from.map(\.text) != field.from.map(\.text) {
      findings.report(
        .conversionSource,
        "`\(name.text)` also makes `\(other.name.text)`, so both are read from the same fields, in the same order.",
        at: field.from[0].range, related: [.init(message: "Those are here.", location: other.from[0].range)])
    }
  }

  private func checkType(of field: DeclaredField, _ fields: [String: DeclaredField]) {
    guard let new = field.type else { return }
    if field.from.count > 1 {
      findings.report(
        .conversionType, "Only a function of the app makes one value of several: write `via: NAME`.",
        at: field.from[1].range)
      return
    }
    guard let source = fields[field.from[0].text], let old = source.type, old.base != .counter, new.base != .counter,
      old.position != .set
    else { return }
    if old == new {
      findings.report(
        .conversionType,
        "`\(field.name.text)` has the type of `\(source.name.text)`: a rename keeps the tag, and says `was: \(source.name.text)`.",
        at: field.from[0].range)
    } else if ElementConversion(from: old, to: new) == nil {
      findings.report(
        .conversionType,
        "\(old.shown) does not become \(new.shown) by itself: write `via: NAME`, a function that the app gives.",
        at: field.from[0].range)
    } else if new.position == .single, field.isNeeded || new == FieldType(.timestamp),
      old.position == .optional || old.base == .string
    {
      let reason = old.position == .optional ? "may be absent" : "may be the name of no case"
      let remedy = if case .enumeration = new.base { ", or give it a default" } else { "" }
      findings.report(
        .conversionType,
        "`\(source.name.text)` \(reason), and then this has no value: make it optional with `?`\(remedy).",
        at: field.typeRange)
    }
  }
}

// The checks that need the whole model.
extension ConversionReader {
  /// Reports conversions of the queue or identity, a function with the name of a list, and rights that differ.
  func check(_ model: CatalogModel, _ access: AccessDeclaration?) {
    for field in model.fields where !field.from.isEmpty {
      for name in [field.name] + field.from where model.isFixed(name.text) {
        findings.report(
          .fixedField, "`\(name.text)` decides the queue or the id of the object, so it is not converted.",
          at: name.range)
      }
      if let via = field.via, let list = model.lists.first(where: { $0.name.text == via.text }) {
        findings.report(
          .duplicateName, "`\(via.text)` is the name of a list: give the function another one.", at: via.range,
          related: [.init(message: "The list is here.", location: list.name.range)])
      }
      guard let access else { continue }
      for name in field.from where access.holders(of: name.text) != access.holders(of: field.name.text) {
        findings.report(
          .conversionRights,
          "`\(name.text)` is written with `\(field.name.text)`: give both the same rights in `access:`.", at: name.range
        )
      }
    }
  }
}

extension AccessDeclaration {
  fileprivate func holders(of field: String) -> Set<RightHolder> {
    Set(fields.first { $0.field == field }?.holders ?? update)
  }
}

extension CatalogModel {
  /// The field that is read from this one; nil for a field that is not converted.
  func successor(of field: String) -> DeclaredField? {
    fields.first { $0.from.contains { $0.text == field } }
  }

  /// The fields that one function makes, this one among them.
  func parts(of field: DeclaredField) -> [DeclaredField] {
    guard let via = field.via else { return [field] }
    return fields.filter { $0.via?.text == via.text }
  }
}
