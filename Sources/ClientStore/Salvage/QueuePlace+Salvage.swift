// Where a salvaged store stands with a queue: at its beginning, knowing of which history the operations are.

import ModelTypes
import WireFormat

extension QueuePlace {
  /// Nothing of the rows is taken over, and so no cursor. Epoch and history are: a server that was restored meanwhile is
  /// noticed by them, before anything is sent. What of the row cannot be read counts as never heard.
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

  /// Whether a server that has lost operations of the queue would be noticed: it would be of another epoch, or history.
  var noticesLoss: Bool { epoch != nil || load.isGone }

  /// What is kept is asked for before anything is sent.
  mutating func askFirst() {
    if load == .unread || load == .loading { load = .reloading }
  }
}
