// Turns the positions of a `LayoutDelta` into paths and sections.

extension SnapshotChanges {
  init(_ delta: consuming LayoutDelta, from old: SnapshotState, to new: SnapshotState) {
    self.init(from: old.revision, to: new.revision)
    deletedSections = old.place(&delta.removed, other: new, delta.sectionsNearby.new)
    insertedSections = new.place(&delta.added, other: old, delta.sectionsNearby.old)
    addMoves(&delta)
    for spot in delta.removed where spot.isNamed { deletes.append(Entry(row: ListRow(spot.row), path: spot.path)) }
    for spot in delta.added where spot.isNamed { inserts.append(Entry(row: ListRow(spot.row), path: spot.path)) }
    addUpdates(delta.touched, from: old, to: new)
  }

  private mutating func addMoves(_ delta: inout LayoutDelta) {
    for (from, to) in delta.moves where delta.removed[from].isNamed && delta.added[to].isNamed {
      let (source, target) = (delta.removed[from], delta.added[to])
      let move = Move(row: ListRow(source.row), from: source.path, to: target.path)
      (delta.removed[from].isNamed, delta.added[to].isNamed) = (false, false)
      if delta.samePlaces.contains(from) { updates.append(move) } else { moves.append(move) }
    }
  }

  private mutating func addUpdates(
    _ touched: [(spot: EntrySpot, oldPosition: Int)], from old: SnapshotState, to new: SnapshotState
  ) {
    var (oldSections, newSections) = (SectionWalk(), SectionWalk())
    for (spot, oldPosition) in touched {
      let (from, to) = (oldSections.path(oldPosition, in: old), newSections.path(spot.position, in: new))
      updates.append(Move(row: ListRow(spot.row), from: from, to: to))
    }
    // `addMoves` has already added the entries that kept their places although their keys changed.
    if updates.count > touched.count { updates.sort { $0.to < $1.to } }
  }
}

extension SnapshotState {
  /// Gives removed or added entries their paths. Returns the sections that `other` does not have, and marks their
  /// entries as not named. `nearby` has the sections of `other` around the differences; only sections by gap use it.
  fileprivate func place(_ spots: inout [EntrySpot], other: SnapshotState, _ nearby: Set<UInt64>) -> [Int] {
    var gone: [Int] = []
    var walk = SectionWalk()
    var index = 0
    while index < spots.count {
      let start = index
      let section = spots[index].section
      while index < spots.count, spots[index].section == section {
        spots[index].path = walk.path(spots[index].position, in: self)
        index += 1
      }
      // A section that has other entries too is in both snapshots.
      guard walk.positions.count <= index - start, !other.hasSection(section, nearby) else { continue }
      gone.append(spots[start].path.section)
      for index in start..<index { spots[index].isNamed = false }
    }
    return gone
  }

  private func hasSection(_ word: UInt64, _ nearby: Set<UInt64>) -> Bool {
    guard space.sectionsDecide else { return nearby.contains(word) }
    return space.keptSections.contains(word) || tree.section(word, space).isThere
  }
}

/// Finds the paths of ascending positions. A section that was found serves for the next entries in it.
private struct SectionWalk {
  private var section = 0
  /// The positions of the section, up to the end of the last leaf that was read.
  private(set) var positions = 0..<0

  mutating func path(_ position: Int, in state: SnapshotState) -> SnapshotPath {
    if !positions.contains(position) {
      let found = state.tree.section(around: position)
      section = state.emptySections.number(ofTree: found.number)
      positions = found.positions
    }
    return SnapshotPath(section: section, index: position - positions.lowerBound)
  }
}
