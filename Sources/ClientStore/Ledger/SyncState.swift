// Where queues stand, and what the server has said. Pure.

import SyncProtocol
import WireFormat

struct SyncState {
  private(set) var places: [QueueID: QueuePlace] = [:]
  /// Queues whose new place the client that syncs was not told yet.
  private var moved: Set<QueueID> = []
  /// The user's role in each queue, as it was last heard.
  private(set) var roles: [QueueID: QueueRole] = [:]
  /// Queues that the home queue names. The home queue then says the user's role: answers about two queues come in any
  /// order, so those about the queue itself may be older.
  private(set) var named: Set<QueueID> = []
  /// Invitations without an answer of the user: nothing of these queues is shown.
  private(set) var invited: Set<QueueID> = []
  /// The server that the store syncs with; nil until it has answered since the store was opened.
  private(set) var server: ServerID?
  /// The server's history, as the last answer has named it; nil before the first answer of all.
  private(set) var history: HistoryID?

  init(places: [QueueID: QueuePlace], roles: [QueueID: QueueRole], invited: Set<QueueID>, history: HistoryID?) {
    (self.places, self.roles, self.invited, self.history) = (places, roles, invited, history)
  }

  func place(of queue: QueueID) -> QueuePlace { places[queue] ?? QueuePlace() }

  mutating func move(_ queue: QueueID, to place: QueuePlace) {
    places[queue] = place
    moved.insert(queue)
  }

  mutating func setRole(_ role: QueueRole, in queue: QueueID) { roles[queue] = role }
}

// Taking in answers.
extension SyncState {
  mutating func setServer(_ server: ServerID) { self.server = server }

  mutating func setHistory(_ history: HistoryID) { self.history = history }

  mutating func setRoles(_ news: [QueueID: QueueRole]) { roles.merge(news) { $1 } }

  mutating func setNamed(_ queues: some Sequence<QueueID>) { named = Set(queues) }

  /// The role that an answer about a queue says; nil if it is known, or if the home queue says the role.
  func news(_ role: QueueRole, in queue: QueueID) -> QueueRole? {
    named.contains(queue) || roles[queue] == role ? nil : role
  }
}

// Invitations.
extension SyncState {
  /// Takes changes of the invitations: true for a new one, false for one that is none any more.
  mutating func setInvited(_ changes: [QueueID: Bool]) {
    for (queue, isInvited) in changes {
      if isInvited { invited.insert(queue) } else { invited.remove(queue) }
    }
  }
}

// Telling the client that syncs.
extension SyncState {
  /// A client that takes over sync is told of all places.
  mutating func tellAgain() { moved = Set(places.keys) }

  /// Takes the places that the client was not told of yet.
  mutating func takeMoved() -> [QueueID: QueuePlace] {
    defer { moved = [] }
    return Dictionary(uniqueKeysWithValues: moved.map { ($0, place(of: $0)) })
  }
}
