// One immutable state of a list. Start reading here.
//
// A list has an entry for each of its objects: the object's row number, and two keys. Entries with the same section key
// form a section. Within it entries are sorted by the order key, then by the object's id. Contents of objects are not
// stored here.
//
// The owner of a list puts changes into a `SnapshotBatch` and applies it, which gives the next snapshot and the
// `SnapshotChanges` between the two. The previous snapshot does not change, and shares nearly all of its memory with
// the next one. `difference(from:)` finds the changes between any two. An `Accumulator` does this for batches of
// several sources.
//
// Cost, for n entries: a look-up, and each change of a batch, O(log n); building from a sorted batch, O(n); a
// difference, O(log n) for each entry that differs. Memory for each entry: 16 bytes in the tree, 16 in the index by
// row, 3 of overhead, and 23 to 29 in the `RowTable` that lists share. Each section in each leaf (of up to 96 entries)
// takes 10 more.

/// An immutable, sorted, sectioned list of rows. A copy is one reference. Any thread may read it.
public struct Snapshot: Sendable {
  var state: SnapshotState

  /// A list without entries.
  public init(_ layout: ListLayout) { state = SnapshotState(KeySpace(layout)) }

  init(_ state: SnapshotState) { self.state = state }

  /// Advances with every batch that changed anything, values included.
  public var revision: UInt64 { state.revision }
  /// Advances with every batch after which some position has another row or section. If two snapshots of one list have
  /// the same number, only values differ.
  public var layoutRevision: UInt64 { state.layoutRevision }
  /// Whether everything has been loaded. Set by the `Accumulator`, or by the list's owner.
  public var isComplete: Bool {
    get { state.isComplete }
    set { state = SnapshotState(state, isComplete: newValue) }
  }

  public var layout: ListLayout { state.space.layout }
  public var count: Int { state.tree.count }
  public var isEmpty: Bool { count == 0 }
  /// The number of sections that have entries or that the layout keeps.
  public var sectionCount: Int { state.tree.sectionCount + state.emptySections.count }
  /// How many bytes the list has taken for keys that are bytes. Grows when such keys change; see `rebuilt()`.
  public var keyByteCount: Int { state.space.arena?.byteCount ?? 0 }

  /// The same entries, with revisions that come after those of `other`. Both must be states of one list.
  package func following(_ other: Snapshot) -> Snapshot {
    precondition(isSameList(as: other), "only a state of the same list can be followed")
    return Snapshot(
      SnapshotState(
        state, revision: max(revision, other.revision) + 1,
        layoutRevision: max(layoutRevision, other.layoutRevision) + 1, isComplete: isComplete))
  }

  /// Whether both are states of one list, so that their difference can skip what they share.
  public func isSameList(as other: Snapshot) -> Bool { state.space === other.state.space }
}

/// The parts of a snapshot. A class, so that copying a snapshot counts one reference and not five.
final class SnapshotState: Sendable {
  let space: KeySpace
  let tree: Tree
  let index: RowIndex
  let emptySections: EmptySections
  let revision: UInt64
  let layoutRevision: UInt64
  let isComplete: Bool

  init(_ space: KeySpace) {
    (self.space, tree, index) = (space, Tree(), RowIndex())
    (revision, layoutRevision, isComplete) = (0, 0, false)
    emptySections = EmptySections(of: Tree(), space)
  }

  /// The state that follows `old`.
  init(_ old: SnapshotState, _ tree: Tree, _ index: RowIndex, changesLayout: Bool) {
    (space, self.tree, self.index) = (old.space, tree, index)
    (revision, isComplete) = (old.revision + 1, old.isComplete)
    layoutRevision = changesLayout ? old.layoutRevision + 1 : old.layoutRevision
    emptySections = old.space.keptSections.isEmpty ? old.emptySections : EmptySections(of: tree, old.space)
  }

  /// The same entries with other revisions.
  init(_ old: SnapshotState, revision: UInt64? = nil, layoutRevision: UInt64? = nil, isComplete: Bool) {
    (space, tree, index) = (old.space, old.tree, old.index)
    self.revision = revision ?? old.revision
    self.layoutRevision = layoutRevision ?? old.layoutRevision
    (emptySections, self.isComplete) = (old.emptySections, isComplete)
  }
}
