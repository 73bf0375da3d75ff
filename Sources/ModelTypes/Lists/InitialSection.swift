// Texts by the letter that they begin with, as an address book is divided.

public import Snapshots

/// Texts that begin with the same letter, or with none: the first scalar of their folded form decides.
public struct InitialSection: Hashable, Sendable {
  /// Behind every letter, ascending and descending.
  private static let other: UInt64 = 0x11_0000

  /// A scalar of Unicode, or `other`.
  private let number: UInt64

  private init(number: UInt64) { self.number = number }

  /// By the first letter of the text; its accents and its case do not count.
  public init(of text: String) {
    number = text.firstFoldedScalar.flatMap { $0.isLetter ? UInt64($0.value) : nil } ?? Self.other
  }

  /// Folded, as `a`; nil where the texts begin with no letter, or are empty.
  public var letter: String? { Unicode.Scalar(UInt32(number)).map { String($0) } }
}

extension InitialSection: Comparable {
  /// Texts that begin with no letter are last.
  public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

extension InitialSection: CustomStringConvertible {
  /// The letter as a capital, where it has one that is a single letter; `#` for none.
  public var description: String {
    guard let letter else { return "#" }
    let capital = letter.uppercased()
    return capital.unicodeScalars.count == 1 ? capital : letter
  }
}

extension InitialSection: ListSection {
  public init?(_ key: ListKey, isDescending: Bool) {
    guard case .number(let number) = key, number <= Self.other else { return nil }
    self.number = isDescending && number < Self.other ? Self.other - 1 - number : number
  }
}

extension ListKey {
  /// Texts that begin with no letter come behind all letters, and nil behind them, in both directions.
  public static func ascending(_ initial: InitialSection?) -> ListKey { initial?.key(isDescending: false) ?? .null }
  public static func descending(_ initial: InitialSection?) -> ListKey { initial?.key(isDescending: true) ?? .null }
}

extension InitialSection {
  fileprivate func key(isDescending: Bool) -> ListKey {
    .number(isDescending && number < Self.other ? Self.other - 1 - number : number)
  }
}

extension ListContext {
  /// `initial(f)` of a schema.
  public func initial(of text: String) -> InitialSection { InitialSection(of: text) }
}

extension String {
  /// The first scalar of `folded`, without folding all of it.
  var firstFoldedScalar: Unicode.Scalar? {
    if let first = utf8.first, first < 0x80 {
      // No mark changes what an ASCII character is folded to.
      return Unicode.Scalar(first).properties.lowercaseMapping.unicodeScalars.first
    }
    // Folding looks no further than a character, which begins with a base and has its marks.
    for character in self {
      if let first = String(character).folded.unicodeScalars.first { return first }
    }
    return nil
  }
}

extension Unicode.Scalar {
  fileprivate var isLetter: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
    default: false
    }
  }
}
