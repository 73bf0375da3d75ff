// The entries of one snapshot: a persistent B-tree.

/// Looks up entries by position, by section and by key. Does not check positions: they must be in bounds.
///
/// `@unchecked Sendable`: a node is not written after the function that made it has returned.
struct Tree: @unchecked Sendable {
  let root: TreeNode?
  let count: Int
  let sectionCount: Int
  /// The root, without reference counting. Unsafe: valid while the tree lives, and never read in an empty one.
  private let top: NodeView
  /// The height of the root: walking down counts levels, instead of asking each node whether it is a leaf.
  private let height: Int

  init(root: TreeNode? = nil) {
    self.root = root
    top = root?.view ?? .none
    count = root == nil ? 0 : top.total
    sectionCount = root == nil ? 0 : top.sectionCount
    height = root == nil ? 0 : Int(top.header.pointee.height)
  }

  @inline(__always)
  var rootView: NodeView {
    precondition(count > 0, "there is nothing in an empty tree")
    return top
  }

  /// A place in a leaf. Unsafe: valid while the tree lives.
  struct LeafPosition {
    var leaf: NodeView
    var entry: Int
    /// The position of the leaf's first entry.
    var leafStart: Int

    var row: UInt32 { leaf.rows[entry] }
  }

  @inline(__always)
  func place(at position: Int) -> LeafPosition {
    var node = rootView
    var rest = position
    for _ in 0..<height {
      let child = node.countNotAbove(Int32(truncatingIfNeeded: rest), .ends)
      rest -= node.start(child)
      node = node.child(child)
    }
    return LeafPosition(leaf: node, entry: rest, leafStart: position - rest)
  }
}

extension Tree {
  /// Where a section starts. Sections are numbered from 0 over the whole tree.
  struct SectionStart {
    var number: Int
    var position: Int
    /// Unsafe: valid while the tree lives.
    var leaf: NodeView
    var run: Int

    var entry: Int { Int(leaf.runStarts[run]) }
    var word: UInt64 { leaf.runSections[run] }
  }

  /// The start of the section with this number.
  @inline(__always)
  func sectionStart(_ number: Int) -> SectionStart {
    var node = rootView
    var (rest, position) = (number, 0)
    for _ in 0..<height {
      // The first child that ends in this section or in a later one.
      let child = node.countNotAbove(Int32(truncatingIfNeeded: rest - 1), .lastSectionNumbers)
      rest -= Int(node.column(.firstSectionNumbers)[child])
      position += node.start(child)
      node = node.child(child)
    }
    return SectionStart(number: number, position: position + Int(node.runStarts[rest]), leaf: node, run: rest)
  }

  /// The position after the last entry of a section.
  func sectionEnd(_ number: Int) -> Int {
    number + 1 < sectionCount ? sectionStart(number + 1).position : count
  }

  /// The section at a position: its number, and its positions, but only up to the end of the position's leaf.
  @inline(__always)
  func section(around position: Int) -> (number: Int, positions: Range<Int>) {
    var node = rootView
    var (rest, number) = (position, 0)
    for _ in 0..<height {
      let child = node.countNotAbove(Int32(truncatingIfNeeded: rest), .ends)
      number += Int(node.column(.firstSectionNumbers)[child])
      rest -= node.start(child)
      node = node.child(child)
    }
    let (run, leafStart) = (node.run(of: rest), position - rest)
    number += run
    // The first run of a leaf may have begun in an earlier leaf.
    let start = run > 0 ? leafStart + Int(node.runStarts[run]) : leafStart == 0 ? 0 : sectionStart(number).position
    return (number, start..<leafStart + node.runEnd(run))
  }

  /// The key of the entry at a position.
  func key(at position: Int) -> EntryKey {
    let place = place(at: position)
    return place.leaf.key(place.entry, section: place.leaf.runSections[place.leaf.run(of: place.entry)])
  }
}

extension Tree {
  /// The position of the entry with a key, or the position at which it would be inserted.
  func lowerBound(_ key: EntryKey, _ space: KeySpace) -> (position: Int, isThere: Bool) {
    guard count > 0 else { return (0, false) }
    var node = rootView
    var start = 0
    for _ in 0..<height {
      let child = node.child(for: key, space)
      start += node.start(child)
      node = node.child(child)
    }
    let entry = node.lowerBound(key, space)
    return (start + entry, entry < node.count && node.rows[entry] == key.row)
  }

  /// The section with a word, or the number and position that it would have. Not for sections by gap.
  func section(_ word: UInt64, _ space: KeySpace) -> (number: Int, position: Int, isThere: Bool) {
    guard count > 0 else { return (0, 0, false) }
    var node = rootView
    var (start, number) = (0, 0)
    for _ in 0..<height {
      // The last child that begins before the section: the section may start in it.
      var (low, high) = (0, node.count - 1)
      while low < high {
        let middle = (low + high + 1) / 2
        if space.sectionPrecedes(node.first(middle).section, word) { low = middle } else { high = middle - 1 }
      }
      start += node.start(low)
      number += Int(node.column(.firstSectionNumbers)[low])
      node = node.child(low)
    }
    for run in 0..<node.sectionCount where !space.sectionPrecedes(node.runSections[run], word) {
      return (number + run, start + Int(node.runStarts[run]), node.runSections[run] == word)
    }
    // The section starts with the next leaf, if it exists.
    let (next, position) = (number + node.sectionCount, start + node.count)
    guard position < count else { return (next, position, false) }
    return (next, position, key(at: position).section == word)
  }
}

extension NodeView {
  /// The last child of a branch that does not begin after the key.
  @inline(__always)
  func child(for key: EntryKey, from first: Int = 0, _ space: KeySpace) -> Int {
    var (low, high) = (first, count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if space.precedes(key, self.first(middle)) { high = middle - 1 } else { low = middle }
    }
    return low
  }

  /// The first entry of a leaf, from `first` on, that does not stand before the key.
  @inline(__always)
  func lowerBound(_ key: EntryKey, from first: Int = 0, _ space: KeySpace) -> Int {
    var (low, high) = (first, count)
    if space.sectionsDecide {
      let runs = sectionCount
      var run = 0
      while run < runs, runSections[run] != key.section, space.sectionPrecedes(runSections[run], key.section) {
        run += 1
      }
      guard run < runs, runSections[run] == key.section else {
        return max(first, run < runs ? Int(runStarts[run]) : count)
      }
      (low, high) = (max(first, Int(runStarts[run])), runEnd(run))
    }
    while low < high {
      let middle = (low + high) / 2
      if space.orderPrecedes(self.key(middle, section: key.section), key) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
