// A node of the tree: how its memory is laid out, and how it is made.

struct TreeHeader {
  /// The key of the first entry.
  var first: EntryKey
  /// The number of entries below.
  var total: UInt32
  /// The section of the last entry.
  var lastSection: UInt64
  /// The number of sections below. A section that continues in a neighbour counts in both.
  var sections: UInt32
  /// The number of entries of a leaf, or of children of a branch.
  var count: UInt16
  /// 0 for a leaf.
  var height: UInt8
}

/// A node of the tree, a leaf or a branch. All nodes are immutable: a change makes new ones.
///
/// A leaf has columns: rows, stamps, orders, then the sections of its runs and where each run starts (16 bits). A
/// look-up by position reads only rows, four bytes an entry, so a long list stays in the processor's cache. A stamp is
/// the newest revision, modulo 2³², in which the object's value was changed. A leaf is only as large as its entries
/// need.
///
/// A branch has columns of `maximumChildren`: three of words (references, first sections, first orders), then four of
/// half words (`BranchColumn`), whose unused places have the largest value.
final class TreeNode: ManagedBuffer<TreeHeader, UInt64> {
  static let maximumEntries = 96
  static let maximumChildren = 16
  /// A node with fewer is joined with a neighbour.
  static let minimumEntries = 24
  static let minimumChildren = 4
  /// The number of entries in a leaf after building, so that the next inserts do not split it.
  static let builtEntries = 84

  deinit {
    // Unsafe: a branch owns a reference to each of its children.
    withUnsafeMutablePointers { header, words in
      guard header.pointee.height > 0 else { return }
      for child in 0..<Int(header.pointee.count) { Self.unmanaged(words[child]).release() }
    }
  }

  static func make(words: Int, _ header: TreeHeader) -> TreeNode {
    unsafeDowncast(TreeNode.create(minimumCapacity: words) { _ in header }, to: TreeNode.self)
  }

  /// The reference that a word of a branch stands for. Unsafe: valid while the branch lives.
  @inline(__always)
  static func unmanaged(_ word: UInt64) -> Unmanaged<TreeNode> {
    .fromOpaque(UnsafeRawPointer(bitPattern: UInt(word)).unsafelyUnwrapped)
  }

  /// Whether it has fewer entries or children than a node with siblings should have.
  var isUnderfull: Bool {
    view.count < (view.isLeaf ? Self.minimumEntries : Self.minimumChildren)
  }

  /// Reads the node. Unsafe: valid while the node lives.
  @inline(__always)
  var view: NodeView { NodeView(Unmanaged.passUnretained(self)) }
}

/// Reads a node without retaining it, because counting references would take most of the time of a look-up. Unsafe:
/// valid while the root above it is retained.
struct NodeView {
  let header: UnsafeMutablePointer<TreeHeader>
  let words: UnsafeMutablePointer<UInt64>

  @inline(__always)
  init(_ node: Unmanaged<TreeNode>) {
    (header, words) = node._withUnsafeGuaranteedRef { $0.withUnsafeMutablePointers { ($0, $1) } }
  }

  /// A placeholder where there is no node. It is never read.
  static var none: NodeView {
    let nowhere = UnsafeMutableRawPointer(bitPattern: 64).unsafelyUnwrapped
    return NodeView(
      header: nowhere.assumingMemoryBound(to: TreeHeader.self), words: nowhere.assumingMemoryBound(to: UInt64.self))
  }

  private init(header: UnsafeMutablePointer<TreeHeader>, words: UnsafeMutablePointer<UInt64>) {
    (self.header, self.words) = (header, words)
  }

  @inline(__always) var isLeaf: Bool { header.pointee.height == 0 }
  @inline(__always) var count: Int { Int(header.pointee.count) }
  @inline(__always) var total: Int { Int(header.pointee.total) }
  @inline(__always) var sectionCount: Int { Int(header.pointee.sections) }
}

extension NodeView {
  // Columns of a leaf.

  @inline(__always)
  var rows: UnsafeMutablePointer<UInt32> { UnsafeMutableRawPointer(words).assumingMemoryBound(to: UInt32.self) }

  /// The number of words that a column of half words takes.
  @inline(__always)
  private var half: Int { (count + 1) / 2 }

  @inline(__always)
  var stamps: UnsafeMutablePointer<UInt32> {
    UnsafeMutableRawPointer(words + half).assumingMemoryBound(to: UInt32.self)
  }

  @inline(__always)
  var orders: UnsafeMutablePointer<UInt64> { words + 2 * half }

  @inline(__always)
  var runSections: UnsafeMutablePointer<UInt64> { orders + count }

  @inline(__always)
  var runStarts: UnsafeMutablePointer<UInt16> {
    UnsafeMutableRawPointer(runSections + sectionCount).assumingMemoryBound(to: UInt16.self)
  }

  static func leafWords(entries: Int, runs: Int) -> Int { (entries + 1) / 2 * 2 + entries + runs + (runs + 3) / 4 }

  @inline(__always)
  func runEnd(_ run: Int) -> Int { run + 1 < sectionCount ? Int(runStarts[run + 1]) : count }

  /// The run that an entry belongs to.
  @inline(__always)
  func run(of entry: Int) -> Int {
    let starts = runStarts
    var run = 0
    for next in 1..<max(1, sectionCount) { run += Int(starts[next]) <= entry ? 1 : 0 }
    return run
  }

  @inline(__always)
  func key(_ entry: Int, section: UInt64) -> EntryKey {
    EntryKey(section: section, order: orders[entry], row: rows[entry])
  }
}

/// The columns of half words in a branch.
enum BranchColumn: Int {
  case firstRows
  /// The number of entries up to the end of each child.
  case ends
  /// The number, within this branch, of the first section of each child.
  case firstSectionNumbers
  /// The number, within this branch, of the last section of each child.
  case lastSectionNumbers
}

extension NodeView {
  // Columns of a branch.

  @inline(__always)
  func child(_ index: Int) -> NodeView { NodeView(TreeNode.unmanaged(words[index])) }

  @inline(__always)
  func column(_ column: BranchColumn) -> UnsafeMutablePointer<Int32> {
    UnsafeMutableRawPointer(words + 3 * TreeNode.maximumChildren).assumingMemoryBound(to: Int32.self)
      + column.rawValue * TreeNode.maximumChildren
  }

  @inline(__always)
  func first(_ child: Int) -> EntryKey {
    EntryKey(
      section: words[TreeNode.maximumChildren + child], order: words[2 * TreeNode.maximumChildren + child],
      row: UInt32(bitPattern: column(.firstRows)[child]))
  }

  /// The number of entries before a child.
  @inline(__always)
  func start(_ child: Int) -> Int { child == 0 ? 0 : Int(column(.ends)[child - 1]) }

  /// How many of a column's ascending values are not above `value`. Compares all of them, four at once, which is faster
  /// than stopping early, because the processor would have to predict where.
  @inline(__always)
  func countNotAbove(_ value: Int32, _ column: BranchColumn) -> Int {
    let values = UnsafeRawPointer(self.column(column))
    let wanted = SIMD4<Int32>(repeating: value)
    var above = SIMD4<Int32>()
    for vector in 0..<TreeNode.maximumChildren / 4 {
      let four = values.loadUnaligned(fromByteOffset: vector * 16, as: SIMD4<Int32>.self)
      // Adds −1 where the difference is negative. Subtracts because the compiler does not turn comparisons of vectors
      // into single instructions.
      above &+= (wanted &- four) &>> 31
    }
    return TreeNode.maximumChildren + Int(above.wrappedSum())
  }
}
