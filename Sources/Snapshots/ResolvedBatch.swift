// Turns a batch into edits of one snapshot's tree and row index.

/// The edits that carry out a batch in one snapshot.
struct ResolvedBatch {
  /// Sorted by key.
  private(set) var edits: [TreeEdit] = []
  /// Ascending by row.
  private(set) var indexChanges: [RowIndex.Change] = []

  private var removals: [TreeEdit] = []

  init(_ batch: SnapshotBatch, in snapshot: SnapshotState, keepingPresent: Bool) {
    let operations = batch.operations
    if operations.count == 1 {
      if let edit = resolve(operations[0], snapshot, keepingPresent) { edits = [edit] }
      if let change = change(operations[0], edits.first) { indexChanges = [change] }
    } else {
      let places = Self.placesThatCount(operations)
      // For each operation the index of its edit, or -1. Edits keep the order of the batch, so a sorted batch is not
      // sorted again.
      var resolved = [Int32](repeating: -1, count: operations.count)
      edits.reserveCapacity(places.count)
      let counts = Self.marks(places, count: operations.count)
      for place in operations.indices where counts[place] {
        guard let edit = resolve(operations[place], snapshot, keepingPresent) else { continue }
        resolved[place] = Int32(edits.count)
        edits.append(edit)
      }
      indexChanges.reserveCapacity(places.count)
      for place in places {
        let edit = resolved[place] < 0 ? nil : edits[Int(resolved[place])]
        if let change = change(operations[place], edit) { indexChanges.append(change) }
      }
    }
    sortEdits(snapshot.space)
  }

  /// Returns the edit at the row's new place, and adds the one at its old place to `removals`.
  private mutating func resolve(
    _ operation: SnapshotBatch.Operation, _ snapshot: SnapshotState, _ keepingPresent: Bool
  ) -> TreeEdit? {
    let old = snapshot.index.key(of: operation.row)
    switch operation.kind {
    case .update: return old.map { TreeEdit(key: $0, kind: .touch) }
    case .remove:
      if let old { removals.append(TreeEdit(key: old, kind: .remove)) }
      return nil
    case .put:
      guard old == nil || !keepingPresent else { return nil }
      let new = snapshot.space.key(operation, known: old)
      if let old {
        guard old != new else { return TreeEdit(key: old, kind: .touch) }
        removals.append(TreeEdit(key: old, kind: .remove))
      }
      return TreeEdit(key: new, kind: .insert)
    }
  }

  /// The index change for an operation, given its edit. Removing a row that the index does not have is harmless.
  private func change(_ operation: SnapshotBatch.Operation, _ edit: TreeEdit?) -> RowIndex.Change? {
    if operation.kind == .remove { return RowIndex.Change(row: operation.row, isThere: false) }
    guard let edit, edit.kind == .insert else { return nil }
    return RowIndex.Change(row: operation.row, isThere: true, section: edit.key.section, order: edit.key.order)
  }

  /// The operation that counts for each row, ascending by row: the last put or removal, otherwise the last update.
  private static func placesThatCount(_ operations: [SnapshotBatch.Operation]) -> [Int] {
    var places: [Int] = []
    places.reserveCapacity(operations.count)
    var lastRow: UInt32?
    for word in RowOrder(operations, \.row).words {
      let (row, place) = (RowOrder.row(word), RowOrder.index(word))
      if row != lastRow {
        places.append(place)
        lastRow = row
      } else if operations[place].kind != .update || operations[places[places.count - 1]].kind == .update {
        places[places.count - 1] = place
      }
    }
    return places
  }

  private static func marks(_ places: [Int], count: Int) -> [Bool] {
    guard places.count < count else { return Array(repeating: true, count: count) }
    var marks = Array(repeating: false, count: count)
    for place in places { marks[place] = true }
    return marks
  }

  private mutating func sortEdits(_ space: KeySpace) {
    let (removals, others) = (Self.sorted(removals, space), Self.sorted(edits, space))
    guard !removals.isEmpty else {
      edits = others
      return
    }
    edits = []
    edits.reserveCapacity(removals.count + others.count)
    var next = removals.startIndex
    for other in others {
      while next < removals.endIndex, space.precedes(removals[next].key, other.key) {
        edits.append(removals[next])
        next += 1
      }
      edits.append(other)
    }
    edits += removals[next...]
  }

  private static func sorted(_ edits: [TreeEdit], _ space: KeySpace) -> [TreeEdit] {
    var index = 1
    while index < edits.count, space.precedes(edits[index - 1].key, edits[index].key) { index += 1 }
    guard index < edits.count else { return edits }
    // Sorts pairs of key and index, which are about half as large as edits.
    let keys = edits.indices.map { (key: edits[$0].key, index: Int32($0)) }
    return keys.sorted { space.precedes($0.key, $1.key) }.map { edits[Int($0.index)] }
  }
}

extension KeySpace {
  /// The key that a put asks for. `known` is the key that the row has now.
  fileprivate func key(_ operation: SnapshotBatch.Operation, known: EntryKey?) -> EntryKey {
    // `GapSections` sets the section of a new entry later, from the neighbours.
    let section = sectionsDecide ? sectionWord(operation.section) : known?.section ?? 0
    return EntryKey(
      section: section, order: orderWord(operation.order, known: known?.order), row: operation.row)
  }
}
