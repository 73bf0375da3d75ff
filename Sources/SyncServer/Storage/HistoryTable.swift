// The histories of a database, by which clients learn what the server may have lost.

package import WireFormat

/// All histories of a server's database. `SQLiteStorage` reads them when it is opened.
package struct HistoryTable: Hashable, Sendable {
  /// Oldest first, and never empty.
  private let entries: [Entry]

  package struct Entry: Hashable, Sendable {
    package var id: HistoryID
    /// What the server acknowledged at this time or later, in earlier histories, may be lost.
    package var since: Timestamp

    package init(id: HistoryID, since: Timestamp) { (self.id, self.since) = (id, since) }
  }

  /// One history, the first of its server. The default is for a service in front of which no client compares histories.
  package init(_ first: HistoryID = HistoryID(.zero)) {
    entries = [Entry(id: first, since: .zero)]
  }

  package init(entries: [Entry]) {
    precondition(!entries.isEmpty, "a database has a history")
    self.entries = entries
  }

  /// The time since which a copy may lack what was acknowledged, where nobody knows better: ten minutes before its newest
  /// outcome, both in milliseconds since 1970.
  ///
  /// A client may date an outcome ahead, by `firstSent`. Were the time so late, the writes of others would be lost, so the
  /// time that the server has noted bounds it. One that is too early costs traffic only.
  package static func presumedLoss(newestOutcome: Int64, noted: Int64) -> Timestamp {
    Timestamp(millisecondsSince1970: max(0, (noted > 0 ? min(newestOutcome, noted) : newestOutcome) - 600_000))
  }

  package var current: HistoryID { entries[entries.count - 1].id }

  /// The time back to which a client that knows this history may have lost something. An unknown history is older than
  /// all others.
  package func since(after known: HistoryID) -> Timestamp {
    let newer = entries.lastIndex { $0.id == known }.map { entries[($0 + 1)...] } ?? entries[...]
    return newer.map(\.since).min() ?? .zero
  }
}
