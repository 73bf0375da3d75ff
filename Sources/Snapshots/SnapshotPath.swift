// Places in a snapshot, as tables and collection views name them.

/// The place of an entry: its section, and its index within the section, both from 0.
@frozen
public struct SnapshotPath: Hashable, Comparable, Sendable {
  /// The number of the section, from 0. Sections that the list keeps without objects count too.
  public var section: Int
  /// The number of the entry within its section, from 0.
  public var index: Int

  /// Names a place for a look-up, which traps where the snapshot has no such place.
  @inlinable
  public init(section: Int, index: Int) {
    self.section = section
    self.index = index
  }

  public static func < (left: Self, right: Self) -> Bool {
    left.section != right.section ? left.section < right.section : left.index < right.index
  }
}

/// A section of one snapshot.
public struct SnapshotSection: Hashable, Sendable {
  /// The key by which the same section is found in another snapshot.
  public var key: ListKey
  /// The positions of its entries; empty for a kept section without entries.
  public var positions: Range<Int>

  public var count: Int { positions.count }
}
