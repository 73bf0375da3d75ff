// Reads the effects that make objects: `create`, and `upsert` for objects that may exist already.

struct CreationReader: CatalogReader {
  /// The model that the operation is declared in.
  let model: CatalogModel
  let assignments: AssignmentReader
  let catalog: Catalog

  /// An object that an operation creates.
  struct Creation {
    var model: String
    var assignments: [FieldAssignment]
  }

  /// Reads `create: { notification: { kind: photosShared } }`.
  func created(_ pair: YAMLPair) -> [Creation] {
    objects(pair) { target($0) }
  }

  /// Reads `upsert:`. Reports a model without an identity, and one that is a queue.
  func upserted(_ pair: YAMLPair) -> [Creation] {
    objects(pair, isUpsert: true) { name in target(name).flatMap { hasIdentity($0, name) ? $0 : nil } }
  }

  private func objects(
    _ pair: YAMLPair, isUpsert: Bool = false, _ target: (Spelled) -> CatalogModel?
  ) -> [Creation] {
    kinds.entries(of: pair.value, "`\(pair.key.text):`").compactMap { entry in
      guard let target = target(entry.key) else { return nil }
      let given = kinds.mapping(entry.value, "A created object")
      checkConversions(given, target, isUpsert: isUpsert)
      let assignments: [FieldAssignment] = given.compactMap { item in
        guard let field = paths.field(item.key, in: target), let type = field.type else { return nil }
        let hint = ": leave the field out"
        return isUpsert && !target.isFixed(item.key.text)
          ? self.assignments.readBounded(item, field, type, nullHint: hint)
          : self.assignments.read(item, field, type, .set, nullHint: hint)
      }
      reportMissing(given, entry.key, target)
      QueueProof(operation: model, findings: findings).check(entry.key, target, assignments, given)
      return Creation(model: entry.key.text, assignments: assignments)
    }
  }

  private func target(_ name: Spelled) -> CatalogModel? {
    if let target = catalog.models[name.text] {
      guard target.isEphemeral else { return target }
      findings.reportEphemeral(name, "so no operation creates one: an app shows it")
      return nil
    }
    if !catalog.names.brokenStems.contains(name.text) {
      findings.report(
        .unknownModel, "There is no model `\(name.text)`.", at: name.range,
        nearestTo: name.text, among: catalog.models.keys.sorted())
    }
    return nil
  }

  private func hasIdentity(_ target: CatalogModel, _ name: Spelled) -> Bool {
    if !target.identity.isEmpty, target.queue != .own { return true }
    let reason =
      target.queue == .own
      ? "is a queue of its own, so no operation makes it: give a new one to `store.create(…)` in Swift"
      : "has no identity, so `upsert:` cannot find an existing one: use `create:`"
    findings.report(
      .upsertIdentity, "`\(name.text)` \(reason).", at: name.range,
      related: [.init(message: "The model is here.", location: target.name.range)])
    return false
  }

  /// Reports fields that are written with others, and an upsert of only a part of what one function converts.
  private func checkConversions(_ given: [YAMLPair], _ target: CatalogModel, isUpsert: Bool) {
    let names = Set(given.map(\.key.text))
    for item in given {
      if let successor = target.successor(of: item.key.text) {
        findings.report(
          .effectTarget,
          "`\(item.key.text)` is written with `\(successor.name.text)`, which is read from it: give that one.",
          at: item.key.range)
      }
      guard isUpsert, let field = target.fieldsByName[item.key.text], !field.from.isEmpty else { continue }
      // A field that every new object needs is reported for that.
      let missing = target.writtenTogether(with: field).filter { other in
        !names.contains(other.name.text) && (other.defaultValue != nil || other.type?.position != .single)
      }
      guard let first = missing.first else { continue }
      findings.report(
        .missingField,
        "`\(item.key.text)` and \(KindReader.listing(missing.map(\.name.text))) are written together: an upsert gives all of them.",
        at: item.key.range, related: [.init(message: "`\(first.name.text)` is here.", location: first.name.range)])
    }
  }

  private func reportMissing(_ given: [YAMLPair], _ name: Spelled, _ target: CatalogModel) {
    let names = Set(given.map(\.key.text))
    let missing = target.fields.filter { field in
      guard let type = field.type, type.position == .single, type.base != .counter else { return false }
      guard field.defaultValue == nil, target.successor(of: field.name.text) == nil else { return false }
      return !names.contains(field.name.text)
    }
    guard let first = missing.first else { return }
    findings.report(
      .missingField, "A new `\(name.text)` also needs \(KindReader.listing(missing.map(\.name.text))).",
      at: name.range, related: [.init(message: "`\(first.name.text)` is declared here.", location: first.name.range)])
  }
}
