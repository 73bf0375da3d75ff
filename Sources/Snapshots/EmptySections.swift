// The empty sections that a layout keeps. They are not in the tree, which has only sections with entries.

/// The kept sections without entries, and where they stand between the tree's sections. Searched one by one, because
/// they are few: values of an enum.
struct EmptySections: Sendable {
  private struct Gone {
    var word: UInt64
    /// How many sections of the tree stand before it.
    var before: Int
  }

  private var gone: [Gone] = []

  init(of tree: Tree, _ space: KeySpace) {
    for word in space.keptSections {
      let found = tree.section(word, space)
      if !found.isThere { gone.append(Gone(word: word, before: found.number)) }
    }
  }

  var count: Int { gone.count }

  /// The number, among all sections, of a section of the tree.
  @inline(__always)
  func number(ofTree number: Int) -> Int {
    gone.isEmpty ? number : number + (gone.firstIndex { $0.before > number } ?? gone.count)
  }

  enum Found {
    case inTree(Int)
    /// An empty section, and how many sections of the tree stand before it.
    case empty(word: UInt64, before: Int)
  }

  @inline(__always)
  func section(_ number: Int) -> Found {
    gone.isEmpty ? .inTree(number) : sectionAmongEmpty(number)
  }

  private func sectionAmongEmpty(_ number: Int) -> Found {
    for (index, empty) in gone.enumerated() {
      // The number of this empty section among all sections.
      let own = empty.before + index
      if own == number { return .empty(word: empty.word, before: empty.before) }
      if own > number { return .inTree(number - index) }
    }
    return .inTree(number - gone.count)
  }

  /// The number of an empty section among all sections; nil for a section that is not kept, or not empty.
  func number(ofEmpty word: UInt64) -> Int? {
    gone.firstIndex { $0.word == word }.map { gone[$0].before + $0 }
  }
}
