// Sort and section keys of a list: a number, or bytes.

/// The order or the section of one object, as a value that compares as the list is to be sorted.
///
/// A list uses one kind for all of its sections and one for all of its orders (`ListLayout`). Numbers cost no memory
/// beyond the entry. Bytes are kept in an arena of the list; what differs in the first four of them is compared without
/// a look at the arena.
public enum ListKey: Hashable, Sendable {
  case number(UInt64)
  /// Compared as `memcmp` does, a prefix first. Only the first `maximumLength` bytes count.
  case bytes([UInt8])

  /// Two keys whose bytes differ later than here are equal, so that their ids decide.
  public static let maximumLength = 1_024
}

extension ListKey {
  /// No value: after all others, ascending and descending.
  @inlinable public static var null: ListKey { .number(.max) }

  /// A number that compares as its value does. The largest is sorted with the one below it: `null` stays after both.
  @inlinable public static func ascending(ordered number: UInt64) -> ListKey { .number(min(number, .max - 1)) }
  @inlinable public static func descending(ordered number: UInt64) -> ListKey {
    .number(.max - 1 - min(number, .max - 1))
  }

  /// The number of a key that one of these has made.
  @inlinable
  public func ordered(isDescending: Bool) -> UInt64? {
    guard case .number(let number) = self, self != .null else { return nil }
    return isDescending ? .max - 1 - number : number
  }

  /// A date, a day, a whole number.
  public static func ascending(_ value: Int64) -> ListKey { .ascending(ordered: value.ordered) }
  /// The largest first; `null` stays last.
  public static func descending(_ value: Int64) -> ListKey { .descending(ordered: value.ordered) }

  /// IEEE 754 total order, so −0 before 0; a NaN is sorted by its sign.
  public static func ascending(_ value: Double) -> ListKey { .ascending(ordered: value.ordered) }
  /// The largest first; `null` stays last.
  public static func descending(_ value: Double) -> ListKey { .descending(ordered: value.ordered) }
}

extension Int64 {
  /// Compares, without a sign, as the value does.
  var ordered: UInt64 { UInt64(bitPattern: self) ^ 1 << 63 }
}

extension Double {
  /// Compares, without a sign, as the value does.
  var ordered: UInt64 { bitPattern >> 63 == 1 ? ~bitPattern : bitPattern | 1 << 63 }
}
