// Changes of operations and their parameters.

extension ChangeFinder {
  mutating func check(operation: FactNode, _ subject: String) {
    let first = String(subject.split(separator: " ").last ?? "")
    guard let name = operation.now("name") else {
      if operation.isInNewest {
        report(.operationRemoved, subject, "The operation `\(operation.newest("name") ?? first)` is gone.")
      }
      return
    }
    guard operation.wasReleased else { return report(.operationAdded, subject, "The operation `\(name)` is new.") }
    if let before = operation.newest("name"), before != name {
      report(.operationRenamed, subject, "The operation `\(before)` is called `\(name)` now.")
    }
    let areParametersInOrder = checkParameters(of: operation, subject, name)
    let numbered = operation.facts.filter { $0.key.hasPrefix("effect ") || $0.key.hasPrefix("requires ") }.values
    if areParametersInOrder, operation.isInNewest, Set(numbered.compactMap(\.now)) != Set(numbered.compactMap(\.newest))
    {
      report(.operationChanged, subject, "The operation `\(name)` does, or waits for, something else.")
    }
  }

  /// Returns false where parameters have changed places.
  private mutating func checkParameters(of operation: FactNode, _ subject: String, _ name: String) -> Bool {
    let parameters = operation.children("parameter")
    var positions: [String: String] = [:]
    for (position, parameter) in parameters {
      if let name = parameter.released("name").last?.value { positions[name] = position }
    }
    let moved = parameters.first { position, parameter in
      parameter.now("name").flatMap { positions[$0] }.map { $0 != position } ?? false
    }
    if let (position, parameter) = moved, let now = parameter.now("name"), let before = positions[now] {
      report(
        .parameterMoved, subject, part: "parameters",
        "The parameter `\(now)` of `\(name)` is number \(position) now, and was number \(before).")
      guard answers.permit(.parameterMoved, at: subject) else { return false }
    }
    for (position, parameter) in parameters { check(parameter, "\(subject) parameter \(position)", name) }
    return true
  }

  private mutating func check(_ parameter: FactNode, _ key: String, _ operation: String) {
    guard let name = parameter.now("name"), let type = parameter.now("type") else {
      if let name = parameter.newest("name") {
        report(.parameterRemoved, key, "The parameter `\(name)` of `\(operation)` is gone.")
      }
      return
    }
    guard parameter.wasReleased else {
      let mayBeAbsent = type.hasSuffix("?") || type.hasPrefix("list(") || type.hasPrefix("set(")
      return report(
        mayBeAbsent ? .parameterAdded : .requiredParameterAdded, key,
        "The parameter `\(name)` of `\(operation)` is new\(mayBeAbsent ? "" : " and required").")
    }
    let types = parameter.released("type").map { FactType($0.value) }
    let others = parameter.released("type").filter { FactType($0.value).shape != FactType(type).shape }
      .filter { replacement(FactType($0.value), FactType(type)) == nil }
    if parameter.newest("type") != type, !others.isEmpty {
      let isWider = others.allSatisfy { FactType($0.value).isNarrower(than: FactType(type)) }
      return report(
        isWider ? .parameterWidened : .parameterType, key,
        "The parameter `\(name)` of `\(operation)` is `\(FactType(type).shown)` now, and was \(others.shownTypes).")
    }
    if !parameter.isInNewest, let before = parameter.released("name").last, before.value != name {
      return report(
        .parameterMoved, key,
        "The parameter `\(name)` of `\(operation)` has the number that `\(before.value)` had in \(before.releases).")
    }
    if let newest = types.last, newest.isOptional, !FactType(type).isOptional {
      report(
        .requiredParameterAdded, key, "The parameter `\(name)` of `\(operation)` is required now, and was optional.")
    }
    if let before = parameter.newest("name"), before != name {
      report(.parameterRenamed, key, "The parameter `\(before)` of `\(operation)` is called `\(name)` now.")
    }
  }
}
