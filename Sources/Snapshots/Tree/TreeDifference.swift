// Finds the differences between two trees. Skips the subtrees that both share.

struct TreeDifference {
  /// A walk through one of the two trees.
  private struct Side {
    /// A branch, and which of its children comes next.
    struct Step {
      var branch: NodeView
      var child: Int
      /// The position of the branch's first entry.
      var start: Int
    }

    /// The branches from the root to the node, `depth` of them.
    let path: UnsafeMutablePointer<Step>
    var depth = 0
    /// The next node: a subtree that was not entered, or a leaf.
    var node: NodeView
    var isAtEnd: Bool
    /// The position of the node's first entry.
    var start = 0
    /// For a leaf: how many of its entries are done, and the run of the next one.
    var entry = 0
    var run = 0

    init(_ tree: Tree, _ path: UnsafeMutablePointer<Step>) {
      self.path = path
      isAtEnd = tree.count == 0
      node = isAtEnd ? .none : tree.rootView
    }

    @inline(__always)
    mutating func enter() {
      path[depth] = Step(branch: node, child: 0, start: start)
      depth += 1
      node = node.child(0)
    }

    /// Goes `count` children further in the branch that was entered last, or past the end of the branch.
    @inline(__always)
    mutating func skip(_ count: Int) {
      (entry, run) = (0, 0)
      var count = count
      while depth > 0 {
        let child = path[depth - 1].child + count
        let (branch, branchStart) = (path[depth - 1].branch, path[depth - 1].start)
        start = branchStart + branch.start(child)
        guard child == branch.count else {
          path[depth - 1].child = child
          node = branch.child(child)
          return
        }
        depth -= 1
        count = 1
      }
      isAtEnd = true
    }

    @inline(__always)
    mutating func advance(by count: Int = 1) {
      entry += count
      if entry == node.runEnd(run) { run += 1 }
      if entry == node.count { skip(1) }
    }

    var section: UInt64 { node.runSections[run] }
    var spot: EntrySpot { EntrySpot(node.key(entry, section: section), start + entry) }
  }

  private let space: KeySpace
  private var old: Side
  private var new: Side
  private var delta = LayoutDelta()

  /// More than the height of any tree, since every branch but the root has at least four children.
  private static var maximumDepth: Int { 16 }

  static func from(_ old: Tree, to new: Tree, _ space: KeySpace) -> LayoutDelta {
    // The walk reads nodes without retaining them.
    defer { withExtendedLifetime((old, new)) {} }
    return withUnsafeTemporaryAllocation(of: Side.Step.self, capacity: 2 * maximumDepth) { steps in
      guard let path = steps.baseAddress else { return LayoutDelta() }
      var walk = TreeDifference(space: space, old: Side(old, path), new: Side(new, path + maximumDepth))
      walk.run()
      walk.delta.findSamePlaces()
      return walk.delta
    }
  }

  private init(space: KeySpace, old: Side, new: Side) {
    (self.space, self.old, self.new) = (space, old, new)
  }

  private mutating func run() {
    while !old.isAtEnd, !new.isAtEnd {
      let (oldHeight, newHeight) = (old.node.header.pointee.height, new.node.header.pointee.height)
      if old.node.words == new.node.words && old.entry == 0 && new.entry == 0 {
        pass()
      } else if oldHeight > newHeight {
        old.enter()
      } else if newHeight > oldHeight {
        new.enter()
      } else if oldHeight > 0 {
        old.enter()
        new.enter()
      } else {
        compare()
      }
    }
    while !old.isAtEnd { if old.node.isLeaf { remove() } else { old.enter() } }
    while !new.isAtEnd { if new.node.isLeaf { add() } else { new.enter() } }
  }

  /// Skips a node that both trees share, and the shared nodes directly behind it.
  private mutating func pass() {
    var count = 1
    if old.depth > 0, new.depth > 0 {
      let (left, right) = (old.path[old.depth - 1], new.path[new.depth - 1])
      let most = min(left.branch.count - left.child, right.branch.count - right.child)
      let (leftWords, rightWords) = (left.branch.words + left.child, right.branch.words + right.child)
      while count < most, leftWords[count] == rightWords[count] { count += 1 }
    }
    if !space.sectionsDecide { addSectionsAround(count) }
    old.skip(count)
    new.skip(count)
  }

  /// Compares the next entries of both leaves: passes over as many as are the same, or else deals with one.
  private mutating func compare() {
    let (oldSection, newSection) = (old.section, new.section)
    if oldSection == newSection {
      let most = min(old.node.runEnd(old.run) - old.entry, new.node.runEnd(new.run) - new.entry)
      let same = countOfSame(atMost: most)
      if same > 0 {
        addSections(oldSection, newSection)
        old.advance(by: same)
        return new.advance(by: same)
      }
    }
    let oldKey = old.node.key(old.entry, section: oldSection)
    let newKey = new.node.key(new.entry, section: newSection)
    if space.precedes(oldKey, newKey) { return remove() }
    if space.precedes(newKey, oldKey) { return add() }
    // Equal keys belong to the same row. With sections by gap, its section may differ.
    guard oldSection == newSection else {
      remove()
      return add()
    }
    addSections(oldSection, newSection)
    if old.node.stamps[old.entry] != new.node.stamps[new.entry] {
      delta.touched.append((new.spot, old.start + old.entry))
    }
    old.advance()
    new.advance()
  }

  private mutating func remove() {
    delta.removed.append(old.spot)
    addSections(old.section, nil)
    old.advance()
  }

  private mutating func add() {
    delta.added.append(new.spot)
    addSections(nil, new.section)
    new.advance()
  }

  @inline(__always)
  private mutating func addSections(_ oldSection: UInt64?, _ newSection: UInt64?) {
    guard !space.sectionsDecide else { return }
    if let oldSection { delta.sectionsNearby.old.insert(oldSection) }
    if let newSection { delta.sectionsNearby.new.insert(newSection) }
  }

  /// Notes the first and the last section of the skipped nodes. Any section between them is in skipped nodes only.
  private mutating func addSectionsAround(_ count: Int) {
    addSections(old.node.header.pointee.first.section, old.node.header.pointee.first.section)
    let last = count == 1 ? old.node : old.path[old.depth - 1].branch.child(old.path[old.depth - 1].child + count - 1)
    addSections(last.header.pointee.lastSection, last.header.pointee.lastSection)
  }

  /// How many of the next entries are the same in both leaves.
  @inline(__always)
  private func countOfSame(atMost most: Int) -> Int {
    let (oldRows, newRows) = (old.node.rows + old.entry, new.node.rows + new.entry)
    let (oldStamps, newStamps) = (old.node.stamps + old.entry, new.node.stamps + new.entry)
    let (oldOrders, newOrders) = (old.node.orders + old.entry, new.node.orders + new.entry)
    var same = 0
    while same < most {
      let values = UInt64((oldRows[same] ^ newRows[same]) | (oldStamps[same] ^ newStamps[same]))
      guard (oldOrders[same] ^ newOrders[same]) | values == 0 else { break }
      same += 1
    }
    return same
  }
}
