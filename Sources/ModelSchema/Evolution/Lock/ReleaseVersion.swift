// The version of a release: one to four numbers with points.

/// The version of a released schema, such as `1.0`. An absent number is 0, so `1` is `1.0`.
public struct ReleaseVersion: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// Without zeros at the end, at most four.
  private let numbers: [Int]
  /// The version as it was written.
  public let description: String

  /// Nil unless the text is one to four numbers of at most nine digits, with points, and not all 0.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 4 else { return nil }
    var numbers: [Int] = []
    for part in parts {
      guard (1...9).contains(part.utf8.count), part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        part == "0" || !part.hasPrefix("0"), let number = Int(part)
      else { return nil }
      numbers.append(number)
    }
    while numbers.last == 0 { numbers.removeLast() }
    guard !numbers.isEmpty else { return nil }
    self.numbers = numbers
    description = String(text)
  }

  /// The name of a schema that is no release.
  init(unreleased name: String) {
    numbers = []
    description = name
  }

  public static func < (left: Self, right: Self) -> Bool { left.numbers.lexicographicallyPrecedes(right.numbers) }
  public static func == (left: Self, right: Self) -> Bool { left.numbers == right.numbers }
  public func hash(into hasher: inout Hasher) { hasher.combine(numbers) }
}
