// Looking up rows, sections and positions.

extension Snapshot {
  /// The row at a position. Traps if the position is out of bounds.
  public func row(at position: Int) -> ListRow {
    precondition(position >= 0 && position < count, "position \(position) of \(count)")
    defer { withExtendedLifetime(self) {} }
    return ListRow(state.tree.place(at: position).row)
  }

  /// The row at a path. Traps if there is none.
  public func row(at path: SnapshotPath) -> ListRow {
    precondition(path.section >= 0 && path.section < sectionCount, "section \(path.section) of \(sectionCount)")
    guard case .inTree(let number) = state.emptySections.section(path.section) else {
      preconditionFailure("section \(path.section) is empty")
    }
    defer { withExtendedLifetime(self) {} }
    let start = state.tree.sectionStart(number)
    let entry = start.entry + path.index
    precondition(path.index >= 0 && start.position + path.index < count, "index \(path.index)")
    if entry < start.leaf.runEnd(start.run) { return ListRow(start.leaf.rows[entry]) }
    // The entry is in a later leaf than the start of its section, unless the section ends before it.
    precondition(entry >= start.leaf.count, "index \(path.index) is behind the end of section \(path.section)")
    let place = state.tree.place(at: start.position + path.index)
    let section = place.leaf.runSections[place.leaf.run(of: place.entry)]
    precondition(section == start.word, "index \(path.index) is behind the end of section \(path.section)")
    return ListRow(place.row)
  }

  public func contains(_ row: ListRow) -> Bool { state.index.key(of: row.number) != nil }

  /// Nil where the list does not have the row.
  public func position(of row: ListRow) -> Int? {
    guard let key = state.index.key(of: row.number) else { return nil }
    let (position, isThere) = state.tree.lowerBound(key, state.space)
    precondition(isThere, "the index names an entry that is not in the tree")
    return position
  }

  /// Nil where the list does not have the row.
  public func path(of row: ListRow) -> SnapshotPath? { position(of: row).map(path(at:)) }

  /// The path of a position. Traps if the position is out of bounds.
  public func path(at position: Int) -> SnapshotPath {
    precondition(position >= 0 && position < count, "position \(position) of \(count)")
    defer { withExtendedLifetime(self) {} }
    let found = state.tree.section(around: position)
    return SnapshotPath(
      section: state.emptySections.number(ofTree: found.number), index: position - found.positions.lowerBound)
  }

  /// The position of a path. The index may be the section's count, for the position after its last entry. Traps for a
  /// larger one.
  public func position(at path: SnapshotPath) -> Int {
    let positions = positions(ofSection: path.section)
    precondition(path.index >= 0 && path.index <= positions.count, "index \(path.index) of \(positions.count)")
    return positions.lowerBound + path.index
  }

  /// The order key of a row; nil where the list does not have it.
  public func order(of row: ListRow) -> ListKey? {
    state.index.key(of: row.number).map { state.space.orderKey($0.order) }
  }
}

extension Snapshot {
  /// The keys with which a row was put; nil where the list does not have it. With sections by gap, the section means
  /// nothing.
  package func keys(of row: ListRow) -> (section: ListKey, order: ListKey)? {
    state.index.key(of: row.number).map { (state.space.sectionKey($0.section), state.space.orderKey($0.order)) }
  }
}

extension Snapshot {
  /// The section with a number. Traps if there is none.
  public func section(at number: Int) -> SnapshotSection {
    let positions = positions(ofSection: number)
    switch state.emptySections.section(number) {
    case .empty(let word, _): return SnapshotSection(key: state.space.sectionKey(word), positions: positions)
    case .inTree(let number):
      return SnapshotSection(key: state.space.sectionKey(state.tree.sectionStart(number).word), positions: positions)
    }
  }

  /// The positions of a section's entries. Cheaper than `section(at:)`, which also reads the key. Traps if there is no
  /// such section.
  public func positions(ofSection number: Int) -> Range<Int> {
    precondition(number >= 0 && number < sectionCount, "section \(number) of \(sectionCount)")
    switch state.emptySections.section(number) {
    case .empty(_, let before):
      let position = before < state.tree.sectionCount ? state.tree.sectionStart(before).position : count
      return position..<position
    case .inTree(let number): return state.tree.sectionStart(number).position..<state.tree.sectionEnd(number)
    }
  }

  /// The number of the section with a key; nil if there is none. Sections by gap are searched one by one.
  public func sectionNumber(_ key: ListKey) -> Int? {
    guard let word = state.space.knownSectionWord(key) else { return nil }
    guard state.space.sectionsDecide else {
      return (0..<state.tree.sectionCount).first { state.tree.sectionStart($0).word == word }
    }
    let found = state.tree.section(word, state.space)
    return found.isThere ? state.emptySections.number(ofTree: found.number) : state.emptySections.number(ofEmpty: word)
  }
}
