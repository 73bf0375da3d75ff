// Ten years of photos, as entries of a list.

import MeasuredSnapshots

/// A list sorted by date with a section for each day, and the changes that are made to it.
struct SampleList {
  struct Photo {
    var row: UInt32
    var day: UInt64
    var date: UInt64
  }

  /// In the order of the list.
  private(set) var photos: [Photo]
  let rows = RowTable()
  let snapshot: Snapshot
  private static let dayMilliseconds: UInt64 = 86_400_000

  init(count: Int) {
    var random = SeededNumbers(state: 1)
    let span = UInt64(3_650) * Self.dayMilliseconds
    let ids = (0..<count).map { _ in RowID(high: random.next(), low: random.next()) }
    // Rows get numbers in the order in which objects arrive, which is not that of their dates.
    let rows = rows
    photos = ids.map { Self.photo(rows.row(for: $0).number, date: random.next() % span) }
    photos.sort { ($0.date, rows.id(of: ListRow($0.row))) < ($1.date, rows.id(of: ListRow($1.row))) }
    snapshot = Snapshot(ListLayout(rows: rows)).applying(Self.batch(photos)).snapshot
  }

  static func photo(_ row: UInt32, date: UInt64) -> Photo { Photo(row: row, day: date / dayMilliseconds, date: date) }

  static func batch(_ photos: some Sequence<Photo>) -> SnapshotBatch {
    var batch = SnapshotBatch()
    batch.reserveCapacity(photos.underestimatedCount)
    for photo in photos {
      batch.put(ListRow(photo.row), section: .number(photo.day), order: .number(photo.date))
    }
    return batch
  }

  /// Picks `count` photos and gives each another date, so that it moves.
  func moves(_ count: Int, _ random: inout SeededNumbers) -> [(old: Photo, new: Photo)] {
    (0..<count).map { _ in
      let old = photos[random.next(below: photos.count)]
      return (old, Self.photo(old.row, date: photos[random.next(below: photos.count)].date &+ 1))
    }
  }
}
