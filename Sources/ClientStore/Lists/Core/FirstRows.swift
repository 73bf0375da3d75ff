// The first rows of a list with a limit. Pure.

import Snapshots

/// A snapshot of its own, with the first `limit` rows of the whole list.
struct FirstRows {
  private let limit: Int
  private(set) var snapshot: Snapshot

  init(_ layout: ListLayout, limit: Int) { (self.limit, snapshot) = (limit, Snapshot(layout)) }

  /// Takes over changes of the whole list, which is `whole` now; only `rows` have changed in it.
  mutating func follow(_ whole: Snapshot, changed rows: [ListRow]) {
    var batch = SnapshotBatch()
    for row in rows {
      if let position = whole.position(of: row), position < limit {
        batch.put(row, in: whole)
      } else if snapshot.contains(row) {
        batch.remove(row)
      }
    }
    snapshot = snapshot.applying(batch).snapshot
    fill(from: whole)
  }

  /// Removes surplus rows and adds missing ones. Unchanged rows have one order in both lists, so surplus ones are last.
  private mutating func fill(from whole: Snapshot) {
    var batch = SnapshotBatch()
    let count = min(limit, whole.count)
    for position in min(count, snapshot.count)..<snapshot.count { batch.remove(snapshot.row(at: position)) }
    // Missing rows were behind the limit before, so they are near it now.
    var (missing, position) = (count - snapshot.count, count)
    while missing > 0 {
      position -= 1
      let row = whole.row(at: position)
      guard !snapshot.contains(row) else { continue }
      batch.put(row, in: whole)
      missing -= 1
    }
    snapshot = snapshot.applying(batch).snapshot
  }

  mutating func setComplete(_ isComplete: Bool) { snapshot.isComplete = isComplete }

  /// Gets revisions after those of another state of the list.
  mutating func follow(_ other: FirstRows) { snapshot = snapshot.following(other.snapshot) }
}

extension SnapshotBatch {
  fileprivate mutating func put(_ row: ListRow, in whole: Snapshot) {
    guard let keys = whole.keys(of: row) else { preconditionFailure("a row with a position has no keys") }
    put(row, section: keys.section, order: keys.order)
  }
}
