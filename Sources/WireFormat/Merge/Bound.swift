// The larger or the smaller of two numbers, without a schema.

/// Which of two numbers a field keeps.
public enum Bound: Hashable, Sendable {
  /// The larger one.
  case raise
  /// The smaller one.
  case lower
}

/// A type of which the larger or smaller of two values can be told from their bytes: numbers of wire type 0 compare as
/// signed numbers of 64 bits, so `UInt64` is none of them; those of wire types 1 and 5 by IEEE 754's total order.
public protocol BoundedField: WireField {}

extension Int32: BoundedField {}
extension Int64: BoundedField {}
extension UInt32: BoundedField {}
extension Float: BoundedField {}
extension Double: BoundedField {}
extension Timestamp: BoundedField {}
extension Optional: BoundedField where Wrapped: BoundedField & WireElement {}

extension RecordRange {
  /// The last record of this wire type; nil if there is none.
  func last(of wireType: WireType) throws(WireError) -> Record? {
    var reader = RecordReader(bytes, in: range)
    var last: Record?
    while let record = try reader.next() {
      if record.wireType == wireType { last = record }
    }
    return last
  }
}

/// A number in a record, which can be compared with others of its wire type.
struct BoundedNumber {
  private let wireType: WireType
  private let bits: UInt64

  /// Nil for a record of wire type 2, which has no number.
  init?(_ record: Record, in bytes: UnsafeRawBufferPointer) {
    wireType = record.wireType
    switch record.wireType {
    case .varint: bits = RecordReader(bytes, in: record.value).number(record)
    case .fixed64:
      bits = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: record.value.lowerBound, as: UInt64.self))
    case .fixed32:
      bits = UInt64(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: record.value.lowerBound, as: UInt32.self)))
    case .length: return nil
    }
  }

  /// Whether this number takes the place of the other one, which has the same wire type.
  func isBeyond(_ other: Self, _ bound: Bound) -> Bool {
    switch bound {
    case .raise: !isAtMost(other)
    case .lower: !other.isAtMost(self)
    }
  }

  private func isAtMost(_ other: Self) -> Bool {
    switch wireType {
    case .fixed32:
      Float(bitPattern: UInt32(truncatingIfNeeded: bits)).isTotallyOrdered(
        belowOrEqualTo: Float(bitPattern: UInt32(truncatingIfNeeded: other.bits)))
    case .fixed64: Double(bitPattern: bits).isTotallyOrdered(belowOrEqualTo: Double(bitPattern: other.bits))
    case .varint, .length: Int64(bitPattern: bits) <= Int64(bitPattern: other.bits)
    }
  }

  func write(to output: inout RecordWriter, _ tag: Int) {
    switch wireType {
    case .fixed32: output.fixed32(tag, UInt32(truncatingIfNeeded: bits))
    case .fixed64: output.fixed64(tag, bits)
    case .varint, .length: output.varint(tag, bits)
    }
  }
}
