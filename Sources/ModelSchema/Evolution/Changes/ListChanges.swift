// Changes of lists and views. Nothing that is stored depends on them.

extension ChangeFinder {
  mutating func check(list: FactNode, _ subject: String, _ name: String) {
    check(list, subject, "list `\(name)`", (.listAdded, .listRemoved, .listChanged))
  }

  mutating func check(view: FactNode, _ subject: String, _ name: String) {
    check(view, subject, "view `\(name)`", (.viewAdded, .viewRemoved, .viewChanged))
  }

  private mutating func check(
    _ node: FactNode, _ subject: String, _ what: String,
    _ rules: (added: ChangeRule, removed: ChangeRule, changed: ChangeRule)
  ) {
    if node.isPresent != node.isInNewest {
      return node.isPresent
        ? report(rules.added, subject, "The \(what) is new.") : report(rules.removed, subject, "The \(what) is gone.")
    }
    if node.isPresent, node.differs { report(rules.changed, subject, "The \(what) has changed.") }
  }
}

extension FactNode {
  /// Whether anything in it is not as in the newest release.
  var differs: Bool {
    facts.values.contains { $0.now != $0.newest } || children.values.contains { $0.values.contains(where: \.differs) }
  }
}
