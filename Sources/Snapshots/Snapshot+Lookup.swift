// Looking up rows, sections and positions.

extension Snapshot {
  /// The row at a position, which must be there.
  public func row(at position: Int) -> ListRow {
    precondition(position >= 0 && position < count, "position \(position) of \(count)")
    defer { withExtendedLifetime(self) {} }
    return ListRow(state.tree.place(at: position).row)
  }

  /// The row at a place, which must be there.
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
    // In a leaf behind that in which the section starts; the section may have ended on the way.
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

  /// The place of a position, which must be there.
  public func path(at position: Int) -> SnapshotPath {
    precondition(position >= 0 && position < count, "position \(position) of \(count)")
    defer { withExtendedLifetime(self) {} }
    let found = state.tree.section(around: position)
    return SnapshotPath(
      section: state.emptySections.number(ofTree: found.number), index: position - found.positions.lowerBound)
  }

  /// The position of a place, which must be there; the index may be the section's count, for what comes after it.
  public func position(at path: SnapshotPath) -> Int {
    let positions = positions(ofSection: path.section)
    precondition(path.index >= 0 && path.index <= positions.count, "index \(path.index) of \(positions.count)")
    return positions.lowerBound + path.index
  }

  /// The order key of a row; nil where the list does not have it. A date's number says where a day's section begins.
  public func order(of row: ListRow) -> ListKey? {
    state.index.key(of: row.number).map { state.space.orderKey($0.order) }
  }
}

extension Snapshot {
  /// The keys at which a row was put; nil where the list does not have it. Sections by gap have keys of their own.
  package func keys(of row: ListRow) -> (section: ListKey, order: ListKey)? {
    state.index.key(of: row.number).map { (state.space.sectionKey($0.section), state.space.orderKey($0.order)) }
  }
}

extension Snapshot {
  /// A section, which must be there.
  public func section(at number: Int) -> SnapshotSection {
    let positions = positions(ofSection: number)
    switch state.emptySections.section(number) {
    case .empty(let word, _): return SnapshotSection(key: state.space.sectionKey(word), positions: positions)
    case .inTree(let number):
      return SnapshotSection(key: state.space.sectionKey(state.tree.sectionStart(number).word), positions: positions)
    }
  }

  /// The positions of a section's entries, without its key.
  public func positions(ofSection number: Int) -> Range<Int> {
    precondition(number >= 0 && number < sectionCount, "section \(number) of \(sectionCount)")
    switch state.emptySections.section(number) {
    case .empty(_, let before):
      let position = before < state.tree.sectionCount ? state.tree.sectionStart(before).position : count
      return position..<position
    case .inTree(let number): return state.tree.sectionStart(number).position..<state.tree.sectionEnd(number)
    }
  }

  /// The number of the section with a key; nil where there is none. Sections by gap are looked for one by one.
  public func sectionNumber(_ key: ListKey) -> Int? {
    guard let word = state.space.knownSectionWord(key) else { return nil }
    guard state.space.sectionsDecide else {
      return (0..<state.tree.sectionCount).first { state.tree.sectionStart($0).word == word }
    }
    let found = state.tree.section(word, state.space)
    return found.isThere ? state.emptySections.number(ofTree: found.number) : state.emptySections.number(ofEmpty: word)
  }
}
