// Sections that end where the distance to the next entry is too large.
//
// Such a section has no key of its own, so it gets a number when it is created. It keeps the number when its first
// object goes and when objects come. When two sections merge, the number of a section from before this batch wins over
// a new one; otherwise the number of the section with more entries wins, or the earlier one if both have as many. When
// a section splits, the part with the most entries keeps the number, or the earlier of two equal parts.

/// Edits a tree, and repairs its sections around each edit.
struct GapSections {
  private(set) var tree: Tree
  private let space: KeySpace
  private let gap: UInt64
  /// Section numbers from here on were made for this batch.
  private let firstNew: UInt64

  init(_ old: SnapshotState, gap: UInt64) {
    (tree, space, firstNew) = (old.tree, old.space, old.space.nextGapSection)
    self.gap = gap
  }

  mutating func edit(_ edits: [TreeEdit], stamp: UInt32) {
    let isFirst = tree.count == 0
    var edits = edits
    number(&edits)
    var editor = TreeEditor(space, stamp: stamp, edits)
    tree = editor.edit(tree)
    // A tree that was built from nothing has the right sections already.
    guard !isFirst else { return }
    for edit in editor.edits where edit.kind != .touch {
      // An insert has two borders, before and behind the entry. A removal has only one.
      mend(at: edit.newPosition, &editor)
      if edit.kind == .insert { mend(at: edit.newPosition + 1, &editor) }
    }
    part(around: editor.edits, &editor)
  }

  /// Where edits have cut a section into pieces, gives every piece but the largest a new number. Each piece has an edit
  /// at one of its ends.
  private mutating func part(around edits: [TreeEdit], _ editor: inout TreeEditor) {
    var pieces: [UInt64: Set<Range<Int>>] = [:]
    for edit in edits where edit.kind != .touch {
      for position in edit.newPosition - 1...edit.newPosition + 1 where (0..<tree.count).contains(position) {
        let number = tree.section(around: position).number
        let start = tree.sectionStart(number)
        pieces[start.word, default: []].insert(start.position..<tree.sectionEnd(number))
      }
    }
    for piecesOfOne in pieces.values where piecesOfOne.count > 1 {
      let sorted = piecesOfOne.sorted { ($1.count, $0.lowerBound) < ($0.count, $1.lowerBound) }
      for piece in sorted.dropFirst() {
        tree = editor.relabel(tree, piece, section: space.newGapSection())
      }
    }
  }

  /// Gives inserted entries new sections. An entry within the gap of the inserted one before it shares that one's
  /// section, whatever stands between them.
  private mutating func number(_ edits: inout [TreeEdit]) {
    var (last, section): (UInt64?, UInt64) = (nil, 0)
    for index in edits.indices where edits[index].kind == .insert {
      let order = edits[index].key.order
      if last.map({ order - $0 > gap }) ?? true { section = space.newGapSection() }
      edits[index].key.section = section
      last = order
    }
  }

  /// Merges or splits the sections on both sides of a position if they do not fit the gap there.
  private mutating func mend(at position: Int, _ editor: inout TreeEditor) {
    guard position > 0, position < tree.count else { return }
    let (left, right) = (tree.key(at: position - 1), tree.key(at: position))
    let belongs = right.order - left.order <= gap
    guard belongs != (left.section == right.section) else { return }
    let number = tree.section(around: position - 1).number
    let start = tree.sectionStart(number).position
    if belongs {
      let end = tree.sectionEnd(number + 1)
      let (leftIsNew, rightIsNew) = (left.section >= firstNew, right.section >= firstNew)
      let rightWins = leftIsNew != rightIsNew ? leftIsNew : end - position > position - start
      tree = editor.relabel(
        tree, rightWins ? start..<position : position..<end, section: rightWins ? right.section : left.section)
      // The neighbour beyond may be another part of the section that won, and too far away.
      mend(at: rightWins ? start : end, &editor)
    } else {
      let end = tree.sectionEnd(number)
      let rightStays = end - position > position - start
      tree = editor.relabel(
        tree, rightStays ? start..<position : position..<end, section: space.newGapSection())
    }
  }
}
