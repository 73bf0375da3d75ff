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
    guard case .mapping(let pairs) = owner.content else { return nil }
    if let reserved = pairs.first(where: { $0.key.text == "reserved" }) { return extended(reserved.value, layout) }
    guard let place = pairs.first(where: { $0.key.text == anchor }) ?? pairs.last else { return nil }
    let texts = entries.map { "\($0.key): [\($0.text)]" }
    return Fix([layout.adding("reserved: { \(texts.joined(separator: ", ")) }", behind: place, of: owner)])
  }

  private func extended(_ reserved: YAMLNode, _ layout: YAMLLayout) -> Fix? {
    guard case .mapping(let pairs) = reserved.content, let last = pairs.last else { return nil }
    var edits: [TextEdit] = []
    for (key, text) in entries {
      if let pair = pairs.first(where: { $0.key.text == key }) {
        guard case .sequence(let elements) = pair.value.content, let edit = layout.adding(text, to: pair.value) else {
          return nil
        }
        if !elements.contains(where: { $0.isScalar(text) }) { edits.append(edit) }
      } else {
        edits.append(layout.adding("\(key): [\(text)]", behind: last, of: reserved))
      }
    }
    return edits.isEmpty ? nil : Fix(edits)
  }
}

extension YAMLNode {
  fileprivate func isScalar(_ text: String) -> Bool {
    if case .scalar(text, _) = content { true } else { false }
  }
}
