// The oracle: one sorted array with the same calls as a snapshot, and without its code.

import Snapshots

struct PlainList {
  struct Entry: Equatable {
    var row: UInt32
    var section: ListKey
    var order: ListKey
    var id: RowID
    /// The version of the object's value.
    var version: Int
  }

  struct Section: Equatable, CustomStringConvertible {
    /// Nil for a section by gap, whose key only the list knows.
    var key: ListKey?
    var rows: [UInt32]

    var description: String {
      switch key {
      case nil: "gap: \(rows)"
      case .number(let number): "\(number): \(rows)"
      case .bytes(let bytes): "\(String(decoding: bytes, as: UTF8.self)): \(rows)"
      }
    }
  }

  let sections: ListLayout.Sections
  let kept: [ListKey]
  private(set) var entries: [Entry] = []
  /// The entry of each row.
  private(set) var byRow: [UInt32: Entry] = [:]

  init(_ layout: ListLayout) {
    sections = layout.sections
    kept = layout.keptSections.sorted { PlainList.compare($0, $1) < 0 }
  }

  mutating func put(_ row: UInt32, _ id: RowID, section: ListKey, order: ListKey, version: Int) {
    remove(row)
    let entry = Entry(row: row, section: section, order: order, id: id, version: version)
    entries.insert(entry, at: place(of: entry))
    byRow[row] = entry
  }

  mutating func remove(_ row: UInt32) {
    guard let entry = byRow.removeValue(forKey: row) else { return }
    entries.remove(at: place(of: entry))
  }

  mutating func update(_ row: UInt32, version: Int) {
    guard var entry = byRow[row] else { return }
    let place = place(of: entry)
    entry.version = version
    (entries[place], byRow[row]) = (entry, entry)
  }

  /// The content that a view shows.
  var content: [Section] {
    var content: [Section] = []
    for (index, entry) in entries.enumerated() {
      let isFirst = index == 0 || !belong(entries[index - 1], entry)
      if isFirst { content.append(Section(key: sections.isByGap ? nil : entry.section, rows: [])) }
      content[content.count - 1].rows.append(entry.row)
    }
    for key in kept where !content.contains(where: { $0.key == key }) {
      let place = content.firstIndex { $0.key.map { PlainList.compare($0, key) > 0 } ?? false }
      content.insert(Section(key: key, rows: []), at: place ?? content.count)
    }
    return content
  }

  private func belong(_ left: Entry, _ right: Entry) -> Bool {
    guard case .gaps(let gap) = sections else { return left.section == right.section }
    guard case .number(let before) = left.order, case .number(let after) = right.order else { return false }
    return after - before <= gap
  }

  private func place(of entry: Entry) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(entries[middle], entry) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func isBefore(_ left: Entry, _ right: Entry) -> Bool {
    let bySection = sections.isByGap ? 0 : PlainList.compare(left.section, right.section)
    if bySection != 0 { return bySection < 0 }
    let byOrder = PlainList.compare(left.order, right.order)
    return byOrder != 0 ? byOrder < 0 : left.id < right.id
  }

  /// Negative, zero or positive.
  static func compare(_ left: ListKey, _ right: ListKey) -> Int {
    switch (left, right) {
    case (.number(let left), .number(let right)): left < right ? -1 : left > right ? 1 : 0
    case (.bytes(let left), .bytes(let right)):
      left.lexicographicallyPrecedes(right) ? -1 : right.lexicographicallyPrecedes(left) ? 1 : 0
    default: fatalError("a list has keys of one kind")
    }
  }
}

extension ListLayout.Sections {
  var isByGap: Bool { if case .gaps = self { true } else { false } }
}

extension Snapshot {
  /// The content that a view shows, read entry by entry.
  var content: [PlainList.Section] {
    let rows = rows.map(\.number)
    return (0..<sectionCount).map { number in
      let section = section(at: number)
      return PlainList.Section(
        key: layout.sections.isByGap ? nil : section.key, rows: Array(rows[section.positions]))
    }
  }
}
