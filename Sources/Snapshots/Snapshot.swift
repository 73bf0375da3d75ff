// One state of a list that never changes. Start here.
//
// A list has an entry for each of its objects: the object's row number, and two keys by which it is sorted. Entries with
// one section key are a section; inside it the order key decides, then the object's id. Contents of objects are not here.
//
// The owner of a list puts changes into a `SnapshotBatch` and applies it: that gives the next snapshot and the
// `SnapshotChanges` between the two. The snapshot before stays what it was and shares nearly all memory with the next
// one. `difference(from:)` finds the changes between any two. An `Accumulator` does this for batches of several sources.
//
// Cost, n entries: look-ups, and each change of a batch, O(log n); building from a sorted batch O(n); a difference, what
// differs times O(log n). Memory: 16 bytes an entry in the tree, 16 in the index by row, 3 of overhead, 10 for each section
// in each leaf of up to 96 entries, and 23 to 29 in the `RowTable` that lists share.

/// An immutable, sorted, sectioned list of rows. Copying it costs nothing; any thread may read it.
public struct Snapshot: Sendable {
  var state: SnapshotState

  /// A list without entries.
  public init(_ layout: ListLayout) { state = SnapshotState(KeySpace(layout)) }

  init(_ state: SnapshotState) { self.state = state }

  /// Advances with every batch that changed anything, values included.
  public var revision: UInt64 { state.revision }
  /// Advances with every batch after which some position has another row or section. Between two snapshots of one list
  /// with the same number, only values differ.
  public var layoutRevision: UInt64 { state.layoutRevision }
  /// Whether everything has been loaded. Set by the `Accumulator`, or by the list's owner.
  public var isComplete: Bool {
    get { state.isComplete }
    set { state = SnapshotState(state, isComplete: newValue) }
  }

  public var layout: ListLayout { state.space.layout }
  public var count: Int { state.tree.count }
  public var isEmpty: Bool { count == 0 }
  /// Sections with entries, and those that the layout keeps.
  public var sectionCount: Int { state.tree.sectionCount + state.emptySections.count }
  /// Bytes that the list has taken for keys that are bytes. Grows when they change, see `rebuilt()`.
  public var keyByteCount: Int { state.space.arena?.byteCount ?? 0 }

  /// The same entries as a state that comes after another one of this list, which was made of the same beginnings.
  package func following(_ other: Snapshot) -> Snapshot {
    precondition(isSameList(as: other), "only a state of the same list can be followed")
    return Snapshot(
      SnapshotState(
        state, revision: max(revision, other.revision) + 1,
        layoutRevision: max(layoutRevision, other.layoutRevision) + 1, isComplete: isComplete))
  }

  /// Whether both are states of one list, so that a difference of them is found by what they share.
  public func isSameList(as other: Snapshot) -> Bool { state.space === other.state.space }
}

/// The parts of a snapshot; a reference, so that passing a snapshot on counts one and not five.
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

  /// The next state.
  init(_ old: SnapshotState, _ tree: Tree, _ index: RowIndex, changesLayout: Bool) {
    (space, self.tree, self.index) = (old.space, tree, index)
    (revision, isComplete) = (old.revision + 1, old.isComplete)
    layoutRevision = changesLayout ? old.layoutRevision + 1 : old.layoutRevision
    emptySections = old.space.keptSections.isEmpty ? old.emptySections : EmptySections(of: tree, old.space)
  }

  /// The same entries under other numbers.
  init(_ old: SnapshotState, revision: UInt64? = nil, layoutRevision: UInt64? = nil, isComplete: Bool) {
    (space, tree, index) = (old.space, old.tree, old.index)
    self.revision = revision ?? old.revision
    self.layoutRevision = layoutRevision ?? old.layoutRevision
    (emptySections, self.isComplete) = (old.emptySections, isComplete)
  }
}
