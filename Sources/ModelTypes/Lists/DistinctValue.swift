// The value by which the objects of a list are told apart, where of those with the same value only the first is shown.

public import WireFormat

/// Stands for the value of a field in 16 bytes, whatever its length.
///
/// Two hashes whose seeds are drawn anew in each process: values that meet by chance are one in 2^64 lists of a million
/// objects, and nobody can choose values that do.
public struct DistinctValue: Hashable, Sendable, BitwiseCopyable {
  package let high: UInt64
  package let low: UInt64

  /// Stands for no value: those of values are never 0.
  package static let none = Self(high: 0, low: 0)

  private init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  init(_ combine: (inout Hasher) -> Void) {
    var (first, second) = (Hasher(), Hasher())
    second.combine(UInt64.max)
    combine(&first)
    combine(&second)
    (high, low) = (UInt64(bitPattern: Int64(first.finalize())) | 1, UInt64(bitPattern: Int64(second.finalize())))
  }

  /// Two values that differ only in how a text is composed differ.
  public static func exact(_ text: String?) -> Self? {
    guard var text else { return nil }
    return text.withUTF8 { bytes in Self { $0.combine(bytes: UnsafeRawBufferPointer(bytes)) } }
  }

  /// Two numbers that `listNumber` tells apart differ, as −0 and 0 do; nil for no value.
  public static func exact<Value: ListNumber>(_ value: Value?) -> Self? {
    value.map { value in Self { $0.combine(value.listNumber) } }
  }

  public static func exact(_ bytes: [UInt8]?) -> Self? {
    bytes.map { bytes in bytes.withUnsafeBytes { bytes in Self { $0.combine(bytes: bytes) } } }
  }

  public static func exact(_ hash: ContentHash?) -> Self? { hash.map { hash in Self { $0.combine(hash) } } }
  public static func exact(_ id: UUIDValue?) -> Self? { id.map { id in Self { $0.combine(id) } } }
  public static func exact<Object>(_ id: ObjectID<Object>?) -> Self? { exact(id?.rawValue) }
}
