// The id of an object, typed by its model. In memory it is only 16 bytes.

/// The identity of an object, made on the client and never changed.
///
/// `Object` only keeps the ids of different models apart. It takes no memory.
@frozen
public struct ObjectID<Object>: Hashable, Sendable, Comparable {
  /// The same 16 bytes, without the type of the model.
  public var rawValue: UUIDValue

  /// Says of which model an id is, and checks nothing; `new` makes the id of a new object.
  @inlinable
  public init(_ rawValue: UUIDValue) {
    self.rawValue = rawValue
  }

  /// 16 zero bytes. In a required field they mean absent, and are not written.
  @inlinable public static var zero: Self { Self(.zero) }

  @inlinable
  public static func < (left: Self, right: Self) -> Bool {
    left.rawValue < right.rawValue
  }
}
