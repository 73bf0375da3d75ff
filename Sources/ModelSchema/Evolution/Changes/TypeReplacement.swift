// A field that has another struct or enum: a harmless change where tags and numbers mean the same.

extension ChangeFinder {
  /// What has changed for values of the old type that are read as those of the new one; nil where they are misread.
  func replacement(_ old: FactType, _ new: FactType) -> [FoundChange]? {
    guard let (before, now) = declared(old, new) else { return nil }
    // A struct that contains itself: whatever is wrong is found one level further out.
    guard !comparing.contains(before.name) else { return [] }
    var finder = self
    finder.found = []
    finder.comparing.insert(before.name)
    let merged = node(of: before).described(as: node(of: now))
    if now.kind == "struct" {
      finder.checkFields(of: merged, key(of: now))
    } else {
      finder.checkCases(of: merged, key(of: now))
    }
    guard !finder.found.contains(where: { $0.rule.severity == .breaking }) else { return nil }
    return finder.found.filter { $0.rule.severity == .risky }
  }

  /// Advice for a type that may have been renamed without `was:`; else empty.
  func hint(_ old: FactType, _ new: FactType) -> String {
    guard let (before, now) = declared(old, new), !node(of: before).isPresent, !node(of: now).wasReleased,
      let name = before.name.split(separator: ".").last
    else { return "" }
    return " If `\(node(of: now).now("name") ?? "")` is `\(name)` under a new name, write `was: \(name)` there."
  }

  /// Whether both are structs, or both enums, in the same position.
  func isPair(_ old: FactType, _ new: FactType) -> Bool { declared(old, new) != nil }

  private typealias Declared = (name: Substring, kind: Substring, around: Substring)

  /// Two different types of one kind, in the same position.
  private func declared(_ old: FactType, _ new: FactType) -> (Declared, Declared)? {
    guard let before = old.declared, let now = new.declared, before.kind == now.kind, before.around == now.around,
      before.name != now.name
    else { return nil }
    return (before, now)
  }

  private func node(of type: Declared) -> FactNode {
    let names = type.name.split(separator: ".")
    let home = names.count == 2 ? root.children["model"]?[names[0]] : root
    return home?.children[type.kind]?[names[names.count - 1]] ?? FactNode()
  }

  private func key(of type: Declared) -> String {
    let names = type.name.split(separator: ".")
    return (names.count == 2 ? "model \(names[0]) " : "") + "\(type.kind) \(names[names.count - 1])"
  }
}

extension FactNode {
  /// What releases said of this thing, and what is said of another one today.
  fileprivate func described(as other: FactNode) -> FactNode {
    var result = self
    for (attribute, fact) in facts {
      result.facts[attribute] = FactHistory(newest: fact.newest, released: fact.released)
    }
    for (attribute, fact) in other.facts { result.facts[attribute, default: FactHistory()].now = fact.now }
    for kind in Set(children.keys).union(other.children.keys) {
      let (before, now) = (children[kind] ?? [:], other.children[kind] ?? [:])
      for name in Set(before.keys).union(now.keys) {
        let merged = (before[name] ?? FactNode()).described(as: now[name] ?? FactNode())
        result.children[kind, default: [:]][name] = merged
      }
    }
    return result
  }
}
