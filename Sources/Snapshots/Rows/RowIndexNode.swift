// A node of a `RowIndex`: immutable once made, and shared by snapshots.

struct RowIndexHeader {
  /// A bit for each of 64 rows, or each of 16 children, that is present.
  var bitmap: UInt64
  /// 0 for a leaf.
  var height: Int
}

/// A leaf has two words for each row, an inner node a reference to each child. Absent rows and children take no memory.
final class RowIndexNode: ManagedBuffer<RowIndexHeader, UInt64> {
  static let leafShift = 6
  static let innerShift = 4

  deinit {
    // Unsafe: an inner node owns a reference to each of its children.
    withUnsafeMutablePointers { header, words in
      guard header.pointee.height > 0 else { return }
      for index in 0..<header.pointee.bitmap.nonzeroBitCount { Self.unmanaged(words[index]).release() }
    }
  }

  static func make(height: Int, bitmap: UInt64, words: Int) -> RowIndexNode {
    let made = RowIndexNode.create(minimumCapacity: words) { _ in RowIndexHeader(bitmap: bitmap, height: height) }
    return unsafeDowncast(made, to: RowIndexNode.self)
  }

  /// Read without a check for exclusive access, because a finished node is never written.
  var part: RowIndexHeader { withUnsafeMutablePointerToHeader { $0.pointee } }

  /// The number of rows that a node of this height spans, as an exponent of two.
  static func spanShift(_ height: Int) -> Int { leafShift + innerShift * height }

  /// The reference that a word of an inner node stands for. Unsafe: valid while the node lives.
  @inline(__always)
  static func unmanaged(_ word: UInt64) -> Unmanaged<RowIndexNode> {
    .fromOpaque(UnsafeRawPointer(bitPattern: UInt(word)).unsafelyUnwrapped)
  }

  /// Retains a node, and returns the reference as a word.
  static func word(owning node: RowIndexNode) -> UInt64 {
    UInt64(UInt(bitPattern: Unmanaged.passRetained(node).toOpaque()))
  }

  /// The number of rows below. Visits every node.
  var count: Int {
    withUnsafeMutablePointers { header, words in
      guard header.pointee.height > 0 else { return header.pointee.bitmap.nonzeroBitCount }
      return (0..<header.pointee.bitmap.nonzeroBitCount).reduce(0) { sum, index in
        sum + Self.unmanaged(words[index])._withUnsafeGuaranteedRef { $0.count }
      }
    }
  }

  /// The section and order words of a row; nil if it is absent.
  func find(_ row: UInt32) -> (section: UInt64, order: UInt64)? {
    var node = Unmanaged.passUnretained(self)
    while true {
      // Unsafe: `self` keeps the nodes below alive.
      let (header, words) = node._withUnsafeGuaranteedRef { $0.withUnsafeMutablePointers { ($0, $1) } }
      let height = header.pointee.height
      let width = height == 0 ? Self.leafShift : Self.innerShift
      let shift = height == 0 ? 0 : Self.spanShift(height - 1)
      let bit = UInt64(1) << (UInt64(row) >> UInt64(shift) & (1 << UInt64(width) - 1))
      guard header.pointee.bitmap & bit != 0 else { return nil }
      let rank = (header.pointee.bitmap & (bit - 1)).nonzeroBitCount
      if height == 0 { return (words[2 * rank], words[2 * rank + 1]) }
      node = Self.unmanaged(words[rank])
    }
  }
}

extension RowIndexNode {
  /// Makes a node with changes of rows in its span, which must ascend by row. Nil if no row is left. `old` is nil if
  /// there was no node.
  static func applying(
    _ changes: ArraySlice<RowIndex.Change>, to old: RowIndexNode?, height: Int
  ) -> RowIndexNode? {
    height == 0 ? leaf(changes, old) : inner(changes, old, height: height)
  }

  private static func leaf(_ changes: ArraySlice<RowIndex.Change>, _ old: RowIndexNode?) -> RowIndexNode? {
    let before = old?.part.bitmap ?? 0
    var bitmap = before
    for change in changes {
      let bit = UInt64(1) << UInt64(change.row & 63)
      if change.isThere { bitmap |= bit } else { bitmap &= ~bit }
    }
    guard bitmap != 0 else { return nil }
    let new = make(height: 0, bitmap: bitmap, words: 2 * bitmap.nonzeroBitCount)
    new.withUnsafeMutablePointerToElements { words in
      var target = words
      // How many rows of the old leaf were copied or dropped.
      var done = 0
      func copy(to end: Int) {
        guard let old, end > done else { return }
        old.withUnsafeMutablePointerToElements {
          target.initialize(from: $0 + 2 * done, count: 2 * (end - done))
        }
        target += 2 * (end - done)
        done = end
      }
      for change in changes {
        let bit = UInt64(1) << UInt64(change.row & 63)
        copy(to: (before & (bit - 1)).nonzeroBitCount)
        if before & bit != 0 { done += 1 }
        guard change.isThere else { continue }
        target[0] = change.section
        target[1] = change.order
        target += 2
      }
      copy(to: before.nonzeroBitCount)
    }
    return new
  }

  private static func inner(
    _ changes: ArraySlice<RowIndex.Change>, _ old: RowIndexNode?, height: Int
  ) -> RowIndexNode? {
    let shift = spanShift(height - 1)
    let before = old?.part.bitmap ?? 0
    var rest = changes
    var done = 0
    var bitmap = before
    return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 16) { children in
      var count = 0
      func keep(to end: Int) {
        guard let old, end > done else { return }
        old.withUnsafeMutablePointerToElements { words in
          for index in done..<end {
            _ = unmanaged(words[index]).retain()
            children[count] = words[index]
            count += 1
          }
        }
        done = end
      }
      while let first = rest.first {
        let group = first.row >> UInt32(shift)
        let end = rest.firstIndex { $0.row >> UInt32(shift) != group } ?? rest.endIndex
        let bit = UInt64(1) << UInt64(group & 15)
        keep(to: (before & (bit - 1)).nonzeroBitCount)
        var child: RowIndexNode?
        if before & bit != 0, let old {
          child = old.withUnsafeMutablePointerToElements { unmanaged($0[done]).takeUnretainedValue() }
          done += 1
        }
        if let made = applying(rest[..<end], to: child, height: height - 1) {
          children[count] = word(owning: made)
          count += 1
          bitmap |= bit
        } else {
          bitmap &= ~bit
        }
        rest = rest[end...]
      }
      keep(to: before.nonzeroBitCount)
      guard count > 0 else { return nil }
      let new = make(height: height, bitmap: bitmap, words: count)
      new.withUnsafeMutablePointerToElements { words in
        for index in 0..<count { words[index] = children[index] }
      }
      return new
    }
  }
}
