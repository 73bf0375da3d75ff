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
}

/// A word of a key, to sort by: numbers by their value, and before other words.
enum KeyWord: Comparable {
  case number(Int)
  case text(Substring)

  static func words(of key: some StringProtocol) -> [KeyWord] {
    String(key).split(separator: " ").map { word in Int(word).map(KeyWord.number) ?? .text(word) }
  }
}

extension Sequence {
  /// The elements in the order of their keys.
  func sorted(byKey key: (Element) -> some StringProtocol) -> [Element] {
    map { (words: KeyWord.words(of: key($0)), element: $0) }
      .sorted { $0.words.lexicographicallyPrecedes($1.words) }.map(\.element)
  }
}
