// How far a reader without a store has come in a queue.

import SyncProtocol
import WireFormat

/// Where reading a queue goes on. It belongs to that queue only.
///
/// Its `description` is a text to keep between runs. A text of another version may give nil; the reader then begins
/// again.
public struct DeltaCursor: Hashable, Sendable {
  let history: HistoryID
  let cursor: Int64
  /// Set while the first scan of the queue's objects is not complete.
  let scan: ScanCursor?

  /// Whether a page that was asked for behind `other` may end here: a scan goes down, and later the cursor goes up.
  func goesOn(from other: DeltaCursor) -> Bool {
    guard history == other.history else { return false }
    return switch (other.scan, scan) {
    case (let before?, let now?): cursor == other.cursor && (now.newestBy, now.id) < (before.newestBy, before.id)
    case (_?, nil): cursor == other.cursor
    case (nil, nil): cursor > other.cursor
    case (nil, _?): false
    }
  }
}

extension DeltaCursor: LosslessStringConvertible {
  public var description: String {
    let scan = scan.map { " \($0.newestBy) \($0.id)" } ?? ""
    return "\(history) \(cursor)\(scan)"
  }

  /// Reads a text that `description` gave; nil for any other. The text does not say its queue: keep that beside it.
  public init?(_ description: String) {
    let words = description.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard words.count == 2 || words.count == 4, let history = HistoryID(words[0]), let cursor = Int64(words[1]),
      cursor >= 0
    else { return nil }
    var scan: ScanCursor?
    if words.count == 4 {
      guard let newestBy = Int64(words[2]), let id = UUIDValue(words[3]) else { return nil }
      scan = ScanCursor(newestBy: newestBy, id: id)
    }
    self.init(history: history, cursor: cursor, scan: scan)
  }
}
