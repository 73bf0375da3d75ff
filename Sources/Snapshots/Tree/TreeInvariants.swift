// The invariants of a snapshot. For tests: the check reads every node.

extension Snapshot {
  /// The broken invariant, in words; nil where all hold.
  package func brokenInvariant() -> String? {
    state.brokenInvariant()
  }
}

extension SnapshotState {
  fileprivate func brokenInvariant() -> String? {
    guard let root = tree.root else { return index.isEmpty ? nil : "the index of an empty list has rows" }
    let broken = withExtendedLifetime(root) { brokenNode(root.view, isRoot: true) }
    return broken ?? brokenEntry()
  }

  private func brokenNode(_ node: NodeView, isRoot: Bool) -> String? {
    let header = node.header.pointee
    let (least, most) =
      node.isLeaf
      ? (TreeNode.minimumEntries, TreeNode.maximumEntries) : (TreeNode.minimumChildren, TreeNode.maximumChildren)
    if node.count > most { return "a node has \(node.count) parts" }
    if node.count < (isRoot ? node.isLeaf ? 1 : 2 : least) { return "a node has only \(node.count) parts" }
    guard !node.isLeaf else { return brokenLeaf(node) }
    var (total, number, last) = (0, -1, UInt64?.none)
    for index in 0..<node.count {
      let child = node.child(index)
      let below = child.header.pointee
      if below.height + 1 != header.height { return "a child has another height" }
      if node.first(index) != below.first { return "a branch names another first key than its child" }
      total += child.total
      if Int(node.column(.ends)[index]) != total { return "a branch counts wrongly" }
      if below.first.section != last { number += 1 }
      if Int(node.column(.firstSectionNumbers)[index]) != number { return "a branch counts sections wrongly" }
      number += Int(below.sections) - 1
      if Int(node.column(.lastSectionNumbers)[index]) != number { return "a branch counts last sections wrongly" }
      last = below.lastSection
      if let broken = brokenNode(child, isRoot: false) { return broken }
    }
    if Int(header.total) != total || Int(header.sections) != number + 1 { return "a branch's sums are wrong" }
    return header.lastSection == last && header.first == node.first(0) ? nil : "a branch's header is wrong"
  }

  private func brokenLeaf(_ leaf: NodeView) -> String? {
    let header = leaf.header.pointee
    if Int(header.total) != leaf.count { return "a leaf's total is wrong" }
    if leaf.runStarts[0] != 0 { return "a leaf's first run starts late" }
    for run in 1..<max(1, leaf.sectionCount) {
      if leaf.runStarts[run] <= leaf.runStarts[run - 1] { return "a run is empty" }
      if leaf.runSections[run] == leaf.runSections[run - 1] { return "a run is two" }
    }
    if header.lastSection != leaf.runSections[leaf.sectionCount - 1] { return "a leaf's last section is wrong" }
    return header.first == leaf.key(0, section: leaf.runSections[0]) ? nil : "a leaf's first key is wrong"
  }

  /// Checks that entries are sorted, that the index has exactly these entries, and that each section is in one piece.
  private func brokenEntry() -> String? {
    var last: EntryKey?
    var sections: Set<UInt64> = []
    for position in 0..<tree.count {
      let key = tree.key(at: position)
      if let last, !space.precedes(last, key) { return "entries are out of order at \(position)" }
      if last?.section != key.section, !sections.insert(key.section).inserted { return "a section is in two pieces" }
      guard let indexed = index.key(of: key.row), indexed.order == key.order else { return "a row is not in the index" }
      if space.sectionsDecide, indexed.section != key.section { return "a row is in another section in the index" }
      last = key
    }
    if index.count != tree.count { return "the index has \(index.count) rows of \(tree.count)" }
    return sections.count == tree.sectionCount ? nil : "there are \(sections.count) sections, not \(tree.sectionCount)"
  }
}

extension RowIndex {
  fileprivate var isEmpty: Bool { count == 0 }
}
