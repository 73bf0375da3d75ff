// Changes of structs and enums.

extension ChangeFinder {
  /// Checks the structs and enums of a model, or the shared ones.
  mutating func checkTypes(of owner: FactNode, _ prefix: String) {
    for kind: Substring in ["struct", "enum"] {
      for (name, type) in owner.children(kind) { check(type: type, "\(prefix)\(kind) \(name)", kind, name) }
    }
  }

  private mutating func check(type: FactNode, _ subject: String, _ kind: Substring, _ name: String) {
    guard let now = type.now("name") else {
      if type.isInNewest { report(.typeRemoved, subject, "The \(kind) `\(name)` is gone.") }
      return
    }
    guard type.wasReleased else { return report(.typeAdded, subject, "The \(kind) `\(now)` is new.") }
    if let before = type.newest("name"), before != now {
      report(.typeRenamed, subject, "The \(kind) `\(before)` is called `\(now)` now.")
    }
    if kind == "struct" { checkFields(of: type, subject) } else { checkCases(of: type, subject) }
  }

  mutating func checkCases(of type: FactNode, _ subject: String) {
    for (number, one) in checkNames(of: type, subject, .cases) where !one.wasReleased {
      report(.caseAdded, "\(subject) case \(number)", "The case `\(one.now("name") ?? number)` is new.")
    }
  }
}
