// The properties that all snapshots of one list share.

/// How a list is sorted and divided.
public struct ListLayout: Sendable {
  /// How entries are divided into sections.
  public enum Sections: Hashable, Sendable {
    /// The section's key is a number: a day, the value of an enum, or the same number for all.
    case numbers
    /// The section's key is bytes: a text, an id, or a number that uses all 64 bits and may be null.
    case bytes
    /// A section ends where the orders of two neighbours, which must be numbers, differ by more than this. The section
    /// keys of puts are ignored. The key of a section is a number that stays while the section lives.
    case gaps(UInt64)
  }

  /// The kind of the keys by which entries are sorted within a section.
  public enum Order: Hashable, Sendable {
    case numbers
    case bytes
  }

  /// Maps row numbers to ids, which break ties. Lists over the same objects share it.
  public let rows: RowTable
  public let sections: Sections
  public let order: Order
  /// Sections that are shown even when they are empty, in any order. None for sections by gap.
  public let keptSections: [ListKey]

  /// Traps for sections by gap with an order of bytes or with kept sections.
  public init(
    rows: RowTable, sections: Sections = .numbers, order: Order = .numbers, keptSections: [ListKey] = []
  ) {
    if case .gaps = sections {
      precondition(order == .numbers, "gaps are between numbers")
      precondition(keptSections.isEmpty, "an empty section has no gap around it")
    }
    self.rows = rows
    self.sections = sections
    self.order = order
    self.keptSections = keptSections
  }
}
