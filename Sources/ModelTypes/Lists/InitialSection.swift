// Sections by the first letter of a text, as in an address book.

public import Snapshots

/// The section of texts that begin with the same letter, or with none. The first scalar of the folded text decides.
public struct InitialSection: Hashable, Sendable {
  /// Sorts behind every letter, ascending and descending.
  private static let other: UInt64 = 0x11_0000

  /// A Unicode scalar, or `other`.
  private let number: UInt64

  private init(number: UInt64) { self.number = number }

  /// The section of a text by its first letter, without accents and case.
  public init(of text: String) {
    number = text.firstFoldedScalar.flatMap { $0.isLetter ? UInt64($0.value) : nil } ?? Self.other
  }

  /// The folded letter, such as `a`; nil if the texts begin with no letter or are empty.
  public var letter: String? { Unicode.Scalar(UInt32(number)).map { String($0) } }
}

extension InitialSection: Comparable {
  /// Texts that begin with no letter come last.
  public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

extension InitialSection: CustomStringConvertible {
  /// The letter as a capital, if that is a single scalar; `#` if there is no letter.
  public var description: String {
    guard let letter else { return "#" }
    let capital = letter.uppercased()
    return capital.unicodeScalars.count == 1 ? capital : letter
  }
}

extension InitialSection: ListSection {
  /// Reads the key that the list's definition made; nil where the text is nil.
  public init?(_ key: ListKey, isDescending: Bool) {
    guard case .number(let number) = key, number <= Self.other else { return nil }
    self.number = isDescending && number < Self.other ? Self.other - 1 - number : number
  }
}

extension ListKey {
  /// Texts that begin with no letter come behind all letters, and nil behind those, in both directions.
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
      // An ASCII character folds the same whatever mark follows it.
      return Unicode.Scalar(first).properties.lowercaseMapping.unicodeScalars.first
    }
    // Folding looks no further than one character: a base and its marks.
    for character in self {
      if let first = String(character)._folded.unicodeScalars.first { return first }
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
