// One state of a list, for the code that draws it.

public import ModelTypes
public import Snapshots
public import WireFormat

/// Which object is where, at one moment. A snapshot never changes, copying it is free, and any thread may read it.
///
/// Only the layout is fixed. Values are read by id, and are the newest.
public struct ListSnapshot<Object: Model, Section: ListSection>: Sendable {
  /// The same list by row numbers, with cursors for scrolling.
  package let base: Snapshot
  private let isDescending: Bool

  init(base: Snapshot, isDescending: Bool) {
    self.base = base
    self.isDescending = isDescending
  }

  /// The number of objects in all sections. Positions go from 0 to `count - 1`.
  public var count: Int { base.count }
  /// Whether the list has no object. It may still have sections, which it keeps without any.
  public var isEmpty: Bool { base.isEmpty }
  /// Whether all objects were read, and have their places. Until then objects come, and some go.
  public var isComplete: Bool { base.isComplete }
  /// Advances with every change, also of values.
  public var revision: UInt64 { base.revision }
  /// Advances with every change of the order or of the sections.
  public var layoutRevision: UInt64 { base.layoutRevision }
}

// Look-ups by position, which must be there.
extension ListSnapshot {
  /// The object at a position, which must be there.
  public func id(at position: Int) -> ObjectID<Object> { id(of: base.row(at: position)) }

  /// The object at a place, which must be there.
  public func id(at path: SnapshotPath) -> ObjectID<Object> { id(of: base.row(at: path)) }

  /// The object of a row that a change names.
  public func id(of row: ListRow) -> ObjectID<Object> { ObjectID(UUIDValue(base.layout.rows.id(of: row))) }

  /// Sections with objects, and those that the list keeps without any.
  public var sectionCount: Int { base.sectionCount }

  /// The value that the objects of the section share.
  public func section(at number: Int) -> Section {
    guard let section = Section(base.section(at: number).key, isDescending: isDescending) else {
      preconditionFailure("the definition of a list gave a value that is not a section")
    }
    return section
  }

  /// The positions of a section's objects.
  public func positions(ofSection number: Int) -> Range<Int> { base.positions(ofSection: number) }
}

// Look-ups by object; nil if the list does not have it.
extension ListSnapshot {
  /// Whether the object has a place in the list.
  public func contains(_ id: ObjectID<Object>) -> Bool { row(of: id).map(base.contains) ?? false }

  /// The position of an object; nil where the list does not have it.
  public func position(of id: ObjectID<Object>) -> Int? { row(of: id).flatMap(base.position) }

  /// The section of an object, and its place there; nil where the list does not have it.
  public func path(of id: ObjectID<Object>) -> SnapshotPath? { row(of: id).flatMap { base.path(of: $0) } }

  private func row(of id: ObjectID<Object>) -> ListRow? { base.layout.rows.knownRow(for: RowID(id.rawValue)) }
}
