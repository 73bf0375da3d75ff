// Differences between two snapshots, in the terms of tables and collection views.

/// The changes by which a view goes from the old snapshot to the new one, all at once. Deletions and the origins of
/// moves count in the old snapshot, insertions and the targets of moves in the new one.
///
/// As UIKit demands, the entries of a deleted or inserted section are not named. A row that leaves a deleted section,
/// or enters an inserted one, does not move: it is inserted, or deleted. Sections never move.
public struct SnapshotChanges: Sendable {
  /// A row that comes or goes, and where.
  public struct Entry: Hashable, Sendable {
    /// The row that comes or goes; `ListSnapshot.id(of:)` gives its object.
    public var row: ListRow
    /// Its place: in the old snapshot if it goes, in the new one if it comes.
    public var path: SnapshotPath

    /// For tests of code that draws changes.
    public init(row: ListRow, path: SnapshotPath) { (self.row, self.path) = (row, path) }
  }

  /// A row that both snapshots have: `from` is its place in the old one, `to` in the new one.
  public struct Move: Hashable, Sendable {
    /// The row that both snapshots have; `ListSnapshot.id(of:)` gives its object.
    public var row: ListRow
    /// Its place in the old snapshot.
    public var from: SnapshotPath
    /// Its place in the new snapshot.
    public var to: SnapshotPath

    /// For tests of code that draws changes.
    public init(row: ListRow, from: SnapshotPath, to: SnapshotPath) { (self.row, self.from, self.to) = (row, from, to) }
  }

  /// The revisions of the old and the new snapshot.
  public var revisions: (old: UInt64, new: UInt64)
  /// Sections of the old snapshot, ascending.
  public internal(set) var deletedSections: [Int] = []
  /// Sections of the new snapshot, ascending.
  public internal(set) var insertedSections: [Int] = []
  /// Ascending by path in the old snapshot.
  public internal(set) var deletes: [Entry] = []
  /// Ascending by path in the new snapshot.
  public internal(set) var inserts: [Entry] = []
  /// Ascending by target. Mostly the rows' values have changed too, but with sections by gap a row also moves when only
  /// its neighbours change.
  public internal(set) var moves: [Move] = []
  /// Rows whose value has changed and that are in no other list here, ascending. UIKit reloads the rows at `from`.
  public package(set) var updates: [Move] = []

  init(from old: UInt64, to new: UInt64) { revisions = (old, new) }

  /// Whether any position has another row or section.
  public var changesLayout: Bool {
    !(deletedSections.isEmpty && insertedSections.isEmpty && deletes.isEmpty && inserts.isEmpty && moves.isEmpty)
  }

  /// Whether a view has nothing to draw.
  public var isEmpty: Bool { !changesLayout && updates.isEmpty }
}
