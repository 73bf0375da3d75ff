// The keys of facts: which of two comes first in a lock, and what they are made of.

/// The key of a fact, such as `model photo field 3 type`: pairs of a kind and a name, then an attribute.
struct FactKey {
  /// The kinds of things that have a name of their own.
  static let kinds: Set<Substring> = [
    "model", "struct", "enum", "field", "case", "operation", "parameter", "list", "view",
  ]

  /// The things from the outside in: `model photo`, `field 3`.
  var things: [Thing]
  /// The words behind them: `type`, or `access create`.
  var attribute: Substring

  struct Thing: Hashable {
    var kind: Substring
    var name: Substring
  }

  init(_ text: Substring) {
    things = []
    attribute = text
    while let space = attribute.firstIndex(of: " "), Self.kinds.contains(attribute[..<space]) {
      let rest = attribute[attribute.index(after: space)...]
      guard let end = rest.firstIndex(of: " ") else { return }
      things.append(Thing(kind: attribute[..<space], name: rest[..<end]))
      attribute = rest[rest.index(after: end)...]
    }
  }

  /// Whether one key comes before another: word by word, and numbers by their value.
  static func precedes(_ left: String, _ right: String) -> Bool {
    let (left, right) = (left.split(separator: " "), right.split(separator: " "))
    for (one, other) in zip(left, right) where one != other {
      if let first = Int(one), let second = Int(other), first != second { return first < second }
      return one < other
    }
    return left.count < right.count
  }
}
