// Reads `from:` and `via:` of fields, and checks the conversions of a model or struct.

struct ConversionReader: PartReader {
  let names: NameTable
  let findings: Findings

  /// Reads the keys of one field.
  func read(_ parts: [String: YAMLPair], into field: inout DeclaredField) {
    if let node = parts["from"]?.value {
      field.from = kinds.oneOrMore(of: node, "`from:`").compactMap { kinds.plain($0, "`from:`") }
    }
    guard let pair = parts["via"], let name = kinds.plain(pair.value, "`via:`") else { return }
    nameRules.check(name, as: .conversion)
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
      if field.type?.position == .set, let source = field.from.first.flatMap({ byName[$0.text] }), !source.from.isEmpty
      {
        findings.report(
          .conversionSource,
          "`\(source.name.text)` is converted itself: a set is made of a value that is stored as it is.",
          at: field.from[0].range)
      }
      if case .enumeration(let name) = field.type?.base { checkCases(of: field, names.cases(of: name)) }
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
    } else if let kind = ElementConversion(from: old, to: new) {
      checkAbsence(of: field, source, old, new, kind)
    } else {
      findings.report(
        .conversionType,
        "\(old.shown) does not become \(new.shown) by itself: write `via: NAME`, a function that the app gives.",
        at: field.from[0].range)
    }
  }
}

// What an absent value becomes.
extension ConversionReader {
  private func checkAbsence(
    of field: DeclaredField, _ source: DeclaredField, _ old: FieldType, _ new: FieldType, _ kind: ElementConversion
  ) {
    if new.position == .single, field.isNeeded || new == FieldType(.timestamp),
      old.position == .optional || kind == .named
    {
      let reason = old.position == .optional ? "may be absent" : "may be the name of no case"
      let remedy = if case .enumeration = new.base { ", or give it a default" } else { "" }
      findings.report(
        .conversionType,
        "`\(source.name.text)` \(reason), and then this has no value: make it optional with `?`\(remedy).",
        at: field.typeRange)
    }
    if old.position == .single, new.position == .single, kind != .named, kind != .same,
      source.defaultValue?.number ?? 0 != field.defaultValue?.number ?? 0
    {
      findings.report(
        .conversionType, "Where nothing is written, `\(source.name.text)` has another default: give both the same one.",
        at: field.name.range, related: [.init(message: "It is here.", location: source.name.range)])
    }
  }

  /// Reports a converted enum with a renamed case: texts of older apps are its former name.
  private func checkCases(of field: DeclaredField, _ cases: [EnumCase]) {
    guard field.via == nil, let renamed = cases.first(where: { $0.was != nil }), let was = renamed.was else { return }
    findings.report(
      .conversionType,
      "`\(renamed.name)` was `\(was)`, and older apps go on writing that text: write `via: NAME`, a function that the app gives.",
      at: field.from[0].range)
  }
}

extension Literal {
  fileprivate var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .double(let value): value
    case .bool, .string, .enumCase: nil
    }
  }
}

// The checks that need the whole model.
extension ConversionReader {
  /// Reports conversions of the queue or identity, a function with the name of a list, and rights that differ.
  func check(_ model: CatalogModel, _ access: AccessDeclaration?) {
    for field in model.fields where !field.from.isEmpty {
      for name in [field.name] + field.from {
        guard let reason = model.reasonFixed(name.text) else { continue }
        findings.report(.fixedField, "`\(name.text)` \(reason), so it is not converted.", at: name.range)
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

  /// Whether a field is read from another one, directly or through others.
  func reads(_ field: String, from other: String) -> Bool {
    var pending = [field]
    var seen: Set<String> = []
    while let name = pending.popLast() {
      guard seen.insert(name).inserted else { continue }
      let sources = fieldsByName[name]?.from.map(\.text) ?? []
      if sources.contains(other) { return true }
      pending += sources
    }
    return false
  }

  /// The newest fields that are written when this one is, this one among them.
  func writtenTogether(with field: DeclaredField) -> [DeclaredField] {
    let sources = fields.filter { reads(field.name.text, from: $0.name.text) }.map(\.name.text)
    return fields.filter { other in
      guard successor(of: other.name.text) == nil else { return false }
      return other.name.text == field.name.text || sources.contains { reads(other.name.text, from: $0) }
    }
  }
}
