// A node of the tree: how its memory is laid out, and how it is made.

struct TreeHeader {
  /// The key of the first entry.
  var first: EntryKey
  /// Entries below.
  var total: UInt32
  /// The section of the last entry.
  var lastSection: UInt64
  /// Runs of entries with one section; a run that goes on in a neighbour counts in both.
  var sections: UInt32
  /// Entries of a leaf, children of a branch.
  var count: UInt16
  /// 0 for a leaf.
  var height: UInt8
}

/// A leaf has columns: rows, stamps, orders, then the sections of its runs and where each run starts (16 bits). A look-up
/// by position reads nothing but rows: four bytes an entry, so that a long list stays in the processor's cache. A stamp
/// is the newest revision, modulo 2³², in which the object's value was changed.
/// A branch has columns of `maximumChildren`: three of words (references, first sections, first orders), then four of half
/// words (`BranchColumn`), whose unused places have the largest value.
///
/// Nodes are as large as they need to be, and immutable: a change makes new ones.
final class TreeNode: ManagedBuffer<TreeHeader, UInt64> {
  static let maximumEntries = 96
  static let maximumChildren = 16
  /// Fewer, and a node is joined with a neighbour.
  static let minimumEntries = 24
  static let minimumChildren = 4
  /// The number of entries in a leaf after building: the next inserts split no leaf.
  static let builtEntries = 84

  deinit {
    // Unsafe: a branch owns a reference of each child that it names.
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

  /// Fewer entries or children than a node should have that has siblings.
  var isUnderfull: Bool {
    view.count < (view.isLeaf ? Self.minimumEntries : Self.minimumChildren)
  }

  /// Unsafe: valid while the node lives.
  @inline(__always)
  var view: NodeView { NodeView(Unmanaged.passUnretained(self)) }
}

/// Reads a node without owning it, because counting references would take most of the time of a look-up.
/// Unsafe: valid while somebody owns the root above it.
struct NodeView {
  let header: UnsafeMutablePointer<TreeHeader>
  let words: UnsafeMutablePointer<UInt64>

  @inline(__always)
  init(_ node: Unmanaged<TreeNode>) {
    (header, words) = node._withUnsafeGuaranteedRef { $0.withUnsafeMutablePointers { ($0, $1) } }
  }

  /// Stands where there is no node, and is never read.
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
  // Of a leaf.

  @inline(__always)
  var rows: UnsafeMutablePointer<UInt32> { UnsafeMutableRawPointer(words).assumingMemoryBound(to: UInt32.self) }

  /// Words of a column of half words.
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

/// The half words of a branch, a column each.
enum BranchColumn: Int {
  case firstRows
  /// How many entries there are up to the end of a child.
  case ends
  /// The number, in this branch, of the section that a child begins with.
  case firstSectionNumbers
  /// That of the section that it ends with.
  case lastSectionNumbers
}

extension NodeView {
  // Of a branch.

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

  /// How many entries stand before a child.
  @inline(__always)
  func start(_ child: Int) -> Int { child == 0 ? 0 : Int(column(.ends)[child - 1]) }

  /// How many of a column's ascending values are not above `value`. Compares all of them, because a processor does four
  /// at once and would have to guess where to stop.
  @inline(__always)
  func countNotAbove(_ value: Int32, _ column: BranchColumn) -> Int {
    let values = UnsafeRawPointer(self.column(column))
    let wanted = SIMD4<Int32>(repeating: value)
    var above = SIMD4<Int32>()
    for vector in 0..<TreeNode.maximumChildren / 4 {
      let four = values.loadUnaligned(fromByteOffset: vector * 16, as: SIMD4<Int32>.self)
      // −1 where the difference is negative: comparisons of vectors are not compiled to those of the processor.
      above &+= (wanted &- four) &>> 31
    }
    return TreeNode.maximumChildren + Int(above.wrappedSum())
  }
}
