// The values of `distinct:` fields. A list shows only the first of the objects with the same value.

public import WireFormat

/// Stands for the value of a field in 16 bytes, whatever its length.
///
/// Two hashes with seeds that are drawn anew in each process, so nobody can choose values that collide. By chance,
/// fewer than one list of a million objects in 2^64 has a collision.
public struct DistinctValue: Hashable, Sendable, BitwiseCopyable {
  package let high: UInt64
  package let low: UInt64

  /// Stands for no value; a real value is never 0.
  package static let none = Self(high: 0, low: 0)

  private init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  init(_ combine: (inout Hasher) -> Void) {
    var (first, second) = (Hasher(), Hasher())
    second.combine(UInt64.max)
    combine(&first)
    combine(&second)
    (high, low) = (UInt64(bitPattern: Int64(first.finalize())) | 1, UInt64(bitPattern: Int64(second.finalize())))
  }

  /// Texts that differ only in how their characters are composed have the same value. Nil for nil.
  public static func exact(_ text: String?) -> Self? {
    guard var text = text?.canonical else { return nil }
    return text.withUTF8 { bytes in Self { $0.combine(bytes: UnsafeRawBufferPointer(bytes)) } }
  }

  /// Numbers that `_listNumber` tells apart, such as −0 and 0, have different values. Nil for nil.
  public static func exact<Value: ListNumber>(_ value: Value?) -> Self? {
    value.map { value in Self { $0.combine(value._listNumber) } }
  }

  public static func exact(_ bytes: [UInt8]?) -> Self? {
    bytes.map { bytes in bytes.withUnsafeBytes { bytes in Self { $0.combine(bytes: bytes) } } }
  }

  public static func exact(_ hash: ContentHash?) -> Self? { hash.map { hash in Self { $0.combine(hash) } } }
  public static func exact(_ id: UUIDValue?) -> Self? { id.map { id in Self { $0.combine(id) } } }
  public static func exact<Object>(_ id: ObjectID<Object>?) -> Self? { exact(id?.rawValue) }
}
