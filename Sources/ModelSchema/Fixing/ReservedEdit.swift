// Writes what was removed under `reserved:`: into the one that is there, or as a new entry.

/// A removed thing: its number and its name, or its name alone for a model.
struct ReservedEdit {
  /// By key, such as `tags: 4` and `names: due`.
  var entries: [(key: String, text: String)]

  static func field(tag: String, name: String) -> ReservedEdit {
    ReservedEdit(entries: [("tags", tag), ("names", name)])
  }

  static func enumCase(number: String, name: String) -> ReservedEdit {
    ReservedEdit(entries: [("numbers", number), ("names", name)])
  }

  static func model(name: String) -> ReservedEdit { ReservedEdit(entries: [("models", name)]) }

  /// The fix in the mapping that declares the owner. A new entry goes behind the one of the key `anchor`, or else
  /// behind the last one. Nil where the present `reserved:` is not understood.
  func fix(in owner: YAMLNode, behind anchor: String?, _ layout: YAMLLayout) -> Fix? {
    if let reserved = owner.pair("reserved") { return extended(reserved.value, layout) }
    guard let place = anchor.flatMap(owner.pair) ?? owner.pairs?.last else { return nil }
    let texts = entries.map { "\($0.key): [\($0.text)]" }
    return Fix([layout.adding("reserved: { \(texts.joined(separator: ", ")) }", behind: place, of: owner)])
  }

  private func extended(_ reserved: YAMLNode, _ layout: YAMLLayout) -> Fix? {
    guard let last = reserved.pairs?.last else { return nil }
    var edits: [TextEdit] = []
    for (key, text) in entries {
      if let list = reserved.pair(key)?.value {
        guard let elements = list.elements, let edit = layout.adding(text, to: list) else { return nil }
        if !elements.contains(where: { $0.text == text }) { edits.append(edit) }
      } else {
        edits.append(layout.adding("\(key): [\(text)]", behind: last, of: reserved))
      }
    }
    return edits.isEmpty ? nil : Fix(edits)
  }
}
