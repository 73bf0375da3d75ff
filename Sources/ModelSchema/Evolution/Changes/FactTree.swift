// What a schema says and what its releases said, as one tree: a node for each thing that is or was in it.

/// A thing of a schema: a model, a field, a case. Has what is said of it today, and what releases said.
struct FactNode {
  /// By attribute, such as `type`.
  var facts: [Substring: FactHistory] = [:]
  /// By kind, then by name: `["field": ["3": …]]`.
  var children: [Substring: [Substring: FactNode]] = [:]

  /// The things of a kind, sorted: numbers by value.
  func children(_ kind: Substring) -> [(name: String, node: FactNode)] {
    (children[kind] ?? [:]).sorted(byKey: \.key).map { (String($0.key), $0.value) }
  }

  /// The value of an attribute today; nil where there is none.
  func now(_ attribute: Substring) -> String? { facts[attribute]?.now }

  /// The value of an attribute in the newest release; nil where there is none.
  func newest(_ attribute: Substring) -> String? { facts[attribute]?.newest }

  /// The values that releases have given an attribute, the newest last.
  func released(_ attribute: Substring) -> [ReleasedValue] { facts[attribute]?.released ?? [] }

  /// Whether the schema of today has this thing.
  var isPresent: Bool { facts.values.contains { $0.now != nil } || hasChild { $0.isPresent } }

  /// Whether the newest release has it.
  var isInNewest: Bool { facts.values.contains { $0.newest != nil } || hasChild { $0.isInNewest } }

  /// Whether any release has it.
  var wasReleased: Bool { facts.values.contains { !$0.released.isEmpty } || hasChild { $0.wasReleased } }

  private func hasChild(_ condition: (FactNode) -> Bool) -> Bool {
    children.values.contains { $0.values.contains(where: condition) }
  }
}

/// One attribute of a thing, today and in releases.
struct FactHistory {
  var now: String?
  var newest: String?
  var released: [ReleasedValue] = []
}

/// A value, and the releases that have it, in words: `1.0 to 1.3`.
struct ReleasedValue: Hashable {
  var value: String
  var releases: String
}

extension FactNode {
  /// The tree of a schema and of the releases that it is held against.
  init(now: SchemaFacts, _ lock: SchemaLock) {
    for (key, values) in lock.facts {
      let released = values.sorted { $0.releases.last!.upperBound < $1.releases.last!.upperBound }
        .map { ReleasedValue(value: $0.value, releases: lock.words($0.releases)) }
      update(key) { fact in
        fact.newest = lock.newest(key)
        fact.released = released
      }
    }
    for (key, value) in now.values { update(key) { $0.now = value } }
  }

  private mutating func update(_ key: String, _ change: (inout FactHistory) -> Void) {
    let key = FactKey(key[...])
    update(key.things[...], key.attribute, change)
  }

  private mutating func update(
    _ things: ArraySlice<FactKey.Thing>, _ attribute: Substring, _ change: (inout FactHistory) -> Void
  ) {
    guard let first = things.first else { return change(&facts[attribute, default: FactHistory()]) }
    children[first.kind, default: [:]][first.name, default: FactNode()].update(things.dropFirst(), attribute, change)
  }
}

extension SchemaLock {
  /// `1.0 to 1.3 and 2.0`
  fileprivate func words(_ ranges: [ClosedRange<Int>]) -> String {
    ranges.map { range in
      range.count == 1
        ? "\(releases[range.lowerBound])" : "\(releases[range.lowerBound]) to \(releases[range.upperBound])"
    }.joined(separator: " and ")
  }
}
