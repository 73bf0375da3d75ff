// Changes that will be applied to a snapshot.

import ModelTypes
import Snapshots

/// A batch in which the place of a row can be looked up.
struct ListBatch {
  let snapshot: Snapshot
  private(set) var changes = SnapshotBatch()
  /// The places of changed rows, after the changes. Made at the first look-up, which few batches have.
  private var places: [ListRow: ListPlace?]?

  init(over snapshot: Snapshot) { self.snapshot = snapshot }

  mutating func reserveCapacity(_ count: Int) {
    changes.reserveCapacity(count)
  }

  mutating func put(_ row: ListRow, at place: ListPlace) {
    changes.put(row, section: place.section, order: place.order)
    places?[row] = .some(place)
  }

  mutating func remove(_ row: ListRow) {
    changes.remove(row)
    places?[row] = .some(nil)
  }

  /// The place of a row after the changes; nil if it is not in the list.
  mutating func place(of row: ListRow) -> ListPlace? {
    if places == nil { places = changes.lastPlaces.mapValues { $0.map { ListPlace(section: $0, order: $1) } } }
    if let place = places?[row] { return place }
    return snapshot.keys(of: row).map { ListPlace(section: $0.section, order: $0.order) }
  }
}
