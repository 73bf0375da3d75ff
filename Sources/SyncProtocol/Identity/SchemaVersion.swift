// The version of an app's schema, as the app names it in each request.

/// The version of a schema: the newest release that it stands on, such as `1.4`, and `1.4+` if it has changed since.
///
/// A release is one to four numbers with points; an absent number is 0.
package struct SchemaVersion: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// Without zeros at the end, at most four.
  private let numbers: [UInt32]
  /// Whether the schema has changed since the release.
  package let hasChanged: Bool
  /// The version as it was written, at most 40 bytes.
  package let description: String

  /// Nil unless the text is one to four numbers of at most nine digits, without zeros in front, and perhaps a `+`.
  package init?(_ text: String) {
    hasChanged = text.hasSuffix("+")
    let parts = text.dropLast(hasChanged ? 1 : 0).split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 4 else { return nil }
    var numbers: [UInt32] = []
    for part in parts {
      guard (1...9).contains(part.utf8.count), part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        part == "0" || !part.hasPrefix("0"), let number = UInt32(part)
      else { return nil }
      numbers.append(number)
    }
    while numbers.last == 0 { numbers.removeLast() }
    self.numbers = numbers
    description = text
  }

  /// Whether it stands on a release, or on a later one.
  package func stands(on release: Self) -> Bool { !numbers.lexicographicallyPrecedes(release.numbers) }

  package static func < (left: Self, right: Self) -> Bool {
    if left.numbers != right.numbers { return left.numbers.lexicographicallyPrecedes(right.numbers) }
    return !left.hasChanged && right.hasChanged
  }

  package static func == (left: Self, right: Self) -> Bool {
    (left.numbers, left.hasChanged) == (right.numbers, right.hasChanged)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(numbers)
    hasher.combine(hasChanged)
  }
}
