// The order in which files are uploaded.

import SyncProtocol

/// Places in the order of the operations that named them first. Finding one takes logarithmic time.
struct UploadOrder {
  private var entries: [Entry] = []

  private struct Entry: Hashable, Comparable {
    var number: Int64
    var place: FileKey

    static func < (left: Self, right: Self) -> Bool {
      left.number == right.number ? left.place < right.place : left.number < right.number
    }
  }

  mutating func insert(_ place: FileKey, number: Int64) {
    let entry = Entry(number: number, place: place)
    let index = index(of: entry)
    if index < entries.count, entries[index] == entry { return }
    entries.insert(entry, at: index)
  }

  mutating func remove(_ place: FileKey, number: Int64) {
    let entry = Entry(number: number, place: place)
    let index = index(of: entry)
    if index < entries.count, entries[index] == entry { entries.remove(at: index) }
  }

  func first(_ limit: Int, where isWanted: (FileKey) -> Bool) -> [FileKey] {
    entries.first(limit) { isWanted($0.place) }.map(\.place)
  }

  /// The index of an entry, or where it would be inserted.
  private func index(of entry: Entry) -> Int {
    if let last = entries.last, last < entry { return entries.count }
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle] < entry { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension Sequence {
  /// The first elements that are wanted, at most `limit`; looks no further. `lazy.filter` would look at all: with
  /// a closure that does not escape, Swift chooses the `filter` that is not lazy.
  func first(_ limit: Int, where isWanted: (Element) -> Bool) -> [Element] {
    var found: [Element] = []
    guard limit > 0 else { return found }
    for element in self where isWanted(element) {
      found.append(element)
      if found.count == limit { break }
    }
    return found
  }
}
