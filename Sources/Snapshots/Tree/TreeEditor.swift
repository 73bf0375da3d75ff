// Makes a new tree from an old one and some edits. Only the nodes above the edits are made anew.

/// A change of one entry. The edits of a tree remove a row at most once, and insert it at most once.
struct TreeEdit {
  enum Kind { case remove, insert, touch }

  var key: EntryKey
  var kind: Kind
  /// Where the entry is in the old and in the new tree, or where it would be. The editor sets both.
  var oldPosition = 0
  var newPosition = 0
}

/// Walks down the tree once for all edits, which must be sorted by key, and builds the new nodes from the leaves up.
struct TreeEditor {
  let space: KeySpace
  /// The stamp of the entries that are inserted or touched.
  let stamp: UInt32
  var edits: [TreeEdit]
  /// The entries of the leaf that is being made.
  private let content = LeafContent()
  /// Nodes that have no parent yet. Each reference is retained.
  private var nodes: [Unmanaged<TreeNode>] = []
  /// By how much the edits so far have shifted the entries behind them.
  private var shift = 0

  init(_ space: KeySpace, stamp: UInt32, _ edits: [TreeEdit] = []) {
    self.space = space
    self.stamp = stamp
    self.edits = edits
  }

  mutating func edit(_ tree: Tree) -> Tree {
    guard let root = tree.root else { return build() }
    nodes.reserveCapacity(2 * TreeNode.maximumChildren + 4)
    edit(root.view, start: 0, edits.indices)
    return finish()
  }

  /// Builds a tree in linear time. All edits of an empty tree are inserts.
  private mutating func build() -> Tree {
    content.reserve(edits.count)
    for index in edits.indices {
      edits[index].newPosition = index
      content.append(edits[index].key, stamp: stamp)
    }
    content.cut(maximum: TreeNode.builtEntries, into: &nodes)
    return finish()
  }

  private mutating func finish() -> Tree {
    while nodes.count > 1 { makeBranches(from: 0) }
    guard let last = nodes.popLast() else { return Tree() }
    var root = last.takeRetainedValue()
    while !root.view.isLeaf, root.view.count == 1 {
      root = TreeNode.unmanaged(root.view.words[0]).takeUnretainedValue()
    }
    return Tree(root: root)
  }

  /// Applies edits to a node, and adds the resulting nodes to `nodes`.
  private mutating func edit(_ node: NodeView, start: Int, _ range: Range<Int>) {
    if node.isLeaf { editLeaf(node, start: start, range) } else { editBranch(node, start: start, range) }
  }

  private mutating func editBranch(_ node: NodeView, start: Int, _ range: Range<Int>) {
    let mark = nodes.count
    var (done, index) = (0, range.lowerBound)
    while index < range.upperBound {
      let child = node.child(for: edits[index].key, from: done, space)
      keep(node, done..<child)
      var end = index + 1
      if child + 1 == node.count {
        end = range.upperBound
      } else {
        let next = node.first(child + 1)
        while end < range.upperBound, space.precedes(edits[end].key, next) { end += 1 }
      }
      edit(node.child(child), start: start + node.start(child), index..<end)
      (done, index) = (child + 1, end)
    }
    keep(node, done..<node.count)
    join(from: mark)
    makeBranches(from: mark)
  }

  private mutating func keep(_ node: NodeView, _ children: Range<Int>) {
    for child in children { nodes.append(TreeNode.unmanaged(node.words[child]).retain()) }
  }

  private mutating func editLeaf(_ leaf: NodeView, start: Int, _ range: Range<Int>) {
    content.removeAll()
    var done = 0
    for index in range {
      let edit = edits[index]
      let place = leaf.lowerBound(edit.key, from: done, space)
      content.append(leaf, done..<place)
      done = place
      edits[index].oldPosition = start + place
      edits[index].newPosition = start + place + shift
      switch edit.kind {
      case .insert:
        content.append(edit.key, stamp: stamp)
        shift += 1
        continue
      case .touch:
        let section = leaf.runSections[leaf.run(of: place)]
        content.append(leaf.key(place, section: section), stamp: stamp)
      case .remove: shift -= 1
      }
      precondition(leaf.rows[place] == edit.key.row, "the index names an entry that is not in the tree")
      done += 1
    }
    content.append(leaf, done..<leaf.count)
    content.cut(maximum: TreeNode.maximumEntries, into: &nodes)
  }
}

extension TreeEditor {
  /// Replaces all nodes from `mark` on by branches that have them as children.
  private mutating func makeBranches(from mark: Int) {
    let count = nodes.count - mark
    let parts = (count + TreeNode.maximumChildren - 1) / TreeNode.maximumChildren
    for part in 0..<parts {
      let (start, end) = (count * part / parts, count * (part + 1) / parts)
      let branch = nodes.withUnsafeBufferPointer { TreeNode.branch($0[mark + start..<mark + end]) }
      // Overwrites a node that has a parent by now.
      nodes[mark + part] = .passRetained(branch)
    }
    nodes.removeLast(count - parts)
  }

  /// Joins each underfull node from `mark` on with a neighbour. A node without a neighbour stays: its parent is then
  /// underfull too, and is joined in turn.
  private mutating func join(from mark: Int) {
    var index = mark
    while index < nodes.count, nodes.count - mark > 1 {
      guard nodes[index]._withUnsafeGuaranteedRef({ $0.isUnderfull }) else {
        index += 1
        continue
      }
      index = max(mark, index - 1)
      joinPair(at: index)
    }
  }

  /// Replaces two neighbours by one node, or by two of equal size.
  private mutating func joinPair(at index: Int) {
    let (left, right) = (nodes[index], nodes[index + 1])
    let end = nodes.count
    if NodeView(left).isLeaf {
      content.removeAll()
      for leaf in [left, right].map(NodeView.init) { content.append(leaf, 0..<leaf.count) }
      content.cut(maximum: TreeNode.maximumEntries, into: &nodes)
    } else {
      for branch in [left, right].map(NodeView.init) { keep(branch, 0..<branch.count) }
      join(from: end)
      makeBranches(from: end)
    }
    left.release()
    right.release()
    let joined = Array(nodes[end...])
    nodes.removeLast(joined.count)
    nodes.replaceSubrange(index...index + 1, with: joined)
  }
}

extension TreeEditor {
  /// The tree with another section for a range of entries. Their positions stay.
  mutating func relabel(_ tree: Tree, _ range: Range<Int>, section: UInt64) -> Tree {
    guard let root = tree.root, !range.isEmpty else { return tree }
    relabel(root.view, range, section)
    return finish()
  }

  private mutating func relabel(_ node: NodeView, _ range: Range<Int>, _ section: UInt64) {
    guard !node.isLeaf else {
      content.removeAll()
      content.append(node, 0..<range.lowerBound)
      for entry in range { content.append(node.key(entry, section: section), stamp: node.stamps[entry]) }
      content.append(node, range.upperBound..<node.count)
      return content.cut(maximum: TreeNode.maximumEntries, into: &nodes)
    }
    let mark = nodes.count
    for child in 0..<node.count {
      let start = node.start(child)
      let below = range.clamped(to: start..<start + node.child(child).total)
      if below.isEmpty {
        keep(node, child..<child + 1)
      } else {
        relabel(node.child(child), below.lowerBound - start..<below.upperBound - start, section)
      }
    }
    makeBranches(from: mark)
  }
}
