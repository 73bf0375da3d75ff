// The state of sync in memory: where queues stand, the server, and the client that syncs.

import ModelTypes
import SyncProtocol
import WireFormat

struct SyncState {
  private(set) var places: [QueueID: QueuePlace] = [:]
  /// Those that the client which syncs has not been told of.
  private var moved: Set<QueueID> = []
  /// The user's role in each queue, as it was last heard.
  private(set) var roles: [QueueID: QueueRole] = [:]
  /// Queues that the home queue names. It says the user's role in them: what answers about the queue itself say may be
  /// older, since they come in any order.
  private(set) var named: Set<QueueID> = []
  /// Queues that others have added the user to, without an answer of the user: nothing of them is shown.
  private(set) var invited: Set<QueueID> = []
  /// The users that have sent these invitations; empty unless the policy is `known`.
  private(set) var inviters: Set<UUIDValue> = []
  /// Which of them the app asks about; nil before a client has said so.
  private(set) var policy: InvitationPolicy?
  /// Retired operations that the server is to be asked for, since it has lost history.
  private var doubtful: [QueueID: [UUIDValue]] = [:]
  /// Queues whose end is retired, and whether the server is to be asked for that.
  private var ends: [QueueID: RetiredEnd] = [:]
  /// Those where it is: nothing of them is shown.
  private(set) var endsInDoubt: Set<QueueID> = []
  /// Retired operations that others of the outbox were declared to come after, with their queues.
  private(set) var retiredDependencies: [UUIDValue: QueueID] = [:]
  /// Queues whose last request has failed, as noted on disk.
  private(set) var failing: Set<QueueID> = []
  /// The one that the store syncs with, once it has answered since the store was opened.
  private(set) var server: UUIDValue?
  /// Its history, as the last answer has named it.
  private(set) var history: UUIDValue?
  /// Which client syncs, of those of this process.
  private(set) var holder: UUIDValue?
  private var wakeHolder: @Sendable () -> Void = {}

  init() {}

  init(_ opened: StoreDatabase.Opened) {
    (places, roles, invited) = (opened.places, opened.roles, opened.invited)
    (doubtful, retiredDependencies) = (opened.doubtful, opened.retiredDependencies)
    for (queue, end) in opened.ends { note(end, of: queue) }
  }

  func place(of queue: QueueID) -> QueuePlace { places[queue] ?? QueuePlace() }

  /// Whether the server may still apply an operation. It does not where that was sent in a history which is lost, and the
  /// queue was read in the present one since.
  func isUnderWay(_ operation: PendingOperation) -> Bool {
    guard operation.isSent else { return false }
    guard wasSentInALostHistory(operation), let queue = operation.queue else { return true }
    let place = place(of: queue)
    return place.load != .loaded || place.history != history
  }

  /// Where it was sent last, nothing goes on; a restored server may have it all the same.
  func wasSentInALostHistory(_ operation: PendingOperation) -> Bool {
    guard let history, let sentIn = operation.sentIn else { return false }
    return operation.isSent && sentIn != history
  }

  /// A load is under way, or comes first.
  func isLoadedSoon(_ queue: QueueID) -> Bool { [.unread, .loading].contains(place(of: queue).load) }

  /// The server's history in which a commit is applied, if at all: after a restore each queue has another epoch, and what
  /// names the one of before is refused.
  func historyOfCommits(in queue: QueueID) -> UUIDValue? {
    let place = place(of: queue)
    return place.epoch == nil ? history : place.history ?? history
  }

  func doubtful(in queue: QueueID) -> [UUIDValue] { doubtful[queue] ?? [] }

  mutating func didAdvance(_ step: QueueStep, _ result: QueueStep.Result) {
    let queue = step.queue
    places[queue] = result.place
    moved.insert(queue)
    if let role = step.role { roles[queue] = role }
    for case .asked(let asked, _, _) in [step.retired] { doubtful[queue]?.removeAll(where: asked.contains) }
    if case .dropped = step.retired { doubtful[queue] = nil }
    if step.asksForRetired || result.isLost { doubtful[queue] = result.doubtful }
    if doubtful[queue]?.isEmpty == true { doubtful[queue] = nil }
    if step.mayMoveEnd || step.asksForRetired || result.isLost { note(result.end, of: queue) }
  }

  /// What is retired may have to be waited for; what came back is in the outbox, and what is forgotten is not waited for.
  mutating func noteRetiredDependencies(
    _ step: QueueStep, _ leaving: [UUIDValue], _ result: QueueStep.Result, _ outbox: Outbox
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

/// A retired end of a queue.
enum RetiredEnd: Hashable, Sendable {
  case settled
  /// A restored server may have lost it: it is asked, or was and does not know it.
  case inDoubt
}

// Ends of queues that a restored server may have lost.
extension SyncState {
  func retiredEnd(of queue: QueueID) -> RetiredEnd? { ends[queue] }

  private mutating func note(_ end: RetiredEnd?, of queue: QueueID) {
    ends[queue] = end
    if end == .inDoubt { endsInDoubt.insert(queue) } else { endsInDoubt.remove(queue) }
  }

  /// Queues that the user has ended, under another history of the server than the present one: it is asked whether they
  /// still have.
  var uncertainEnds: [QueueID] {
    guard let history else { return [] }
    return ends.keys.filter { places[$0]?.load == .ended && places[$0]?.history != history }
  }
}

// Taking in answers.
extension SyncState {
  mutating func note(server: UUIDValue) { self.server = server }

  /// Whether the home queue says something new of the user's membership, in this history.
  func isNews(_ role: QueueRole, in queue: QueueID, under history: UUIDValue?) -> Bool {
    let place = place(of: queue)
    return roles[queue] != role || place.load == .unread && place.history != history
  }

  mutating func note(roles news: [QueueID: QueueRole], in history: UUIDValue?) {
    roles.merge(news) { $1 }
    for queue in news.keys where place(of: queue).load == .unread {
      places[queue, default: QueuePlace()].history = history
      moved.insert(queue)
    }
  }

  mutating func note(named queues: some Sequence<QueueID>) { named = Set(queues) }

  /// The role that an answer about a queue tells, where that is news.
  func news(_ role: QueueRole, in queue: QueueID) -> QueueRole? {
    named.contains(queue) || roles[queue] == role ? nil : role
  }

  /// Takes the history that an answer names, to a request that named `asked`; returns whether the answer may be used.
  mutating func adopt(_ history: UUIDValue, asked: UUIDValue?) -> Bool {
    if self.history == asked { self.history = history }
    return self.history == history && (asked == nil || asked == history)
  }
}

// Invitations.
extension SyncState {
  /// Which queues are invitations now, and which are none any more.
  mutating func note(invited changes: [QueueID: Bool]) {
    for (queue, isInvited) in changes {
      if isInvited { invited.insert(queue) } else { invited.remove(queue) }
    }
  }

  mutating func note(inviters: Set<UUIDValue>) { self.inviters = inviters }
}

// Requests that fail.
extension SyncState {
  /// Takes in the notes on disk.
  mutating func note(failing: some Sequence<QueueID>) { self.failing = Set(failing) }

  mutating func note(isFailing: Bool, _ queue: QueueID) {
    if isFailing { failing.insert(queue) } else { failing.remove(queue) }
  }
}

// One client a store.
extension SyncState {
  /// `wake` is called under the store's lock, so it must be short.
  mutating func take(
    by holder: UUIDValue, _ policy: InvitationPolicy, waking wake: @escaping @Sendable () -> Void
  ) {
    self.holder = holder
    self.policy = policy
    moved = Set(places.keys)
    // The earlier one looks, and ends.
    wakeHolder()
    wakeHolder = wake
  }

  /// The places that `holder` has not been told of; an earlier client takes nothing away.
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
