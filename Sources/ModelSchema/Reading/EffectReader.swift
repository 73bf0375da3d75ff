// Effects: what an operation changes, and that it may.

struct EffectReader {
  let model: CatalogModel
  let values: ValueReader
  let catalog: Catalog
  let findings: Findings
  private var kinds: KindReader { KindReader(findings: findings) }

  init(model: CatalogModel, values: ValueReader, catalog: Catalog, findings: Findings) {
    self.model = model
    self.values = values
    self.catalog = catalog
    self.findings = findings
  }

  func read(_ pair: YAMLPair) -> [Effect] {
    switch pair.key.text {
    case "set": return [.set(assignments(pair, .set))]
    case "insert": return [.insert(assignments(pair, .insert))]
    case "remove": return [.remove(assignments(pair, .insert))]
    case "increment": return [.increment(assignments(pair, .increment))]
    case "clear": return [.clear(clearedFields(pair))]
    case "create", "upsert": return objects(pair)
    case "delete": return isDeleted(pair.value) ? [.delete] : []
    case "follow": return user(pair).map { [.follow($0)] } ?? []
    default: return user(pair).map { [.unfollow($0)] } ?? []
    }
  }

  private func isDeleted(_ node: YAMLNode) -> Bool {
    guard let flag = kinds.flag(node, "`delete:`") else { return false }
    if !flag { findings.report(.wrongKind, "`delete:` is `true`, or is not there.", at: node.range) }
    return flag
  }

  private enum Change {
    case set, insert, increment
  }

  private func assignments(_ pair: YAMLPair, _ change: Change) -> [FieldAssignment] {
    let resolver = PathResolver(catalog: catalog, findings: findings)
    return kinds.entries(of: pair.value, "`\(pair.key.text):`").compactMap { entry in
      guard let field = resolver.field(entry.key, in: model), isChangeable(entry.key) else { return nil }
      // Of an unknown type, which has been reported, no more is said.
      guard let type = field.type, allows(change, type, entry.key) else { return nil }
      let canBeCleared = change == .set && (type.position != .single || field.defaultValue != nil)
      let nullHint = canBeCleared ? ": `clear: \(entry.key.text)` takes the value away" : ""
      return assignment(entry, field, type, isElement: change == .insert, nullHint)
    }
  }

  private func isChangeable(_ name: Spelled) -> Bool {
    guard model.isFixed(name.text) else { return true }
    findings.report(
      .fixedField, "`\(name.text)` decides the queue or the id of the object, so it never changes.", at: name.range)
    return false
  }

  private func allows(_ change: Change, _ type: FieldType, _ name: Spelled) -> Bool {
    let problem: String?
    switch change {
    case .set: problem = type.base == .counter ? "a counter is changed by `increment:`" : nil
    case .insert: problem = type.position == .set ? nil : "elements are put into sets and taken out of them"
    case .increment: problem = type.base == .counter ? nil : "only a counter is incremented"
    }
    guard let problem else { return true }
    findings.report(
      .effectTarget, "`\(name.text)` has the type \(type.shown): \(problem).", at: name.range)
    return false
  }

  private func assignment(
    _ entry: YAMLPair, _ field: DeclaredField, _ type: FieldType, isElement: Bool, _ nullHint: String
  ) -> FieldAssignment? {
    guard let text = kinds.scalar(of: entry.value, "A value") else { return nil }
    guard ValueReader.isExpression(text.spelled.text, text.style) else {
      guard isElement || type.position == .single || type.position == .optional else {
        findings.report(
          .valueType, "A whole list or set comes from a parameter or field, not from a literal.", at: entry.value.range)
        return nil
      }
      let literals = LiteralReader(
        names: catalog.names, findings: findings, typeRule: .valueType, rangeRule: .valueType, nullHint: nullHint)
      return literals.read(text.spelled, style: text.style, as: type.base).map {
        FieldAssignment(field: entry.key.text, value: .literal($0))
      }
    }
    guard !isTextInParentheses(text.spelled, type) else { return nil }
    guard var scanner = ExpressionScanner(entry.value), let value = values.expression(&scanner) else { return nil }
    if let given = value.type, !Self.accepts(type, given, isElement: isElement, hasDefault: field.defaultValue != nil) {
      let expected = isElement ? FieldType(type.base) : type
      let what = type.base == .counter ? FieldType(.int64) : expected
      findings.report(
        .valueType, "A value of the type \(what.shown) is needed here, not \(given.shown).", at: entry.value.range,
        related: [.init(message: "`\(field.name.text)` is declared here.", location: field.name.range)])
      return nil
    }
    return FieldAssignment(field: entry.key.text, value: value.value)
  }

  /// Reports `hello(world)` as the value of a string, unless it is like the name of a model.
  private func isTextInParentheses(_ text: Spelled, _ type: FieldType) -> Bool {
    guard type.base == .string, !text.text.hasPrefix("$"), catalog.names.brokenStems.isEmpty else { return false }
    let name = String(text.text.prefix { $0 != "(" })
    let models = catalog.models.keys.sorted()
    guard !models.contains(name), Suggestion.nearest(to: name, among: models) == nil else { return false }
    findings.report(
      .valueSyntax, "There is no model `\(name)`; a text with `( )` stands in quotes.", at: text.range,
      replacement: YAMLNode.quoted(text.text))
    return true
  }

  /// An absent value clears, so it may go to an optional field or one with a default.
  private static func accepts(_ target: FieldType, _ given: FieldType, isElement: Bool, hasDefault: Bool) -> Bool {
    if target.base == .counter { return (given.base == .int64 || given.base == .int32) && given.position == .single }
    guard target.base == given.base else { return false }
    if isElement { return given.position != .optional }
    switch target.position {
    case .single: return given.position == .single || (given.position == .optional && hasDefault)
    case .optional: return given.position == .single || given.position == .optional
    case .list, .set: return given.position == target.position
    }
  }

  private func clearedFields(_ pair: YAMLPair) -> [String] {
    let resolver = PathResolver(catalog: catalog, findings: findings)
    return kinds.oneOrMore(of: pair.value, "`clear:`").compactMap { node in
      guard let name = kinds.text(of: node, "`clear:`"), let field = resolver.field(name, in: model),
        isChangeable(name)
      else { return nil }
      guard let type = field.type else { return name.text }
      if type.position == .single, field.defaultValue == nil {
        findings.report(
          .effectTarget,
          "`\(name.text)` cannot be cleared: it is neither optional nor a collection and has no default.",
          at: name.range)
      }
      return name.text
    }
  }

  /// `create: { notification: { kind: photosShared } }`
  private func objects(_ pair: YAMLPair) -> [Effect] {
    kinds.entries(of: pair.value, "`\(pair.key.text):`").compactMap { entry in
      guard let target = target(entry.key, isUpsert: pair.key.text == "upsert") else { return nil }
      let given = kinds.mapping(entry.value, "A created object")
      let resolver = PathResolver(catalog: catalog, findings: findings)
      let assignments: [FieldAssignment] = given.compactMap { item in
        guard let field = resolver.field(item.key, in: target), let type = field.type, allows(.set, type, item.key)
        else { return nil }
        return assignment(item, field, type, isElement: false, ": leave the field out")
      }
      reportMissing(given, entry.key, target)
      QueueProof(operation: model, findings: findings).check(entry.key, target, assignments, given)
      return pair.key.text == "create"
        ? .create(model: entry.key.text, assignments) : .upsert(model: entry.key.text, assignments)
    }
  }

  private func target(_ name: Spelled, isUpsert: Bool) -> CatalogModel? {
    guard let target = catalog.models[name.text] else {
      if !catalog.names.brokenStems.contains(name.text) {
        findings.report(
          .unknownModel, "There is no model `\(name.text)`.", at: name.range,
          replacement: Suggestion.nearest(to: name.text, among: catalog.models.keys.sorted()))
      }
      return nil
    }
    if isUpsert, target.identity.isEmpty {
      findings.report(
        .upsertIdentity, "`\(name.text)` has no identity, so there is no telling whether it exists: use `create:`.",
        at: name.range, related: [.init(message: "The model is here.", location: target.name.range)])
      return nil
    }
    return target
  }

  private func reportMissing(_ given: [YAMLPair], _ name: Spelled, _ target: CatalogModel) {
    let names = Set(given.map(\.key.text))
    let missing = target.fields.filter { field in
      guard let type = field.type, type.position == .single, type.base != .counter else { return false }
      return field.defaultValue == nil && !names.contains(field.name.text)
    }
    guard let first = missing.first else { return }
    findings.report(
      .missingField, "A new `\(name.text)` also needs \(KindReader.listing(missing.map(\.name.text))).",
      at: name.range, related: [.init(message: "`\(first.name.text)` is declared here.", location: first.name.range)])
  }

  private func user(_ pair: YAMLPair) -> ValueExpression? {
    if model.queue == .device {
      findings.report(
        .effectTarget, "A `\(model.name.text)` never leaves the device, so nobody follows its queue.",
        at: pair.key.range)
      return nil
    }
    guard var scanner = kinds.expression(of: pair.value, "`\(pair.key.text):`"),
      let value = values.expression(&scanner)
    else { return nil }
    if let type = value.type, type.base != .userReference {
      findings.report(.valueType, "Users follow queues, not \(type.shown).", at: pair.value.range)
      return nil
    }
    return value.value
  }
}
