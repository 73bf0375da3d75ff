// Values that are sorted as numbers.

public import Snapshots
public import WireFormat

/// A value that converts to a number in the same order, and back.
public protocol ListNumber: Hashable, Sendable {
  /// Its numbers compare, without a sign, as the values do.
  var _listNumber: UInt64 { get }

  init(_listNumber: UInt64)
}

extension FixedWidthInteger where Self: SignedInteger {
  @inlinable public var _listNumber: UInt64 { UInt64(bitPattern: Int64(self)) ^ 1 << 63 }

  public init(_listNumber: UInt64) { self.init(truncatingIfNeeded: Int64(bitPattern: _listNumber ^ 1 << 63)) }
}

extension FixedWidthInteger where Self: UnsignedInteger {
  @inlinable public var _listNumber: UInt64 { UInt64(self) }

  public init(_listNumber: UInt64) { self.init(truncatingIfNeeded: _listNumber) }
}

extension Int32: ListNumber {}
extension Int64: ListNumber {}
extension UInt32: ListNumber {}
extension UInt64: ListNumber {}

extension Bool: ListNumber {
  @inlinable public var _listNumber: UInt64 { self ? 1 : 0 }

  public init(_listNumber: UInt64) { self = _listNumber != 0 }
}

/// In the total order of IEEE 754: −0 before 0, a NaN first or last by its sign.
extension Double: ListNumber {
  @inlinable public var _listNumber: UInt64 { bitPattern >> 63 == 1 ? ~bitPattern : bitPattern | 1 << 63 }

  public init(_listNumber: UInt64) {
    self.init(bitPattern: _listNumber >> 63 == 1 ? _listNumber & ~(1 << 63) : ~_listNumber)
  }
}

extension Float: ListNumber {
  @inlinable public var _listNumber: UInt64 { Double(self)._listNumber }

  public init(_listNumber: UInt64) { self.init(Double(_listNumber: _listNumber)) }
}

extension Timestamp: ListNumber {
  @inlinable public var _listNumber: UInt64 { millisecondsSince1970._listNumber }

  public init(_listNumber: UInt64) { self.init(millisecondsSince1970: Int64(_listNumber: _listNumber)) }
}

extension ModelEnum {
  @inlinable public var _listNumber: UInt64 { rawValue._listNumber }

  public init(_listNumber: UInt64) { self.init(rawValue: Int32(_listNumber: _listNumber)) }
}

extension ListKey {
  /// The smallest value comes first, and nil last.
  @inlinable
  public static func ascending<Value: ListNumber>(_ value: Value?) -> ListKey {
    value.map { .ascending(ordered: $0._listNumber) } ?? .null
  }

  /// The largest value comes first; nil still comes last.
  @inlinable
  public static func descending<Value: ListNumber>(_ value: Value?) -> ListKey {
    value.map { .descending(ordered: $0._listNumber) } ?? .null
  }

  /// The value of a key that `ascending` or `descending` has made.
  func value<Value: ListNumber>(isDescending: Bool) -> Value? {
    ordered(isDescending: isDescending).map { Value(_listNumber: $0) }
  }

  /// A key of several values: the first decides, then the second.
  public static func joined(_ append: (inout KeyBytes) -> Void) -> ListKey {
    var bytes = KeyBytes()
    append(&bytes)
    return bytes.key
  }
}

extension KeyBytes {
  /// Adds a number; nil comes after all others, ascending and descending.
  public mutating func append<Value: ListNumber>(number value: Value?, descending: Bool = false) {
    if let value { append(value._listNumber, descending: descending) } else { appendNull() }
  }
}
