// Collects the entries of new leaves.

/// Entries in order, not yet cut into leaves. Has columns as a leaf has, in memory that is reused for every leaf.
final class LeafContent {
  private(set) var count = 0
  private(set) var runs: [(section: UInt64, start: Int)] = []
  private var capacity: Int
  private(set) var orders: UnsafeMutablePointer<UInt64>
  private(set) var rows: UnsafeMutablePointer<UInt32>
  private(set) var stamps: UnsafeMutablePointer<UInt32>

  init() {
    capacity = 2 * TreeNode.maximumEntries
    orders = .allocate(capacity: 2 * capacity)
    (rows, stamps) = Self.halves(of: orders, capacity)
  }

  deinit { orders.deallocate() }

  func removeAll() {
    count = 0
    runs.removeAll(keepingCapacity: true)
  }

  /// Makes room for `more` further entries.
  func reserve(_ more: Int) {
    guard count + more > capacity else { return }
    capacity = max(2 * capacity, count + more)
    let larger = UnsafeMutablePointer<UInt64>.allocate(capacity: 2 * capacity)
    let (largerRows, largerStamps) = Self.halves(of: larger, capacity)
    larger.initialize(from: orders, count: count)
    largerRows.initialize(from: rows, count: count)
    largerStamps.initialize(from: stamps, count: count)
    orders.deallocate()
    (orders, rows, stamps) = (larger, largerRows, largerStamps)
  }

  @inline(__always)
  func append(_ key: EntryKey, stamp: UInt32) {
    reserve(1)
    if runs.last?.section != key.section { runs.append((key.section, count)) }
    (orders[count], rows[count], stamps[count]) = (key.order, key.row, stamp)
    count += 1
  }

  /// Appends a range of a leaf's entries, which may be empty.
  func append(_ leaf: NodeView, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    reserve(range.count)
    var run = leaf.run(of: range.lowerBound)
    var start = range.lowerBound
    while start < range.upperBound {
      let section = leaf.runSections[run]
      if runs.last?.section != section { runs.append((section, count + start - range.lowerBound)) }
      start = leaf.runEnd(run)
      run += 1
    }
    (rows + count).initialize(from: leaf.rows + range.lowerBound, count: range.count)
    (stamps + count).initialize(from: leaf.stamps + range.lowerBound, count: range.count)
    (orders + count).initialize(from: leaf.orders + range.lowerBound, count: range.count)
    count += range.count
  }

  /// Cuts the entries into leaves of nearly equal length, at most `maximum` each, and adds them to `output`.
  func cut(maximum: Int, into output: inout [Unmanaged<TreeNode>]) {
    let parts = (count + maximum - 1) / maximum
    var (start, run) = (0, 0)
    for part in 0..<parts {
      let end = count * (part + 1) / parts
      while run + 1 < runs.count, runs[run + 1].start <= start { run += 1 }
      output.append(.passRetained(.leaf(self, start..<end, firstRun: run)))
      start = end
    }
  }

  /// The two columns of half words, which follow the column of words.
  private static func halves(
    of orders: UnsafeMutablePointer<UInt64>, _ capacity: Int
  ) -> (UnsafeMutablePointer<UInt32>, UnsafeMutablePointer<UInt32>) {
    let rows = UnsafeMutableRawPointer(orders + capacity).assumingMemoryBound(to: UInt32.self)
    return (rows, rows + capacity)
  }
}
