// An open list of named numbers.

public import WireFormat

/// An enum of the schema: one case a name, and `unknown(Int32)` for the numbers of newer schemas.
///
/// Equality and hash go by number, so that `unknown(1)` is the case with the number 1.
public protocol ModelEnum: WireEnum, ListNumber, ListSection {
  /// All but `unknown`, in the order of the schema.
  static var knownCases: [Self] { get }
}

extension ModelEnum {
  public static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(rawValue)
  }
}
