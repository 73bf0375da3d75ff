// Reports fields that an operation changes twice, and changes of an object that it deletes. The parts of a patch have
// no order, so it could not hold both changes.

struct ChangedFields {
  private let model: CatalogModel
  private let findings: Findings
  private var first: [String: Change] = [:]

  private struct Change {
    var field: Spelled
    /// The value that is inserted or removed.
    var element: YAMLNode?
  }

  /// Reports each field that two effects of an operation change, and each change of an object that is deleted.
  static func check(_ effects: [YAMLPair], of model: CatalogModel, _ findings: Findings) {
    var changes = ChangedFields(model, findings)
    for effect in effects { changes.add(effect) }
    changes.checkDeleted(effects)
  }

  private init(_ model: CatalogModel, _ findings: Findings) {
    self.model = model
    self.findings = findings
  }

  /// Reports effects on fields where the operation also deletes the object.
  private func checkDeleted(_ effects: [YAMLPair]) {
    guard let deletion = effects.first(where: { $0.key.text == "delete" }) else { return }
    for effect in effects
    where ["set", "clear", "insert", "remove", "increment", "raise", "lower"].contains(effect.key.text) {
      findings.report(
        .effectTarget, "The object is deleted, so `\(effect.key.text):` would change nothing.", at: effect.key.range,
        related: [.init(message: "It is deleted here.", location: deletion.key.range)])
    }
  }

  private mutating func add(_ effect: YAMLPair) {
    switch effect.key.text {
    case "set", "increment", "raise", "lower": for pair in effect.value.pairs ?? [] { add(Change(field: pair.key)) }
    case "insert", "remove":
      for pair in effect.value.pairs ?? [] { add(Change(field: pair.key, element: pair.value)) }
    case "clear": for node in effect.value.elements ?? [effect.value] { addCleared(node) }
    default: break
    }
  }

  private mutating func addCleared(_ node: YAMLNode) {
    guard let text = node.text else { return }
    add(Change(field: Spelled(text: text, range: node.range)))
  }

  private mutating func add(_ change: Change) {
    // A field that never changes is reported by `FieldEffectReader`.
    if model.isFixed(change.field.text) { return }
    guard let earlier = first[change.field.text] else {
      checkConversion(of: change)
      first[change.field.text] = change
      return
    }
    if let element = change.element, let other = earlier.element, !Self.isSame(element, other) { return }
    findings.report(
      .effectTarget, "`\(change.field.text)` is changed twice: an operation says one thing about a field.",
      at: change.field.range, related: [.init(message: "It is also changed here.", location: earlier.field.range)])
  }

  /// Reports a field that is changed beside one that is read from it, directly or through others.
  private func checkConversion(of change: Change) {
    let name = change.field.text
    let linked = first.values.filter {
      model.reads($0.field.text, from: name) || model.reads(name, from: $0.field.text)
    }
    guard let earlier = linked.min(by: { $0.field.range.start < $1.field.range.start }) else { return }
    findings.report(
      .effectTarget,
      "`\(name)` and `\(earlier.field.text)` are written together: an operation changes one of them.",
      at: change.field.range, related: [.init(message: "The other one is changed here.", location: earlier.field.range)]
    )
  }

  /// Whether two elements are written the same. An operation may insert one element and remove another.
  private static func isSame(_ left: YAMLNode, _ right: YAMLNode) -> Bool {
    guard case .scalar(let text, let style) = left.content, case .scalar(text, let other) = right.content else {
      return false
    }
    return ValueReader.isExpression(text, style) == ValueReader.isExpression(text, other)
  }
}
