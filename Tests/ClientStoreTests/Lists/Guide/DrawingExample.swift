// The Swift code of docs/guides/drawing-lists.md. One test compares the two, others run the code.

import ModelRuntime
import MomentsModels

/// Drives a table with the calls of `UITableView`, which uses `IndexPath` instead of `SnapshotPath`.
@MainActor
final class TimelineController: TableSource {
  private let cells: ViewList<Photo.Cell, CalendarDay>
  private let table: TableView
  private var shown: ListSnapshot<Photo, CalendarDay>?

  init(_ cells: ViewList<Photo.Cell, CalendarDay>, _ table: TableView) {
    (self.cells, self.table) = (cells, table)
    table.source = self
  }

  func run() async {
    for await update in cells.updates { show(update) }
  }

  func show(_ update: ListUpdate<Photo, CalendarDay>) {
    let changes = update.changes
    table.performBatchUpdates {
      shown = update.snapshot
      table.deleteSections(changes.deletedSections)
      table.insertSections(changes.insertedSections)
      table.deleteRows(at: changes.deletes.map(\.path))
      table.insertRows(at: changes.inserts.map(\.path))
      for move in changes.moves { table.moveRow(at: move.from, to: move.to) }
      table.reloadRows(at: changes.updates.map(\.from))
    }
    // A row that moves keeps its cell: what it shows may have changed as well.
    table.reconfigureRows(at: changes.moves.map(\.to))
  }

  var numberOfSections: Int { shown?.sectionCount ?? 0 }

  func numberOfRows(inSection section: Int) -> Int { shown?.positions(ofSection: section).count ?? 0 }

  func cell(at path: SnapshotPath) -> String {
    guard let shown, let cell = (try? cells.view(shown.id(at: path))) ?? nil else { return "" }
    return "\(cell.caption ?? "no caption") by \(cell.owner ?? "somebody")"
  }
}

/// The lines that `body` of a view would show. It is read again when something that it has read changes.
@MainActor
func body(of timeline: LiveValue<ListSnapshot<Photo, CalendarDay>>, in store: ModelStore) -> [String] {
  timeline.value.sections.flatMap { day in
    ["# \(day.id)"] + day.ids.map { id in (try? store.object(id))?.caption ?? "no caption" }
  }
}

/// Lines for a terminal that prints only what is new.
func news(_ update: ListUpdate<Photo, CalendarDay>, in store: ModelStore) -> [String] {
  func line(_ sign: String, _ id: Photo.ID) -> String {
    let photo = try? store.object(id)
    return "\(sign) \(photo?.caption ?? "no caption")"
  }
  let (changes, list) = (update.changes, update.snapshot)
  let days = changes.insertedSections.flatMap { section in
    ["+ \(list.section(at: section))"]
      + list.positions(ofSection: section).map { line("+", list.id(at: $0)) }
  }
  return days + changes.inserts.map { line("+", list.id(of: $0.row)) }
    + changes.moves.map { line(">", list.id(of: $0.row)) }
    + changes.updates.map { line("~", list.id(of: $0.row)) } + changes.deletes.map { _ in "- one less" }
    + (update.isComplete ? [] : ["…"]) + (update.error.map { ["! \($0.message)"] } ?? [])
}
