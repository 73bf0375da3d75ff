// Rows that are in a list at some moments only, and when the next one comes or goes. Pure.

import ModelTypes
import Snapshots

/// Filters changes before `DistinctRows`. Keeps the places of all rows that come or go at some time, also of those
/// whose time is over, because the clock may be set back.
struct TimedRows {
  /// The moment of the last look, in milliseconds since 1970.
  private(set) var moment = Int64.min
  private var places: [ListRow: ListPlace] = [:]
  private var borders = BorderHeap()

  func contains(_ row: ListRow) -> Bool { places[row] != nil }

  /// Adds or changes a row. Returns whether it is in the list at this moment.
  mutating func put(_ row: ListRow, at place: ListPlace) -> Bool {
    guard let moments = place.moments else {
      remove(row)
      return true
    }
    places[row] = place
    setMoments(row, moments)
    return moments.contains(moment)
  }

  mutating func remove(_ row: ListRow) {
    if !places.isEmpty { places[row] = nil }
  }

  /// Sets the time. Returns the rows that come, with their places, and those that go, with nil.
  mutating func advance(to moment: Int64) -> [(row: ListRow, place: ListPlace?)] {
    let before = self.moment
    self.moment = moment
    if moment < before {
      setAllMoments()
      return places.keys.compactMap { change(of: $0, since: before) }
    }
    var due: Set<ListRow> = []
    while let border = borders.first, border.moment <= moment {
      borders.removeFirst()
      guard let moments = places[border.row]?.moments, due.insert(border.row).inserted else { continue }
      setMoments(border.row, moments)
    }
    return due.compactMap { change(of: $0, since: before) }
  }

  /// When a row may come or go next; nil where none does.
  mutating func nextMoment() -> Int64? {
    while let border = borders.first {
      if places[border.row]?.moments?.next(after: moment) == border.moment { return border.moment }
      // The row has changed since this border was added.
      borders.removeFirst()
    }
    return nil
  }

  private func change(of row: ListRow, since before: Int64) -> (row: ListRow, place: ListPlace?)? {
    guard let place = places[row], let moments = place.moments else { return nil }
    let isIn = moments.contains(moment)
    if isIn == moments.contains(before) { return nil }
    return (row, isIn ? place : nil)
  }

  private mutating func setMoments(_ row: ListRow, _ moments: ListMoments) {
    guard let next = moments.next(after: moment) else { return }
    borders.insert(BorderHeap.Border(moment: next, row: row))
    // Changed rows leave borders behind that do not count any more.
    if borders.count > 2 * places.count + 64 { setAllMoments() }
  }

  private mutating func setAllMoments() {
    borders = BorderHeap(
      places.compactMap { row, place in
        place.moments?.next(after: moment).map { BorderHeap.Border(moment: $0, row: row) }
      })
  }
}

/// The moments at which rows may come or go, the next one first: a binary heap.
private struct BorderHeap {
  struct Border {
    var moment: Int64
    var row: ListRow
  }

  private var borders: [Border]

  /// A sorted array is a heap.
  init(_ borders: [Border] = []) { self.borders = borders.sorted { $0.moment < $1.moment } }

  var count: Int { borders.count }
  var first: Border? { borders.first }

  mutating func insert(_ border: Border) {
    borders.append(border)
    var (index, parent) = (borders.count - 1, (borders.count - 2) / 2)
    while index > 0, borders[index].moment < borders[parent].moment {
      borders.swapAt(index, parent)
      (index, parent) = (parent, (parent - 1) / 2)
    }
  }

  mutating func removeFirst() {
    let last = borders.removeLast()
    guard !borders.isEmpty else { return }
    borders[0] = last
    var index = 0
    while let child = smallerChild(of: index), borders[child].moment < borders[index].moment {
      borders.swapAt(index, child)
      index = child
    }
  }

  private func smallerChild(of index: Int) -> Int? {
    let (left, right) = (2 * index + 1, 2 * index + 2)
    guard right < borders.count else { return left < borders.count ? left : nil }
    return borders[right].moment < borders[left].moment ? right : left
  }
}
