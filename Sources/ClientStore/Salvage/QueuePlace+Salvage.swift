// The place of a queue in a salvaged store: at its beginning, with the history to which its operations belong.

import WireFormat

extension QueuePlace {
  /// Takes over no cursor, because no confirmed rows are taken over. Takes over epoch and history, so that a server
  /// that was restored meanwhile refuses operations of its earlier history. Columns that cannot be read count as
  /// absent.
  init(salvaging row: StoredRow) {
    func id<Object>(_ column: String) -> ObjectID<Object>? {
      (try? row.bytes(column)).flatMap { ObjectID(bytes: $0) }
    }
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

  /// Whether the server is asked for retired operations before the queue is shown again, even without `askFirst`. Of
  /// other queues nothing would show that the server has lost some, because rows loaded from the beginning have no
  /// digest to compare.
  var asksAnyway: Bool { load.isGone }

  /// Has the server asked for retired operations before anything is sent.
  mutating func askFirst() {
    if load == .unread || load == .loading { load = .reloading }
  }
}
