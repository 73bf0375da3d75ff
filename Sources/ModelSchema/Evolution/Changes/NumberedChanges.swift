// Changes of what has a number for life: fields with tags, cases with numbers. Both follow the same rules.

/// The rules for the names of numbered things, and the words for them.
struct NumberedRules {
  var kind: Substring
  /// `field`
  var noun: String
  /// `tag`
  var number: String
  var added: ChangeRule
  var renamed: ChangeRule
  var replaced: ChangeRule
  var moved: ChangeRule
  var removed: ChangeRule
  var retired: ChangeRule
  var returned: ChangeRule

  static let fields = NumberedRules(
    kind: "field", noun: "field", number: "tag", added: .fieldAdded, renamed: .fieldRenamed, replaced: .fieldReplaced,
    moved: .fieldMoved, removed: .fieldRemoved, retired: .fieldRetired, returned: .fieldReturned)
  static let cases = NumberedRules(
    kind: "case", noun: "case", number: "number", added: .caseAdded, renamed: .caseRenamed, replaced: .caseReplaced,
    moved: .caseMoved, removed: .caseRemoved, retired: .caseRetired, returned: .caseReturned)
}

extension ChangeFinder {
  /// Checks the names of all numbered things of a kind. Returns, to be looked at further, those that are what they were, or are new, by their numbers.
  mutating func checkNames(
    of owner: FactNode, _ subject: String, _ rules: NumberedRules
  ) -> [(name: String, node: FactNode)] {
    let all = owner.children(rules.kind)
    return all.filter { number, node in
      let key = "\(subject) \(rules.kind) \(number)"
      guard let name = node.now("name") else {
        if node.isInNewest { reportGone(node, number, key, subject, rules) }
        return false
      }
      let names = node.released("name").map(\.value)
      if names.last == name, node.isInNewest { return true }
      if !names.contains(name), let other = holder(of: [name, answers.was[key]], besides: number, all) {
        report(
          rules.moved, key,
          "`\(name)` has the \(rules.number) \(number) now, and had \(other.number) in \(other.releases).")
        return answers.permit(rules.moved, at: key)
      }
      return checkName(name, names, of: node, in: owner, number, key, rules)
    }
  }

  private mutating func checkName(
    _ name: String, _ names: [String], of node: FactNode, in owner: FactNode, _ number: String, _ key: String,
    _ rules: NumberedRules
  ) -> Bool {
    guard let before = names.last else { return true }
    guard names.contains(name) || answers.was[key].map(names.contains) ?? false else {
      let shown = node.released("name").shown
      report(
        rules.replaced, key, old: before, free: free(owner.children(rules.kind)),
        "The \(rules.number) \(number) is `\(name)` now, and was \(shown).")
      return answers.permit(rules.replaced, at: key)
    }
    if !node.isInNewest {
      // With its model, which is reported.
      guard owner.isInNewest else { return true }
      report(rules.returned, key, "The \(rules.noun) `\(name)` was removed, and is back.")
    } else {
      report(rules.renamed, key, "The \(rules.noun) `\(before)` is called `\(name)` now.")
    }
    return true
  }

  private mutating func reportGone(
    _ node: FactNode, _ number: String, _ key: String, _ subject: String, _ rules: NumberedRules
  ) {
    let name = node.released("name").last?.value ?? number
    if let tag = Int(number), answers.reserved[subject]?.hasTag(tag) ?? false {
      let isNeeded = node.newest("type").map { FactType($0).needsValue } ?? false && node.newest("default") == nil
      let rule = isNeeded ? .requiredFieldRetired : rules.retired
      return report(
        rule, key, "The \(rules.noun) `\(name)` with the \(rules.number) \(number) was removed.")
    }
    report(
      rules.removed, key, old: name,
      "The \(rules.noun) `\(name)` with the \(rules.number) \(number) is gone, and the \(rules.number) is not reserved."
    )
  }

  /// The number that one of these names had in a release and has lost, and those releases. A number that goes on under a
  /// declared new name has given its old name up.
  private func holder(
    of names: [String?], besides number: String, _ all: [(name: String, node: FactNode)]
  ) -> (number: String, releases: String)? {
    for (other, node) in all where other != number {
      let released = node.released("name")
      guard let value = released.last(where: { names.contains($0.value) }) else { continue }
      let now = node.now("name")
      if let now, released.contains(where: { $0.value == now }) || isFree(now, all) { continue }
      return (other, value.releases)
    }
    return nil
  }

  /// A number above all that are or were used.
  private func free(_ all: [(name: String, node: FactNode)]) -> Int {
    FieldReader.tag(after: all.compactMap { Int($0.name) }.max() ?? 0)
  }

  /// Whether no release had this name.
  private func isFree(_ name: String, _ all: [(name: String, node: FactNode)]) -> Bool {
    !all.contains { $0.node.released("name").contains { $0.value == name } }
  }
}
