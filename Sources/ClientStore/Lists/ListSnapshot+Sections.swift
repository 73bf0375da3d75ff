// A snapshot as collections, for `ForEach` and other loops. Making one is free.

public import ModelTypes
import Snapshots
public import WireFormat

extension ListSnapshot {
  /// All objects in their order.
  public var ids: ListedIDs<Object, Section> { ListedIDs(snapshot: self, positions: 0..<count) }

  /// All sections in their order, each with its objects.
  public var sections: ListedSections<Object, Section> { ListedSections(snapshot: self) }
}

/// The ids at neighbouring positions of a list.
public struct ListedIDs<Object: Model, Section: ListSection>: RandomAccessCollection, Sendable {
  let snapshot: ListSnapshot<Object, Section>
  /// The positions in the list.
  public let positions: Range<Int>

  public var startIndex: Int { 0 }
  public var endIndex: Int { positions.count }

  public subscript(index: Int) -> ObjectID<Object> {
    precondition(positions.indices.contains(positions.lowerBound + index), "index \(index) of \(positions.count)")
    return snapshot.id(at: positions.lowerBound + index)
  }
}

/// A section of a list: what its objects have in common, and their ids.
public struct ListedSection<Object: Model, Section: ListSection>: Identifiable, Sendable {
  /// The value that its objects share. It names the same section in every state of the list.
  public let id: Section
  /// Its objects in their order; none where the section is kept empty.
  public let ids: ListedIDs<Object, Section>
}

/// The sections of a list in their order, by numbers from 0.
public struct ListedSections<Object: Model, Section: ListSection>: RandomAccessCollection, Sendable {
  let snapshot: ListSnapshot<Object, Section>

  public var startIndex: Int { 0 }
  public var endIndex: Int { snapshot.sectionCount }

  public subscript(number: Int) -> ListedSection<Object, Section> {
    ListedSection(
      id: snapshot.section(at: number),
      ids: ListedIDs(snapshot: snapshot, positions: snapshot.positions(ofSection: number)))
  }
}
