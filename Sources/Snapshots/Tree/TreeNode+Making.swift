// New nodes from entries or from other nodes.

extension TreeNode {
  /// Makes a leaf of a range of entries. `firstRun` is the run of the first one.
  static func leaf(_ content: LeafContent, _ range: Range<Int>, firstRun: Int) -> TreeNode {
    let runs = content.runs
    var lastRun = firstRun
    while lastRun + 1 < runs.count, runs[lastRun + 1].start < range.upperBound { lastRun += 1 }
    let runCount = lastRun - firstRun + 1
    let (start, count) = (range.lowerBound, range.count)
    let header = TreeHeader(
      first: EntryKey(section: runs[firstRun].section, order: content.orders[start], row: content.rows[start]),
      total: UInt32(count), lastSection: runs[lastRun].section, sections: UInt32(runCount), count: UInt16(count),
      height: 0)
    let node = make(words: NodeView.leafWords(entries: count, runs: runCount), header)
    let view = node.view
    view.rows.initialize(from: content.rows + start, count: count)
    view.stamps.initialize(from: content.stamps + start, count: count)
    view.orders.initialize(from: content.orders + start, count: count)
    let (sections, starts) = (view.runSections, view.runStarts)
    for run in 0..<runCount {
      sections[run] = runs[firstRun + run].section
      starts[run] = UInt16(max(0, runs[firstRun + run].start - start))
    }
    return node
  }

  /// Makes a branch of children of one height. Takes over their references.
  static func branch(_ children: Slice<UnsafeBufferPointer<Unmanaged<TreeNode>>>) -> TreeNode {
    guard let first = children.first.map(NodeView.init)?.header.pointee else {
      preconditionFailure("a branch has children")
    }
    let count = children.count
    let most = TreeNode.maximumChildren
    let header = TreeHeader(
      first: first.first, total: 0, lastSection: 0, sections: 0, count: UInt16(count), height: first.height + 1)
    let node = make(words: 5 * most, header)
    let view = node.view
    let (rows, ends) = (view.column(.firstRows), view.column(.ends))
    let (firstNumbers, lastNumbers) = (view.column(.firstSectionNumbers), view.column(.lastSectionNumbers))
    var (end, number, lastSection) = (Int32(0), Int32(-1), UInt64(0))
    for (place, child) in children.enumerated() {
      let below = NodeView(child).header.pointee
      view.words[place] = UInt64(UInt(bitPattern: child.toOpaque()))
      view.words[most + place] = below.first.section
      view.words[2 * most + place] = below.first.order
      rows[place] = Int32(bitPattern: below.first.row)
      end += Int32(below.total)
      ends[place] = end
      // A section that continues from the previous child is counted once.
      if place == 0 || below.first.section != lastSection { number += 1 }
      firstNumbers[place] = number
      number += Int32(below.sections) - 1
      lastNumbers[place] = number
      lastSection = below.lastSection
    }
    for place in count..<most {
      for column in [rows, ends, firstNumbers, lastNumbers] { column[place] = .max }
    }
    view.header.pointee.total = UInt32(end)
    view.header.pointee.sections = UInt32(number + 1)
    view.header.pointee.lastSection = lastSection
    return node
  }
}
