// Differences between two snapshots, in the terms of tables and collection views.

/// The changes by which a view goes from the old snapshot to the new one, all at once. What is deleted, and where something moves
/// from, counts in the old snapshot; what is inserted, and where something moves to, in the new one.
///
/// As UIKit demands: entries of a section that is deleted or inserted are not named, and nothing moves out of a deleted
/// section or into an inserted one; it is inserted, or deleted, instead. Sections never move.
public struct SnapshotChanges: Sendable {
  /// A row that comes or goes, and where.
  public struct Entry: Hashable, Sendable {
    public var row: ListRow
    public var path: SnapshotPath

    public init(row: ListRow, path: SnapshotPath) { (self.row, self.path) = (row, path) }
  }

  /// A row that both snapshots have: `from` is its place in the old one, `to` in the new one.
  public struct Move: Hashable, Sendable {
    public var row: ListRow
    public var from: SnapshotPath
    public var to: SnapshotPath

    public init(row: ListRow, from: SnapshotPath, to: SnapshotPath) { (self.row, self.from, self.to) = (row, from, to) }
  }

  /// The revisions between which these are the changes.
  public var revisions: (old: UInt64, new: UInt64)
  /// Ascending, in the old snapshot.
  public internal(set) var deletedSections: [Int] = []
  /// Ascending, in the new snapshot.
  public internal(set) var insertedSections: [Int] = []
  /// Ascending, in the old snapshot.
  public internal(set) var deletes: [Entry] = []
  /// Ascending, in the new snapshot.
  public internal(set) var inserts: [Entry] = []
  /// Ascending by where they go. Their values have changed too, mostly: with sections by gap, neighbours can move a row.
  public internal(set) var moves: [Move] = []
  /// Rows whose value has changed and that nothing else is said of, ascending; UIKit reloads what is at `from`.
  public package(set) var updates: [Move] = []

  init(from old: UInt64, to new: UInt64) { revisions = (old, new) }

  /// Whether any position has another row or section.
  public var changesLayout: Bool {
    !(deletedSections.isEmpty && insertedSections.isEmpty && deletes.isEmpty && inserts.isEmpty && moves.isEmpty)
  }

  /// Whether a view has nothing to draw.
  public var isEmpty: Bool { !changesLayout && updates.isEmpty }
}
