// Reads questions about the objects that a list of another model has for this one: `count(photo.inMoment)`,
// `count(message.inRoom where sentAt > marker($me).readUpTo)`, `counts(reaction.ofMessage by emoji)`,
// `sum(line.ofInvoice amount)` and `newest(message.inRoom).text`.

struct ChildrenReader: CatalogReader {
  let model: CatalogModel
  let catalog: Catalog

  static let functions = ["count", "counts", "sum", "newest"]

  /// What a path such as `photo.inMoment` names.
  enum Found {
    case list(CatalogModel, CatalogList)
    /// Its file cannot be read.
    case unknowable
    /// There is no such list, or it fits not here. That has been reported.
    case wrong
  }

  /// Nil where the path names no list of another model.
  func list(_ names: [Spelled]) -> Found? {
    let isField = model.fieldsByName[names[0].text] != nil
    if !isField, catalog.models[names[0].text]?.isEphemeral == true {
      findings.reportEphemeral(names[0], "so there is nothing to ask about")
      return .wrong
    }
    if names.count == 1, !isField, catalog.models[names[0].text] != nil {
      findings.report(
        .viewPath, "A list of `\(names[0].text)` stands here, such as `\(names[0].text).LIST`.", at: names[0].range)
      return .wrong
    }
    guard names.count == 2 else { return nil }
    guard let other = catalog.models[names[0].text], !other.isEphemeral else {
      if isField || names[0].text.hasPrefix("$") { return nil }
      if catalog.names.brokenStems.contains(names[0].text) { return .unknowable }
      findings.report(
        .unknownModel, "There is no model `\(names[0].text)`.", at: names[0].range,
        nearestTo: names[0].text, among: catalog.models.keys.sorted())
      return .wrong
    }
    guard let found = other.lists.first(where: { $0.name.text == names[1].text }) else {
      if isField { return nil }
      findings.report(
        .viewPath, "`\(names[0].text)` has no list `\(names[1].text)`.", at: names[1].range,
        nearestTo: names[1].text, among: other.lists.map(\.name.text))
      return .wrong
    }
    return check(found, of: other, names[1]) ? .list(other, found) : .wrong
  }

  private func check(_ list: CatalogList, of other: CatalogModel, _ name: Spelled) -> Bool {
    if let cut = list.cuts.first { return refuse(name, "it has `\(cut.text):`", cut) }
    if list.readsViews { return refuse(name, "it reads a view itself. Ask a list that reads none", list.name) }
    guard let per = list.per else {
      return refuse(name, "it has no `per:` with a ref to `\(model.name.text)`", list.name)
    }
    let type = SystemField(rawValue: per)?.type ?? other.fieldsByName[per]?.type
    guard let type, type.base != .reference(model.name.text) else { return true }
    return refuse(name, "its `per:` is not a ref to `\(model.name.text)`", list.name)
  }

  private func refuse(_ list: Spelled, _ reason: String, _ there: Spelled) -> Bool {
    findings.report(
      .viewPath, "`\(list.text)` cannot stand here: \(reason).", at: list.range,
      related: [.init(message: "It is declared here.", location: there.range)])
    return false
  }
}

// Fields of the children.
extension ChildrenReader {
  /// A field of the children by which they are compared with a value. Reports one that has no order as a number.
  func compared(_ names: [Spelled], of other: CatalogModel) -> (FieldPath, FieldType?)? {
    field(names, of: other, \.isOrderedAsNumber, "Only numbers, times and enums are compared here, not")
  }

  /// A field by whose values the children are counted.
  func grouped(_ names: [Spelled], of other: CatalogModel) -> FieldPath? {
    field(names, of: other, \.hasOrder, "Only numbers, times, texts and enums are told apart here, not")?.0
  }

  /// A field that is added up.
  func added(_ names: [Spelled], of other: CatalogModel) -> FieldPath? {
    field(names, of: other, \.isAddedUp, "Only whole numbers are added up: `int32`, `int64`, `uint32`, `counter`; not")?
      .0
  }

  private func field(
    _ names: [Spelled], of other: CatalogModel, _ fits: KeyPath<FieldType, Bool>, _ words: String
  ) -> (FieldPath, FieldType?)? {
    guard let found = paths.resolve(names, in: other, .own) else { return nil }
    if let type = found.1, !type[keyPath: fits] {
      let range = SourceRange(
        file: names[0].range.file, start: names[0].range.start, end: (names.last ?? names[0]).range.end)
      findings.report(.viewPath, "\(words) \(type.shown).", at: range)
      return nil
    }
    return found
  }

  /// Whether the list is ordered by a value of which one is the newest. Reports one that is not.
  func checkNewest(_ list: CatalogList, of other: CatalogModel, _ name: Spelled) -> Bool {
    let words = "`newest(…)` needs a list that is ordered by one number or time"
    guard list.orders.count == 1 else {
      let found = list.orders.isEmpty ? "has no `order:`" : "is ordered by several fields"
      findings.report(
        .viewPath, "\(words); `\(name.text)` \(found).", at: name.range,
        related: [.init(message: "It is declared here.", location: list.name.range)])
      return false
    }
    let order = list.orders[0]
    let type = order.first.flatMap(SystemField.init)?.type ?? paths.knownType(of: order, in: other)
    guard let type, !type.isOrderedAsNumber else { return true }
    findings.report(
      .viewPath, "\(words), not by values of the type \(type.shown).", at: name.range,
      related: [.init(message: "It is declared here.", location: list.name.range)])
    return false
  }
}

extension FieldType {
  /// Whether such values are ordered, and not as texts. An `uint64` is not among them, since the two largest have one key.
  fileprivate var isOrderedAsNumber: Bool { hasOrder && base != .string && base != .uint64 }

  fileprivate var isAddedUp: Bool { hasOrder && [.int32, .int64, .uint32, .counter].contains(base) }
}
