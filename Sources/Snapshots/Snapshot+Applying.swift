// Applies batches to a snapshot, and compares snapshots.

extension Snapshot {
  /// The list after a batch, and the changes. If nothing changes, the same snapshot with the same revision.
  public func applying(_ batch: SnapshotBatch) -> (snapshot: Snapshot, changes: SnapshotChanges) {
    applying(batch, keepingPresent: false)
  }

  /// With `keepingPresent`, puts do not change rows that the list already has.
  func applying(
    _ batch: SnapshotBatch, keepingPresent: Bool
  ) -> (snapshot: Snapshot, changes: SnapshotChanges) {
    let old = state
    let resolved = ResolvedBatch(batch, in: old, keepingPresent: keepingPresent)
    guard !resolved.edits.isEmpty else { return (self, SnapshotChanges(from: revision, to: revision)) }
    var index = old.index
    index.apply(resolved.indexChanges)
    let stamp = UInt32(truncatingIfNeeded: old.revision + 1)
    let (new, delta): (SnapshotState, LayoutDelta)
    if case .gaps(let gap) = layout.sections {
      var sections = GapSections(old, gap: gap)
      sections.edit(resolved.edits, stamp: stamp)
      delta = TreeDifference.from(old.tree, to: sections.tree, old.space)
      new = SnapshotState(old, sections.tree, index, changesLayout: delta.changesLayout)
    } else {
      var editor = TreeEditor(old.space, stamp: stamp, resolved.edits)
      let tree = editor.edit(old.tree)
      if old.tree.count == 0, old.space.keptSections.isEmpty {
        return built(SnapshotState(old, tree, index, changesLayout: true))
      }
      delta = LayoutDelta(editor.edits)
      new = SnapshotState(old, tree, index, changesLayout: delta.changesLayout)
    }
    return (Snapshot(new), SnapshotChanges(delta, from: old, to: new))
  }

  /// The changes after a batch has filled an empty list: all sections are new, so entries need not be looked at.
  private func built(_ new: SnapshotState) -> (snapshot: Snapshot, changes: SnapshotChanges) {
    var changes = SnapshotChanges(from: revision, to: new.revision)
    changes.insertedSections = Array(0..<new.tree.sectionCount)
    return (Snapshot(new), changes)
  }

  /// The changes by which a view goes from another snapshot of this list, earlier or later, to this one. Parts that
  /// both share are skipped. For a snapshot of another list, all old sections are deleted and all new ones inserted.
  public func difference(from old: Snapshot) -> SnapshotChanges {
    if state.space === old.state.space {
      let delta = TreeDifference.from(old.state.tree, to: state.tree, state.space)
      return SnapshotChanges(delta, from: old.state, to: state)
    }
    var changes = SnapshotChanges(from: old.revision, to: revision)
    changes.deletedSections = Array(0..<old.sectionCount)
    changes.insertedSections = Array(0..<sectionCount)
    return changes
  }

  /// A copy of the list in its own memory, without the bytes of keys that are no longer used. It counts as another
  /// list, so the difference from an earlier snapshot names every section.
  public func rebuilt() -> Snapshot {
    let (tree, space) = (state.tree, state.space)
    var batch = SnapshotBatch()
    batch.reserveCapacity(count)
    for position in 0..<count {
      let key = tree.key(at: position)
      batch.put(ListRow(key.row), section: space.sectionKey(key.section), order: space.orderKey(key.order))
    }
    let new = Snapshot(layout).applying(batch).snapshot
    return Snapshot(
      SnapshotState(
        new.state, revision: revision + 1, layoutRevision: layoutRevision + 1, isComplete: isComplete))
  }
}
