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
  /// Retired operations that the server is to be asked for, since it has lost history.
  private var doubtful: [QueueID: [OperationID]] = [:]
  /// Queues with a retired end, and whether that end is in doubt.
  private var ends: [QueueID: RetiredEnd] = [:]
  /// Queues whose retired end is in doubt: nothing of them is shown.
  private(set) var endsInDoubt: Set<QueueID> = []
  /// Retired operations on which pending ones depend, with their queues.
  private(set) var retiredDependencies: [OperationID: QueueID] = [:]
  /// The server that the store syncs with; nil until it has answered since the store was opened.
  private(set) var server: ServerID?
  /// The server's history, as the last answer has named it; nil before the first answer.
  private(set) var history: HistoryID?
  /// The client of this process that took over sync last.
  private(set) var holder: UUIDValue?
  private var wakeHolder: @Sendable () -> Void = {}

  init() {}

  init(_ opened: StoreDatabase.Opened) {
    (places, roles, invited) = (opened.places, opened.roles, opened.invited)
    (doubtful, retiredDependencies) = (opened.doubtful, opened.retiredDependencies)
    for (queue, end) in opened.ends { setEnd(end, of: queue) }
  }

  func place(of queue: QueueID) -> QueuePlace { places[queue] ?? QueuePlace() }

  /// Whether the server may still apply an operation. False if it was not sent, or if it was sent in a lost history and
  /// its queue was read in the present one since.
  func isUnderWay(_ operation: OutboxEntry) -> Bool {
    guard operation.isSent else { return false }
    guard wasSentInALostHistory(operation), let queue = operation.queue else { return true }
    let place = place(of: queue)
    return place.load != .loaded || place.history != history
  }

  /// Whether the history in which an operation was sent last is lost. A restored server may have it all the same.
  func wasSentInALostHistory(_ operation: OutboxEntry) -> Bool {
    guard let history, let sentIn = operation.sentIn else { return false }
    return operation.isSent && sentIn != history
  }

  /// Whether the first load of the queue is under way, or still to come.
  func isLoadedSoon(_ queue: QueueID) -> Bool { [.unread, .loading].contains(place(of: queue).load) }

  /// The server's history in which a commit to the queue can be applied. A restore gives each queue another epoch, and
  /// a commit that names the former one is refused.
  func historyOfCommits(in queue: QueueID) -> HistoryID? {
    let place = place(of: queue)
    return place.epoch == nil ? history : place.history ?? history
  }

  func doubtful(in queue: QueueID) -> [OperationID] { doubtful[queue] ?? [] }

  mutating func didAdvance(_ step: QueueStep, _ result: QueueStep.Result) {
    let queue = step.queue
    places[queue] = result.place
    moved.insert(queue)
    if let role = step.role { roles[queue] = role }
    for case .asked(let asked, _, _) in [step.retired] { doubtful[queue]?.removeAll(where: asked.contains) }
    if case .dropped = step.retired { doubtful[queue] = nil }
    if step.asksForRetired || result.isLost { doubtful[queue] = result.doubtful }
    if doubtful[queue]?.isEmpty == true { doubtful[queue] = nil }
    if step.mayMoveEnd || step.asksForRetired || result.isLost { setEnd(result.end, of: queue) }
  }

  /// Updates the retired operations on which pending ones depend: newly retired ones come in; those that came back into
  /// the outbox, or were forgotten, go.
  mutating func addRetiredDependencies(
    _ step: QueueStep, _ leaving: [OperationID], _ result: QueueStep.Result, _ outbox: Outbox
  ) {
    for id in leaving where outbox.isDependedOn(id) { retiredDependencies[id] = step.queue }
    retiredDependencies.merge(result.retiredDependencies) { $1 }
    for id in result.forgotten { retiredDependencies[id] = nil }
    guard !retiredDependencies.isEmpty else { return }
    var isDropped = false
    if case .dropped = step.retired { isDropped = true }
    retiredDependencies = retiredDependencies.filter { id, queue in
      outbox.isDependedOn(id) && outbox.number(of: id) == nil
        && !(isDropped && queue == step.queue && !leaving.contains(id))
    }
  }
}

/// The state of a retired end of a queue.
enum RetiredEnd: Hashable, Sendable {
  case settled
  /// A restored server may have lost it: the server is to be asked, or was asked and does not know it.
  case inDoubt
}

// Ends of queues that a restored server may have lost.
extension SyncState {
  func retiredEnd(of queue: QueueID) -> RetiredEnd? { ends[queue] }

  private mutating func setEnd(_ end: RetiredEnd?, of queue: QueueID) {
    ends[queue] = end
    if end == .inDoubt { endsInDoubt.insert(queue) } else { endsInDoubt.remove(queue) }
  }

  /// Queues that the user has ended in another history of the server than the present one. The server is asked whether
  /// it still has these ends.
  var uncertainEnds: [QueueID] {
    guard let history else { return [] }
    return ends.keys.filter { places[$0]?.load == .ended && places[$0]?.history != history }
  }
}

// Taking in answers.
extension SyncState {
  mutating func setServer(_ server: ServerID) { self.server = server }

  /// Whether the home queue says something new of the user's membership, in this history.
  func isNews(_ role: QueueRole, in queue: QueueID, under history: HistoryID?) -> Bool {
    let place = place(of: queue)
    return roles[queue] != role || place.load == .unread && place.history != history
  }

  mutating func setRoles(_ news: [QueueID: QueueRole], in history: HistoryID?) {
    roles.merge(news) { $1 }
    for queue in news.keys where place(of: queue).load == .unread {
      places[queue, default: QueuePlace()].history = history
      moved.insert(queue)
    }
  }

  mutating func setNamed(_ queues: some Sequence<QueueID>) { named = Set(queues) }

  /// The role that an answer about a queue says; nil if it is known, or if the home queue says the role.
  func news(_ role: QueueRole, in queue: QueueID) -> QueueRole? {
    named.contains(queue) || roles[queue] == role ? nil : role
  }

  /// Takes the history that an answer names, unless another one was heard since the request, which named `asked`.
  /// Returns whether the answer may be used.
  mutating func adopt(_ history: HistoryID, asked: HistoryID?) -> Bool {
    if self.history == asked { self.history = history }
    return self.history == history && (asked == nil || asked == history)
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
  /// Makes `holder` the client that syncs. `wake` is called under the store's lock, so it must be short.
  mutating func take(
    by holder: UUIDValue, _ policy: InvitationPolicy, waking wake: @escaping @Sendable () -> Void
  ) {
    self.holder = holder
    self.policy = policy
    moved = Set(places.keys)
    // Wakes the earlier client, which finds that it was replaced, and ends.
    wakeHolder()
    wakeHolder = wake
  }

  /// Takes the places that `holder` was not told of yet; none for a client that was replaced.
  mutating func takeMoved(by holder: UUIDValue?) -> [QueueID: QueuePlace] {
    guard holder == self.holder else { return [:] }
    defer { moved = [] }
    return Dictionary(uniqueKeysWithValues: moved.map { ($0, place(of: $0)) })
  }

  mutating func end(by holder: UUIDValue?) {
    if self.holder == holder { wakeHolder = {} }
  }

  /// Tells the client that syncs that there may be something new to send or to tell.
  func wake() { wakeHolder() }
}
