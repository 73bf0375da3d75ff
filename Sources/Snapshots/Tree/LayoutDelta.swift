// Differences between two trees, by position.

/// An entry of the old or the new tree, and where it is there.
struct EntrySpot {
  var row: UInt32
  var section: UInt64
  var position: Int
  /// The position as a path, once `SnapshotChanges` has looked it up.
  var path = SnapshotPath(section: 0, index: 0)
  /// Whether changes name the entry as deleted or inserted. False if its section comes or goes as a whole, or if it
  /// moves.
  var isNamed = true

  init(_ key: EntryKey, _ position: Int) {
    (row, section, self.position) = (key.row, key.section, position)
  }
}

/// The differences between two trees. Each list ascends by position. A row that is both removed and added has moved.
struct LayoutDelta {
  var removed: [EntrySpot] = []
  var added: [EntrySpot] = []
  /// Entries at the same place with a new value. `spot` is the place in the new tree.
  var touched: [(spot: EntrySpot, oldPosition: Int)] = []
  /// Only for sections by gap: the sections of both trees around the differences.
  var sectionsNearby: (old: Set<UInt64>, new: Set<UInt64>) = ([], [])
  /// Indices of removed rows that are added again between the same neighbours. Their keys have changed, but not their
  /// places.
  private(set) var samePlaces: Set<Int> = []

  init() {}

  /// The differences that edits have made, once they are carried out.
  init(_ edits: [TreeEdit]) {
    for edit in edits {
      switch edit.kind {
      case .remove: removed.append(EntrySpot(edit.key, edit.oldPosition))
      case .insert: added.append(EntrySpot(edit.key, edit.newPosition))
      case .touch: touched.append((EntrySpot(edit.key, edit.newPosition), edit.oldPosition))
      }
    }
    findSamePlaces()
  }

  var isEmpty: Bool { removed.isEmpty && added.isEmpty && touched.isEmpty }

  /// Whether any position has another row or section.
  var changesLayout: Bool { samePlaces.count != removed.count || removed.count != added.count }
}

extension LayoutDelta {
  /// The indices, in `removed` and in `added`, of each row that is in both; ascending by the latter.
  var moves: [(from: Int, to: Int)] {
    guard removed.count > 1 || added.count > 1 else {
      return removed.first?.row == added.first?.row && !removed.isEmpty ? [(0, 0)] : []
    }
    guard !removed.isEmpty, !added.isEmpty else { return [] }
    let sources = RowOrder(removed, \.row).words
    var origins = [Int](repeating: -1, count: added.count)
    var next = 0
    for target in RowOrder(added, \.row).words {
      while next < sources.count, RowOrder.row(sources[next]) < RowOrder.row(target) { next += 1 }
      guard next < sources.count else { break }
      if RowOrder.row(sources[next]) == RowOrder.row(target) {
        origins[RowOrder.index(target)] = RowOrder.index(sources[next])
      }
    }
    return origins.indices.lazy.filter { origins[$0] >= 0 }.map { (origins[$0], $0) }
  }

  /// Fills `samePlaces`; to be called once all differences are known. Between two entries that stay, either all removed
  /// rows come back in the same order, or none counts.
  mutating func findSamePlaces() {
    var (source, target) = (0, 0)
    while source < removed.count, target < added.count {
      // How many entries that stay are before it.
      let (before, after) = (removed[source].position - source, added[target].position - target)
      guard before == after else {
        if before < after { source += 1 } else { target += 1 }
        continue
      }
      let sources = source..<Self.end(of: removed, from: source)
      let targets = target..<Self.end(of: added, from: target)
      if removed[sources].elementsEqual(added[targets], by: { $0.row == $1.row && $0.section == $1.section }) {
        samePlaces.formUnion(sources)
      }
      (source, target) = (sources.upperBound, targets.upperBound)
    }
  }

  private static func end(of spots: [EntrySpot], from start: Int) -> Int {
    var end = start + 1
    while end < spots.count, spots[end].position == spots[end - 1].position + 1 { end += 1 }
    return end
  }
}
