// Reads entries one after the other, or many that are near each other.

/// Remembers the leaf of the tree that it read last, so that rows near the last one are found at once. For one thread
/// at a time.
public struct SnapshotCursor {
  public let snapshot: Snapshot
  // The rows of the leaf that was read last. Unsafe: the snapshot keeps them alive.
  @usableFromInline var rows: UnsafePointer<UInt32>
  @usableFromInline var start = 0
  @usableFromInline var length = 0

  init(_ snapshot: Snapshot) {
    self.snapshot = snapshot
    rows = UnsafePointer(NodeView.none.rows)
  }

  /// The row at a position. Traps if the position is out of bounds.
  @inlinable
  public mutating func row(at position: Int) -> ListRow {
    let entry = position &- start
    if UInt(bitPattern: entry) >= UInt(bitPattern: length) { return readLeaf(of: position) }
    return ListRow(rows[entry])
  }

  @usableFromInline
  mutating func readLeaf(of position: Int) -> ListRow {
    precondition(position >= 0 && position < snapshot.count, "position \(position) of \(snapshot.count)")
    defer { withExtendedLifetime(snapshot) {} }
    let place = snapshot.state.tree.place(at: position)
    (rows, start, length) = (UnsafePointer(place.leaf.rows), place.leafStart, place.leaf.count)
    return ListRow(place.row)
  }
}

extension Snapshot {
  /// A cursor that has read nothing yet.
  public func makeCursor() -> SnapshotCursor { SnapshotCursor(self) }

  /// The rows at some positions. Reading them traps at a position that is out of bounds.
  public func rows(at positions: Range<Int>) -> SnapshotRows {
    SnapshotRows(cursor: makeCursor(), positions: positions)
  }

  /// All rows in their order.
  public var rows: SnapshotRows { rows(at: 0..<count) }
}

/// Rows of a snapshot, one after the other.
public struct SnapshotRows: Sequence, IteratorProtocol {
  @usableFromInline var cursor: SnapshotCursor
  @usableFromInline var positions: Range<Int>

  init(cursor: SnapshotCursor, positions: Range<Int>) {
    self.cursor = cursor
    self.positions = positions
  }

  @inlinable
  public mutating func next() -> ListRow? {
    guard !positions.isEmpty else { return nil }
    let position = positions.lowerBound
    positions = (position &+ 1)..<positions.upperBound
    return cursor.row(at: position)
  }

  public var underestimatedCount: Int { positions.count }
}
