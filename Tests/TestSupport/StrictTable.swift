// A table view without a screen: it throws where UITableView raises, and where it would show something wrong.

package import Snapshots

/// An update that a table view would refuse, with the reason as a sentence.
package struct InvalidUpdate: Error, CustomStringConvertible {
  package let description: String

  package init(description: String) { self.description = description }
}

/// Shows rows in sections, each with its drawing, and changes only what updates name.
package struct StrictTable<Row: Hashable, Drawing: Equatable> {
  package struct Cell: Equatable {
    package var row: Row
    package var drawing: Drawing
  }

  package private(set) var sections: [[Cell]]

  package init(_ content: [[Row]], draw: (Row) -> Drawing) {
    sections = content.map { $0.map { Cell(row: $0, drawing: draw($0)) } }
  }

  /// Applies an update as a table view does, or throws what is wrong with it. Takes the inserted rows from `new`, and
  /// calls `draw` for rows that are inserted, moved or loaded anew. `row` maps rows of the changes to rows of the
  /// table.
  package mutating func perform(
    _ changes: SnapshotChanges, new: [[Row]], row: (ListRow) -> Row, draw: (Row) -> Drawing
  ) throws {
    let gone = try indices(changes.deletedSections, below: sections.count, "deleted section")
    let come = try indices(changes.insertedSections, below: new.count, "inserted section")
    try demand(sections.count - gone.count + come.count == new.count, "number of sections")
    let leaving = try places(
      changes.deletes.map { (row($0.row), $0.path) } + changes.moves.map { (row($0.row), $0.from) }, gone,
      in: sections.map { $0.map(\.row) }, "left")
    let arriving = try places(
      changes.inserts.map { (row($0.row), $0.path) } + changes.moves.map { (row($0.row), $0.to) }, come, in: new,
      "taken")
    var stayed = sections.indices.filter { !gone.contains($0) }[...]
    var next: [[Cell]] = []
    for number in new.indices {
      let rows = new[number]
      guard !come.contains(number), let old = stayed.popFirst() else {
        next.append(rows.map { Cell(row: $0, drawing: draw($0)) })
        continue
      }
      let staying = sections[old].indices.filter { leaving[SnapshotPath(section: old, index: $0)] == nil }
      var cells = staying.map { sections[old][$0] }[...]
      let coming = arriving.keys.filter { $0.section == number }.count
      try demand(cells.count + coming == rows.count, "number of rows in section \(number) of the new state")
      next.append(
        rows.indices.map { index in
          guard let row = arriving[SnapshotPath(section: number, index: index)] else { return cells.removeFirst() }
          return Cell(row: row, drawing: draw(row))
        })
    }
    let updates = changes.updates.map { (row: row($0.row), from: $0.from, to: $0.to) }
    try reload(updates, leaving, arriving, gone, come, &next, draw)
    sections = next
  }

  private func reload(
    _ updates: [(row: Row, from: SnapshotPath, to: SnapshotPath)], _ leaving: [SnapshotPath: Row],
    _ arriving: [SnapshotPath: Row], _ gone: Set<Int>, _ come: Set<Int>, _ next: inout [[Cell]],
    _ draw: (Row) -> Drawing
  ) throws {
    try demand(Set(updates.map(\.from)).count == updates.count, "an update twice")
    for update in updates {
      let (from, to) = (update.from, update.to)
      try demand(leaving[from] == nil && arriving[to] == nil, "an update of what leaves or comes")
      try demand(
        !gone.contains(from.section) && !come.contains(to.section), "an update in a section that goes or comes")
      try demand(
        sections.indices.contains(from.section) && sections[from.section].indices.contains(from.index),
        "no row to update at \(from)")
      try demand(sections[from.section][from.index].row == update.row, "an update of another row at \(from)")
      try demand(
        next.indices.contains(to.section) && next[to.section].indices.contains(to.index)
          && next[to.section][to.index].row == update.row, "an updated row is not at \(to)")
      next[to.section][to.index].drawing = draw(update.row)
    }
  }

  private func indices(_ list: [Int], below bound: Int, _ what: String) throws -> Set<Int> {
    try demand(list.allSatisfy((0..<bound).contains), "a \(what) is out of bounds")
    try demand(zip(list, list.dropFirst()).allSatisfy { $0 < $1 }, "a \(what) twice, or not ascending")
    return Set(list)
  }

  /// The rows by their places. Throws if an entry is not allowed.
  private func places(
    _ entries: [(row: Row, path: SnapshotPath)], _ forbidden: Set<Int>, in rows: [[Row]], _ what: String
  ) throws -> [SnapshotPath: Row] {
    var places: [SnapshotPath: Row] = [:]
    for (row, path) in entries {
      try demand(
        rows.indices.contains(path.section) && rows[path.section].indices.contains(path.index),
        "a place that is \(what), \(path), is out of bounds")
      try demand(!forbidden.contains(path.section), "a place is \(what) in a section that goes or comes as a whole")
      try demand(rows[path.section][path.index] == row, "another row is at the place that is \(what), \(path)")
      try demand(places.updateValue(row, forKey: path) == nil, "a place is \(what) twice")
    }
    return places
  }

  private func demand(_ condition: Bool, _ what: @autoclosure () -> String) throws {
    if !condition { throw InvalidUpdate(description: "invalid update: \(what())") }
  }
}
