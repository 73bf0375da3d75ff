// Where a salvaged store stands with a queue: at its beginning, knowing of which history the operations are.

import ModelTypes
import WireFormat

extension QueuePlace {
  /// Nothing of the rows is taken over, and so no cursor. Epoch and history are: by them a server that was restored
  /// meanwhile refuses what was meant for the one before. What of the row cannot be read counts as never heard.
  init(salvaging row: StoredRow) {
    let id = { (column: String) in (try? row.bytes(column)).flatMap { UUIDValue(bytes: $0) } }
    self.init()
    let known = (try? row.integer("load")).flatMap(Load.init(rawValue:)) ?? .unread
    history = id("history")
    switch known {
    case .loading, .loaded, .reloading:
      epoch = id("epoch")
      grant = epoch == nil ? nil : id("membership")
      load = known == .reloading ? .reloading : epoch == nil ? .unread : .loading
    case .awaitingMembership:
      load = known
      waitingSince = (try? row.integer("waitingSince")).map { Timestamp(millisecondsSince1970: $0) }
    case .unread, .revoked, .ended: load = known
    }
  }

  /// Whether the server is asked for retired operations before the queue is shown again, whatever else is known. Where the
  /// rows are loaded from the beginning, no digest tells any more that it has lost something.
  var asksAnyway: Bool { load.isGone }

  /// Retired operations are asked for before anything is sent.
  mutating func askFirst() {
    if load == .unread || load == .loading { load = .reloading }
  }
}
