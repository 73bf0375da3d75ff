// The state of sync in memory: where queues stand, the server, and the client that syncs.

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
  /// Which queues the user is asked about; nil before a client has said so.
  private(set) var policy: InvitationPolicy?
  /// The server that the store syncs with; nil until it has answered since the store was opened.
  private(set) var server: ServerID?
  /// The server's history, as the last answer has named it; nil before the first answer of all.
  private(set) var history: HistoryID?
  /// The client of this process that took over sync last.
  private(set) var holder: UUIDValue?
  private var wakeHolder: Effects.Wake?

  init() {}

  init(_ saved: SavedState) {
    (places, roles, invited, history) = (saved.places, saved.roles, saved.invited, saved.history)
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

// One client a store.
extension SyncState {
  /// Makes `holder` the client that syncs, and wakes the earlier one, which finds that it was replaced, and ends.
  mutating func take(
    by holder: UUIDValue, _ policy: InvitationPolicy, waking wake: @escaping Effects.Wake, _ effects: inout Effects
  ) {
    self.wake(&effects)
    self.holder = holder
    self.policy = policy
    moved = Set(places.keys)
    wakeHolder = wake
  }

  /// Takes the places that `holder` was not told of yet; none for a client that was replaced.
  mutating func takeMoved(by holder: UUIDValue?) -> [QueueID: QueuePlace] {
    guard holder == self.holder else { return [:] }
    defer { moved = [] }
    return Dictionary(uniqueKeysWithValues: moved.map { ($0, place(of: $0)) })
  }

  mutating func end(by holder: UUIDValue?) {
    if self.holder == holder { wakeHolder = nil }
  }

  /// Tells the client that syncs that there may be something new to send or to tell.
  func wake(_ effects: inout Effects) {
    guard let holder, let wakeHolder else { return }
    effects.wake(.client(holder), wakeHolder)
  }
}
