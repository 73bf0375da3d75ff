// `was:`, what something was called before: one name leads to one thing, or data would be read as another's.

/// A present name and the one before it.
struct FormerName {
  var now: Spelled
  var was: Spelled?
}

extension FormerName {
  /// An entry with the long form; what is wrong with `was:` itself is reported where the entry is read.
  init(_ pair: YAMLPair) {
    now = pair.key
    guard case .mapping(let parts) = pair.value.content, let node = parts.first(where: { $0.key.text == "was" })?.value
    else { return }
    was = Self.name(in: node, now: pair.key)
  }

  static func name(in node: YAMLNode, now: Spelled) -> Spelled? {
    guard case .scalar(let text, _) = node.content, text != now.text, NameRules.isName(text) else { return nil }
    return Spelled(text: text, range: node.range)
  }
}

extension NameRules {
  /// Reports each `was:` that another of `entries` is called, or was.
  func checkFormer(_ entries: [FormerName]) {
    let present = Dictionary(entries.map { ($0.now.text.lowercased(), $0.now) }) { first, _ in first }
    var former: [String: Spelled] = [:]
    for entry in entries {
      guard let was = entry.was else { continue }
      let key = was.text.lowercased()
      if let other = present[key], other.range != entry.now.range {
        reportTaken(was, "is still there", other)
      } else if let other = former[key] {
        reportTaken(was, "is the former name of another", other)
      }
      former[key] = former[key] ?? was
    }
  }

  private func reportTaken(_ was: Spelled, _ why: String, _ other: Spelled) {
    findings.report(
      .wasTaken, "`was: \(was.text)` names what \(why); a name leads to one thing.", at: was.range,
      related: [.init(message: "`\(other.text)` is here.", location: other.range)])
  }
}

extension KindReader {
  /// The name before a rename.
  func was(_ parts: [String: YAMLPair], now: Spelled) -> String? {
    guard let node = parts["was"]?.value, let name = text(of: node, "`was:`") else { return nil }
    if name.text == now.text {
      findings.report(.wasUnchanged, "`was:` names what the name was before; this is the present one.", at: name.range)
      return nil
    }
    return NameRules(findings).checkForm(name) ? name.text : nil
  }
}
