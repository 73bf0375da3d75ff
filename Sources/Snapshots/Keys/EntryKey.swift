// The sort key of an entry of a list, and the order of two keys.

import Synchronization

/// The sort key of an entry, as words that only the list's `KeySpace` can interpret.
struct EntryKey: Equatable, BitwiseCopyable, Sendable {
  var section: UInt64
  var order: UInt64
  var row: UInt32
}

/// Interprets the words in the keys of one list, and so defines the order of its entries. All snapshots of a list share
/// one.
final class KeySpace: Sendable {
  let layout: ListLayout
  let arena: KeyArena?
  /// Whether entries are sorted by section first. False for gap sections, which follow from the order.
  let sectionsDecide: Bool
  /// The words of the sections that the layout keeps when they are empty, sorted.
  let keptSections: [UInt64]
  private let rows: RowTable
  private let sectionArena: KeyArena?
  private let orderArena: KeyArena?
  private let gapSections = Atomic<UInt64>(1)

  init(_ layout: ListLayout) {
    self.layout = layout
    rows = layout.rows
    arena = layout.sections == .bytes || layout.order == .bytes ? KeyArena() : nil
    sectionArena = layout.sections == .bytes ? arena : nil
    orderArena = layout.order == .bytes ? arena : nil
    if case .gaps = layout.sections { sectionsDecide = false } else { sectionsDecide = true }
    let arena = sectionArena
    let kept = Set(layout.keptSections.map { Self.sectionWord($0, arena) })
    keptSections = kept.sorted { left, right in arena.map { $0.compare(left, right) < 0 } ?? (left < right) }
  }

  /// Makes a number for a gap section. It is unique among all states of the list, because two states that were derived
  /// from the same one may be compared.
  func newGapSection() -> UInt64 { gapSections.add(1, ordering: .relaxed).oldValue }

  /// The number that the next new gap section will get, unless another thread makes one first.
  var nextGapSection: UInt64 { gapSections.load(ordering: .relaxed) }

  /// Compares by section, then by order, then by id.
  @inline(__always)
  func precedes(_ left: EntryKey, _ right: EntryKey) -> Bool {
    if left.section != right.section && sectionsDecide { return sectionPrecedes(left.section, right.section) }
    return orderPrecedes(left, right)
  }

  /// Compares two entries of one section.
  @inline(__always)
  func orderPrecedes(_ left: EntryKey, _ right: EntryKey) -> Bool {
    if left.order != right.order {
      guard let orderArena else { return left.order < right.order }
      let compared = orderArena.compare(left.order, right.order)
      if compared != 0 { return compared < 0 }
    }
    return left.row != right.row && rows.precedes(left.row, right.row)
  }

  @inline(__always)
  func sectionPrecedes(_ left: UInt64, _ right: UInt64) -> Bool {
    guard let sectionArena else { return left < right }
    return sectionArena.compare(left, right) < 0
  }
}

extension KeySpace {
  func sectionWord(_ key: ListKey) -> UInt64 { Self.sectionWord(key, sectionArena) }

  fileprivate static func sectionWord(_ key: ListKey, _ arena: KeyArena?) -> UInt64 {
    switch (key, arena) {
    case (.number(let word), nil): word
    case (.bytes(let bytes), let arena?): arena.sectionWord(bytes)
    default: preconditionFailure("a section's key is of another kind than its list's sections")
    }
  }

  func knownSectionWord(_ key: ListKey) -> UInt64? {
    switch (key, sectionArena) {
    case (.number(let word), nil): word
    case (.bytes(let bytes), let arena?): arena.knownSectionWord(bytes)
    default: nil
    }
  }

  /// Returns the word of an order key. `known` is returned if it stands for the same key, so that equal bytes are not
  /// stored again.
  func orderWord(_ key: ListKey, known: UInt64?) -> UInt64 {
    switch (key, orderArena) {
    case (.number(let word), nil): return word
    case (.bytes(let bytes), let arena?):
      if let known, arena.isEqual(known, bytes) { return known }
      return arena.word(bytes)
    default: preconditionFailure("an order's key is of another kind than its list's order")
    }
  }

  func sectionKey(_ word: UInt64) -> ListKey { sectionArena.map { .bytes($0.bytes(word)) } ?? .number(word) }
  func orderKey(_ word: UInt64) -> ListKey { orderArena.map { .bytes($0.bytes(word)) } ?? .number(word) }
}
