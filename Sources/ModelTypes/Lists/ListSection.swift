// The sections of lists as typed values: the section of a day is a `CalendarDay`, not a text.

public import Snapshots
public import WireFormat

/// The value that the objects of a section share.
public protocol ListSection: Hashable, Sendable {
  /// Reads the key that the list's definition made; nil for the key of no value, as of objects without a date.
  init?(_ key: ListKey, isDescending: Bool)
}

/// A list that is not divided: it has one section, or none while it is empty.
public struct Unsectioned: ListSection {
  /// The only value of the type.
  public init() {}

  /// Never nil: every key is that of the one section.
  public init?(_ key: ListKey, isDescending: Bool) {}
}

/// Objects between two gaps. The section keeps its identity while objects come and go in it.
public struct GapSection: ListSection {
  /// Identifies the section. Its objects decide its place, not this number.
  public var number: UInt64

  /// Reads the number that the list gave the section. Direction does not matter; nil for a key of bytes.
  public init?(_ key: ListKey, isDescending: Bool) {
    guard case .number(let number) = key else { return nil }
    self.number = number
  }
}

extension CalendarDay: ListSection, ListNumber {
  @inlinable public var _listNumber: UInt64 { daysSince1970._listNumber }

  public init(_listNumber: UInt64) { self.init(daysSince1970: Int64(_listNumber: _listNumber)) }
}

extension CalendarWeek: ListSection, ListNumber {
  @inlinable public var _listNumber: UInt64 { firstDay._listNumber }

  public init(_listNumber: UInt64) { self.init(firstDay: CalendarDay(_listNumber: _listNumber)) }
}

extension CalendarMonth: ListSection, ListNumber {
  @inlinable public var _listNumber: UInt64 { number._listNumber }

  public init(_listNumber: UInt64) { self.init(number: Int64(_listNumber: _listNumber)) }
}

extension CalendarYear: ListSection, ListNumber {
  @inlinable public var _listNumber: UInt64 { number._listNumber }

  public init(_listNumber: UInt64) { self.init(number: Int64(_listNumber: _listNumber)) }
}

extension ListNumber where Self: ListSection {
  public init?(_ key: ListKey, isDescending: Bool) {
    guard let value: Self = key.value(isDescending: isDescending) else { return nil }
    self = value
  }
}

extension Bool: ListSection {}
extension Int32: ListSection {}
extension Int64: ListSection {}
extension UInt32: ListSection {}
extension UInt64: ListSection {}
extension Float: ListSection {}
extension Double: ListSection {}
extension Timestamp: ListSection {}

extension String: ListSection {
  public init?(_ key: ListKey, isDescending: Bool) {
    guard let text = key.text(isDescending: isDescending) else { return nil }
    self = text
  }
}

/// The section of a field that may be absent; nil is the last one.
extension Optional: ListSection where Wrapped: ListSection {
  public init?(_ key: ListKey, isDescending: Bool) {
    let section: Wrapped? = Wrapped(key, isDescending: isDescending)
    self = section
  }
}

extension ListContext {
  /// `day(f)` of a schema, by the calendar of the context.
  public func day(of time: Timestamp) -> CalendarDay { calendar.day(of: time) }
  /// `week(f)` of a schema, by the calendar of the context.
  public func week(of time: Timestamp) -> CalendarWeek { calendar.week(of: time) }
  /// `month(f)` of a schema, by the calendar of the context.
  public func month(of time: Timestamp) -> CalendarMonth { CalendarMonth(of: day(of: time)) }
  /// `year(f)` of a schema, by the calendar of the context.
  public func year(of time: Timestamp) -> CalendarYear { CalendarYear(number: day(of: time).year) }
}
