// A list of photos as the page asks for it: sections with their counts, and windows of rows by position.
import ModelRuntime
import Moments

/// A list of photos, whatever its sections are.
protocol PhotoGrid: Sendable {
  var layout: GridLayout { get }
  func window(_ positions: Range<Int>) throws -> GridWindow
  func position(of photo: Photo.ID) -> Int?
  /// The photos at these positions, for a selection that is larger than what the page has read.
  func ids(_ positions: Range<Int>) -> [Photo.ID]
  /// Yields now, and after every change.
  func changes() -> AsyncStream<GridChange>
}

/// The layout of the whole grid, from which the page computes its height and the place of each row.
struct GridLayout: Encodable {
  /// Changes whenever a row comes, goes or moves.
  var revision: UInt64
  var count: Int
  var isComplete: Bool
  var sections: [Section]

  struct Section: Encodable {
    var title: String
    var count: Int
  }
}

/// Where a photo is; nil if it is not in the list, or not any more.
struct GridPosition: Encodable {
  var position: Int?
}

struct GridWindow: Encodable {
  var revision: UInt64
  var from: Int
  var rows: [Row]

  struct Row: Encodable {
    var photo: Photo.Cell
    var isPending: Bool
  }
}

/// The part of a snapshot's changes that the page needs. It asks again for the rows that it shows.
struct GridChange: Encodable {
  var revision: UInt64
  var count: Int
  /// Whether rows came, went or moved. If not, only the positions in `updates` have to be drawn again.
  var changesLayout: Bool
  var updates: [Int]
  var error: String?
}

extension ViewList: PhotoGrid where View == Photo.Cell {
  var layout: GridLayout {
    let snapshot = list.snapshot
    let sections = (0..<snapshot.sectionCount).map { number in
      GridLayout.Section(title: "\(snapshot.section(at: number))", count: snapshot.positions(ofSection: number).count)
    }
    return GridLayout(
      revision: snapshot.layoutRevision, count: snapshot.count, isComplete: isComplete, sections: sections)
  }

  func window(_ positions: Range<Int>) throws -> GridWindow {
    let snapshot = list.snapshot
    let positions = positions.clamped(to: 0..<snapshot.count)
    let rows = try positions.compactMap { position in
      let id = snapshot.id(at: position)
      return try view(id).map { GridWindow.Row(photo: $0, isPending: list.store.isPending(id)) }
    }
    // Prefetches on both sides, because the page may scroll in either direction.
    prefetch(positions.lowerBound - positions.count..<positions.upperBound + positions.count, of: snapshot)
    return GridWindow(revision: snapshot.layoutRevision, from: positions.lowerBound, rows: rows)
  }

  func ids(_ positions: Range<Int>) -> [Photo.ID] {
    let snapshot = list.snapshot
    return positions.clamped(to: 0..<snapshot.count).map { snapshot.id(at: $0) }
  }

  func position(of photo: Photo.ID) -> Int? { list.snapshot.position(of: photo) }

  func changes() -> AsyncStream<GridChange> {
    AsyncStream { changes in
      let task = Task {
        for await update in updates {
          let snapshot = update.snapshot
          changes.yield(
            GridChange(
              revision: snapshot.layoutRevision, count: snapshot.count, changesLayout: update.changes.changesLayout,
              updates: update.changes.updates.compactMap { snapshot.position(of: snapshot.id(of: $0.row)) },
              error: update.error?.message))
        }
      }
      changes.onTermination = { _ in task.cancel() }
    }
  }
}
