// Sort and section keys of a list: a number, or bytes.

/// The order or the section of one object, as a value that compares as the list is to be sorted.
///
/// A list uses one kind of key for all of its sections, and one for all of its orders (`ListLayout`). Numbers need no
/// memory beyond the entry. Bytes are stored in an arena of the list, which is not read to compare keys that differ in
/// their first four bytes.
public enum ListKey: Hashable, Sendable {
  case number(UInt64)
  /// Compared as `memcmp` does; a prefix sorts first. Only the first `maximumLength` bytes count.
  case bytes([UInt8])

  /// Keys that differ only after this many bytes are equal, so the ids of their objects decide.
  public static let maximumLength = 1_024
}

extension ListKey {
  /// The key for no value. It sorts last, ascending and descending.
  @inlinable public static var null: ListKey { .number(.max) }

  /// The key of an unsigned number that sorts as its value does. `UInt64.max` gets the same key as the number below it,
  /// so that `null` sorts last.
  @inlinable public static func ascending(ordered number: UInt64) -> ListKey { .number(min(number, .max - 1)) }
  @inlinable public static func descending(ordered number: UInt64) -> ListKey {
    .number(.max - 1 - min(number, .max - 1))
  }

  /// The number in a key that `ascending(ordered:)` or `descending(ordered:)` has made; nil for `null` and for bytes.
  @inlinable
  public func ordered(isDescending: Bool) -> UInt64? {
    guard case .number(let number) = self, self != .null else { return nil }
    return isDescending ? .max - 1 - number : number
  }

  /// The key of a date, a day or a whole number.
  public static func ascending(_ value: Int64) -> ListKey { .ascending(ordered: value.ordered) }
  /// The largest value sorts first; `null` stays last.
  public static func descending(_ value: Int64) -> ListKey { .descending(ordered: value.ordered) }

  /// Sorts in IEEE 754 total order: −0 before 0, a NaN by its sign.
  public static func ascending(_ value: Double) -> ListKey { .ascending(ordered: value.ordered) }
  /// The largest value sorts first; `null` stays last.
  public static func descending(_ value: Double) -> ListKey { .descending(ordered: value.ordered) }
}

extension Int64 {
  /// An unsigned number that compares as this value does.
  var ordered: UInt64 { UInt64(bitPattern: self) ^ 1 << 63 }
}

extension Double {
  /// An unsigned number that compares as this value does.
  var ordered: UInt64 { bitPattern >> 63 == 1 ? ~bitPattern : bitPattern | 1 << 63 }
}
