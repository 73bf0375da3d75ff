// The properties that all snapshots of one list share.

/// How a list is sorted and divided.
public struct ListLayout: Sendable {
  /// How entries are divided into sections.
  public enum Sections: Hashable, Sendable {
    /// The section's key is a number: a day, the value of an enum, or the same number for all.
    case numbers
    /// The section's key is bytes: a text, an id, a number with 64 bits and null.
    case bytes
    /// A section ends where two neighbours' orders, which must be numbers, differ by more than this. Keys of sections are
    /// ignored when putting; a section that is asked for its key has a number that stays while the section lives.
    case gaps(UInt64)
  }

  /// The kind of the keys by which entries are sorted inside of their section.
  public enum Order: Hashable, Sendable {
    case numbers
    case bytes
  }

  /// The numbers of the rows, and so the ids that break ties. Lists over the same objects share it.
  public let rows: RowTable
  public let sections: Sections
  public let order: Order
  /// Sections that are shown when they are empty, in any order. Not for gaps.
  public let keptSections: [ListKey]

  /// Sections by gap demand an order of numbers, and no kept sections.
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
