// The id of an object, typed by what it names; in memory nothing but the 16 bytes.

/// The identity of an object, made on the client and never changed.
///
/// `Object` only keeps the ids of different models apart; nothing of it is stored.
@frozen
public struct ObjectID<Object>: Hashable, Sendable, Comparable {
  public var rawValue: UUIDValue

  @inlinable
  public init(_ rawValue: UUIDValue) {
    self.rawValue = rawValue
  }

  /// 16 zero bytes: "absent" in a required field.
  @inlinable public static var zero: Self { Self(.zero) }

  @inlinable
  public static func < (left: Self, right: Self) -> Bool {
    left.rawValue < right.rawValue
  }
}
