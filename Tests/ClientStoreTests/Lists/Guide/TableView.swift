// A table view without a screen, which demands the same of an update as UITableView.

import ModelSupport
import Testing

@MainActor
protocol TableSource: AnyObject {
  var numberOfSections: Int { get }
  func numberOfRows(inSection section: Int) -> Int
  func cell(at path: SnapshotPath) -> String
}

/// Draws a row when it is inserted, and when it is told to draw it, and at no other time.
@MainActor
final class TableView {
  weak var source: (any TableSource)?
  private(set) var sections: [[String]] = []
  /// Why the first invalid update was invalid. The real table view ends the program.
  private(set) var complaint: String?
  private var batch = Batch()

  private struct Batch {
    var deletedSections: [Int] = []
    var insertedSections: [Int] = []
    var deletes: [SnapshotPath] = []
    var inserts: [SnapshotPath] = []
    var moves: [(from: SnapshotPath, to: SnapshotPath)] = []
    var reloads: [SnapshotPath] = []
  }

  func deleteSections(_ sections: [Int]) { batch.deletedSections += sections }
  func insertSections(_ sections: [Int]) { batch.insertedSections += sections }
  func deleteRows(at paths: [SnapshotPath]) { batch.deletes += paths }
  func insertRows(at paths: [SnapshotPath]) { batch.inserts += paths }
  func moveRow(at from: SnapshotPath, to: SnapshotPath) { batch.moves.append((from, to)) }
  func reloadRows(at paths: [SnapshotPath]) { batch.reloads += paths }

  func reconfigureRows(at paths: [SnapshotPath]) {
    for path in paths { sections[path.section][path.index] = source?.cell(at: path) ?? "" }
  }

  /// Paths of deletes and reloads refer to the old state, those of inserts to the new one, in any order.
  func performBatchUpdates(_ updates: () -> Void) {
    batch = Batch()
    updates()
    do { sections = try updated() } catch { complaint = complaint ?? "\(error)" }
  }

  private func updated() throws -> [[String]] {
    guard let source else { return sections }
    var rows: [[String?]] = sections
    for path in batch.reloads {
      try demand(rows.has(path), "a reload of \(path)")
      rows[path.section][path.index] = nil
    }
    // The text of each old row that stays; nil if it is drawn anew.
    let leaving = Set(batch.deletes + batch.moves.map(\.from))
    try demand(leaving.count == batch.deletes.count + batch.moves.count, "a row leaves twice")
    for path in leaving { try demand(sections.has(path), "a row leaves \(path)") }
    var stayed = rows.indices.filter { !batch.deletedSections.contains($0) }.map { section in
      rows[section].indices.filter { !leaving.contains(SnapshotPath(section: section, index: $0)) }
        .map { rows[section][$0] }
    }
    let moved = Dictionary(uniqueKeysWithValues: batch.moves.map { ($0.to, rows[$0.from.section][$0.from.index]) })
    for section in batch.insertedSections.sorted() {
      try demand(section <= stayed.count, "section \(section) is inserted")
      stayed.insert([], at: section)
      stayed[section] = Array(repeating: nil, count: source.numberOfRows(inSection: section))
    }
    for path in (batch.inserts + moved.keys).sorted() {
      try demand(
        stayed.indices.contains(path.section) && path.index <= stayed[path.section].count, "a row comes to \(path)")
      stayed[path.section].insert(moved[path] ?? nil, at: path.index)
    }
    try demand(
      stayed.count == source.numberOfSections,
      "the number of sections: \(stayed.count) after the update, and the source has \(source.numberOfSections)")
    for (number, section) in stayed.enumerated() {
      let count = source.numberOfRows(inSection: number)
      try demand(
        section.count == count, "the number of rows in section \(number): \(section.count), and the source has \(count)"
      )
    }
    return stayed.enumerated().map { section, texts in
      texts.enumerated().map { $1 ?? source.cell(at: SnapshotPath(section: section, index: $0)) }
    }
  }

  private func demand(_ isRight: Bool, _ what: @autoclosure () -> String) throws {
    if !isRight { throw InvalidUpdate(description: "invalid update: \(what())") }
  }

  private struct InvalidUpdate: Error, CustomStringConvertible { let description: String }
}

extension [[String]] {
  fileprivate func has(_ path: SnapshotPath) -> Bool {
    indices.contains(path.section) && self[path.section].indices.contains(path.index)
  }
}

extension [[String?]] {
  fileprivate func has(_ path: SnapshotPath) -> Bool {
    indices.contains(path.section) && self[path.section].indices.contains(path.index)
  }
}
