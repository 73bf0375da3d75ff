// The protocol of generated enums: named numbers, to which newer schemas may add.

public import WireFormat

/// An enum of the schema: a case for each name, and `unknown(Int32)` for the numbers of newer schemas.
///
/// Equality and hash go by number, so `unknown(1)` equals the case with the number 1.
public protocol ModelEnum: WireEnum, ListNumber, ListSection {
  /// All cases but `unknown`, in the order of the schema.
  static var knownCases: [Self] { get }
}

extension ModelEnum {
  public static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(rawValue)
  }
}
