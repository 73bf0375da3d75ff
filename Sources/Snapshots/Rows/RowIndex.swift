// Finds the sort key of a row by the row's number.

/// A persistent radix tree from row numbers to the two words of their keys. A change copies a path. Takes 16 bytes a
/// row if the numbers are dense.
///
/// `@unchecked Sendable`: a node is not written after the function that made it has returned.
struct RowIndex: @unchecked Sendable {
  struct Change {
    var row: UInt32
    /// Whether the row is in the list afterwards.
    var isThere: Bool
    var section: UInt64 = 0
    var order: UInt64 = 0
  }

  private var root: RowIndexNode?

  init() {}

  /// The number of rows. Visits every node.
  var count: Int { root?.count ?? 0 }

  func key(of row: UInt32) -> EntryKey? {
    guard let root, UInt64(row) >> UInt64(RowIndexNode.spanShift(root.part.height)) == 0 else { return nil }
    return root.find(row).map { EntryKey(section: $0.section, order: $0.order, row: row) }
  }

  /// Applies changes of different rows, which must ascend by row.
  mutating func apply(_ changes: [Change]) {
    guard let last = changes.last else { return }
    var height = root?.part.height ?? 0
    while UInt64(last.row) >> UInt64(RowIndexNode.spanShift(height)) != 0 {
      height += 1
      guard let low = root else { continue }
      let higher = RowIndexNode.make(height: height, bitmap: 1, words: 1)
      higher.withUnsafeMutablePointerToElements { $0[0] = RowIndexNode.word(owning: low) }
      root = higher
    }
    root = RowIndexNode.applying(changes[...], to: root, height: height)
  }
}
