// Reads `was:`, the name before a rename. A name must lead to one thing, or data would be read as that of another.

/// A present name and the one before it, if there is one.
struct FormerName {
  var now: Spelled
  var was: Spelled?
}

extension FormerName {
  /// The names of a declaration. Ignores a wrong `was:`, which the declaration's reader reports.
  init(_ pair: YAMLPair) {
    now = pair.key
    was = pair.value.pair("was").flatMap { Self.name(in: $0.value, now: pair.key) }
  }

  static func name(in node: YAMLNode, now: Spelled) -> Spelled? {
    guard let text = node.text, text != now.text, NameRules.isName(text) else { return nil }
    return Spelled(text: text, range: node.range)
  }
}

extension NameRules {
  /// Reports each `was:` that is the present or former name of another entry, ignoring case.
  func checkFormer(_ entries: [FormerName]) {
    let present = Dictionary(entries.map { ($0.now.text.lowercased(), $0.now) }) { first, _ in first }
    var former: [String: Spelled] = [:]
    for entry in entries {
      guard let was = entry.was else { continue }
      let key = was.text.lowercased()
      if let other = present[key], other.range != entry.now.range {
        reportTaken(was, "is the name of another entry", other)
      } else if let other = former[key] {
        reportTaken(was, "is also the former name of another entry", other)
      }
      former[key] = former[key] ?? was
    }
  }

  private func reportTaken(_ was: Spelled, _ why: String, _ other: Spelled) {
    findings.report(
      .wasTaken, "`was: \(was.text)` \(why); a former name leads to one entry.", at: was.range,
      related: [.init(message: "`\(other.text)` is here.", location: other.range)])
  }
}

extension KindReader {
  /// Reads the name before a rename; reports a wrong one and returns nil.
  func was(_ parts: [String: YAMLPair], now: Spelled) -> String? {
    guard let node = parts["was"]?.value, let name = text(of: node, "`was:`") else { return nil }
    if name.text == now.text {
      findings.report(.wasUnchanged, "`was:` gives the former name; this is the present one.", at: name.range)
      return nil
    }
    return nameRules.checkForm(name) ? name.text : nil
  }
}
