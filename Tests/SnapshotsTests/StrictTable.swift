// A table view without a screen: it raises where UITableView does, and where what it shows would be wrong.

import Snapshots

/// What is wrong with an update, as a sentence.
struct InvalidUpdate: Error, CustomStringConvertible {
  let description: String
}

/// Shows rows in sections, each in one version, and changes only what it is told.
struct StrictTable {
  struct Cell: Equatable {
    var row: UInt32
    var version: Int
  }

  private(set) var sections: [[Cell]]

  init(_ content: [PlainList.Section], version: (UInt32) -> Int) {
    sections = content.map { $0.rows.map { Cell(row: $0, version: version($0)) } }
  }

  /// `new` is asked for the contents of what is inserted or loaded anew, as a data source is.
  mutating func perform(
    _ changes: SnapshotChanges, new: [PlainList.Section], version: (UInt32) -> Int
  ) throws {
    let gone = try indices(changes.deletedSections, below: sections.count, "deleted section")
    let come = try indices(changes.insertedSections, below: new.count, "inserted section")
    try demand(sections.count - gone.count + come.count == new.count, "number of sections")
    let leaving = try places(
      changes.deletes.map { ($0.row, $0.path) } + changes.moves.map { ($0.row, $0.from) }, gone,
      in: sections.map { $0.map(\.row) }, "left")
    let arriving = try places(
      changes.inserts.map { ($0.row, $0.path) } + changes.moves.map { ($0.row, $0.to) }, come,
      in: new.map(\.rows), "taken")
    var stayed = sections.indices.filter { !gone.contains($0) }[...]
    var next: [[Cell]] = []
    for number in new.indices {
      let rows = new[number].rows
      guard !come.contains(number), let old = stayed.popFirst() else {
        next.append(rows.map { Cell(row: $0, version: version($0)) })
        continue
      }
      let staying = sections[old].indices.filter { leaving[SnapshotPath(section: old, index: $0)] == nil }
      var cells = staying.map { sections[old][$0] }[...]
      let coming = arriving.keys.filter { $0.section == number }.count
      try demand(cells.count + coming == rows.count, "number of rows in section \(number) of the new state")
      next.append(
        rows.indices.map { index in
          guard let row = arriving[SnapshotPath(section: number, index: index)] else { return cells.removeFirst() }
          return Cell(row: row, version: version(row))
        })
    }
    try reload(changes.updates, leaving, arriving, gone, come, &next, version)
    sections = next
  }

  private func reload(
    _ updates: [SnapshotChanges.Move], _ leaving: [SnapshotPath: UInt32], _ arriving: [SnapshotPath: UInt32],
    _ gone: Set<Int>, _ come: Set<Int>, _ next: inout [[Cell]], _ version: (UInt32) -> Int
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
      try demand(sections[from.section][from.index].row == update.row.number, "an update of another row at \(from)")
      try demand(
        next.indices.contains(to.section) && next[to.section].indices.contains(to.index)
          && next[to.section][to.index].row == update.row.number, "an updated row is not at \(to)")
      next[to.section][to.index].version = version(update.row.number)
    }
  }

  private func indices(_ list: [Int], below bound: Int, _ what: String) throws -> Set<Int> {
    try demand(list.allSatisfy((0..<bound).contains), "a \(what) is out of bounds")
    try demand(zip(list, list.dropFirst()).allSatisfy { $0 < $1 }, "a \(what) twice, or not ascending")
    return Set(list)
  }

  /// The rows by their places.
  private func places(
    _ entries: [(row: ListRow, path: SnapshotPath)], _ forbidden: Set<Int>, in rows: [[UInt32]], _ what: String
  ) throws -> [SnapshotPath: UInt32] {
    var places: [SnapshotPath: UInt32] = [:]
    for (row, path) in entries {
      try demand(
        rows.indices.contains(path.section) && rows[path.section].indices.contains(path.index),
        "a place that is \(what), \(path), is out of bounds")
      try demand(!forbidden.contains(path.section), "a place is \(what) in a section that goes or comes as a whole")
      try demand(rows[path.section][path.index] == row.number, "another row is at the place that is \(what), \(path)")
      try demand(places.updateValue(row.number, forKey: path) == nil, "a place is \(what) twice")
    }
    return places
  }

  private func demand(_ condition: Bool, _ what: @autoclosure () -> String) throws {
    if !condition { throw InvalidUpdate(description: "invalid update: \(what())") }
  }
}
