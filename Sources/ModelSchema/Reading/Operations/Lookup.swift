// Checks `member(…)`, which looks up an object by the one field of its identity.

struct Lookup: CatalogReader {
  /// The model in whose queue the object is looked up.
  let model: CatalogModel
  let catalog: Catalog
  /// Other words that may stand before `(` at this place. They are suggested for misspelt ones.
  var words: [String] = []

  struct Key {
    var type: FieldType?
  }

  /// The type of the key. Reports a model that cannot be looked up and returns nil; the type inside is nil where it is
  /// unknown.
  func keyType(of name: Spelled) -> Key? {
    guard let target = catalog.models[name.text] else {
      if catalog.names.brokenStems.contains(name.text) { return Key(type: nil) }
      findings.report(
        .unknownModel, "There is no model `\(name.text)`.", at: name.range,
        nearestTo: name.text, among: catalog.models.keys.sorted() + words)
      return nil
    }
    guard !target.isEphemeral else {
      findings.reportEphemeral(name, "so none is found by a value")
      return nil
    }
    guard !target.isQueueWithIdentity else {
      return refuse(name, target, "it is a queue of its own. Name it by a `ref(\(name.text))`")
    }
    guard target.identity.count == 1, let path = target.identity.first else {
      return refuse(name, target, "its identity is not one field")
    }
    if let here = model.queueKind, let there = target.queueKind, here != there {
      return refuse(name, target, "it is never in the queue of `\(model.name.text)`")
    }
    return Key(type: paths.knownType(of: path, in: target))
  }

  /// A suggestion such as `member($me)` where a `member` is needed and `$me` is given; nil where no look-up by that
  /// value fits.
  func replacement(for given: FieldType, as needed: FieldType, written: String) -> String? {
    guard case .reference(let name) = needed.base, let target = catalog.models[name], target.identity.count == 1,
      target.queue != .own, target.queueKind == model.queueKind, let path = target.identity.first
    else { return nil }
    let key = paths.knownType(of: path, in: target)
    return key == given ? "\(name)(\(written))" : nil
  }

  private func refuse(_ name: Spelled, _ target: CatalogModel, _ reason: String) -> Key? {
    findings.report(
      .lookupIdentity, "`\(name.text)` cannot be found by a value here: \(reason).", at: name.range,
      related: [.init(message: "The model is here.", location: target.name.range)])
    return nil
  }
}
