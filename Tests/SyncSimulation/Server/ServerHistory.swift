// The true history of the server, transaction by transaction, with which devices are compared.

import StoreTestSupport
import SyncProtocol
import SyncServer
import WireFormat

/// Survives the server's crashes and losses, as no server could. `@unchecked Sendable`: one thread.
final class ServerHistory: @unchecked Sendable {
  unowned let world: World
  private(set) var state = State()
  /// By queue and history of the server: how far the queue had come when the server left that history. A silent restore
  /// leaves several under one name.
  private var former: [QueueID: [HistoryID: [QueueHistory]]] = [:]
  /// Transactions that failed at their commit. Each element is what one transaction of SQLite was to write.
  private var doubtful: [[TransactionRecord]] = []
  /// The `points` of the disk when the newest of these failed.
  private var doubtfulSince = 0
  /// Queues that have ended, in any history.
  private var ended: Set<QueueID> = []
  /// When each operation was done first, in any history, and in which life of the server.
  private var done: [OperationID: (time: Timestamp, life: Int)] = [:]

  init(world: World) { self.world = world }

  struct State {
    var queues: [QueueID: QueueHistory] = [:]
  }

  /// The effect of an operation on one object.
  struct Applied {
    var revision: Int64
    var operation: OperationID
    /// The place of the operation among those of its device.
    var order: Int
    var effect: Effect
  }

  enum Effect {
    case changed
    /// The object was already as the operation wanted it.
    case same
    /// There was nothing to change any more.
    case gone
  }

  /// A queue as it was in a history of the server; more than one where a silent restore has split that history.
  func branches(of queue: QueueID, in history: HistoryID?) -> [QueueHistory] {
    guard let history else { return [] }
    let now = history == world.server.name ? state.queues[queue] : nil
    return [now].compactMap { $0 } + (former[queue]?[history] ?? [])
  }

  /// A queue as it was in every history.
  func branches(of queue: QueueID) -> [QueueHistory] {
    [state.queues[queue]].compactMap { $0 } + (former[queue]?.values.flatMap { $0 } ?? [])
  }

  func applied(to object: UUIDValue, in queue: QueueID) -> [Applied] { state.queues[queue]?.applied[object] ?? [] }

  /// Whether an operation was applied, or found unnecessary, in any history.
  func wasDone(_ operation: OperationID) -> Bool { done[operation] != nil }

  /// Whether the server's time has risen by more than this many milliseconds since an operation was done.
  func wasDone(_ operation: OperationID, before milliseconds: Int64) -> Bool {
    guard let (time, life) = done[operation] else { return false }
    return world.server.referee.rise(since: time.millisecondsSince1970, in: life) > milliseconds
  }

  func hasEnded(_ queue: QueueID) -> Bool { state.queues[queue]?.row?.isEnded == true }

  /// Whether the queue was born, and no loss has taken that back.
  func isThere(_ queue: QueueID) -> Bool { state.queues[queue]?.row != nil }

  /// Whether the queue has ended, even if a loss has taken that back.
  func hasEverEnded(_ queue: QueueID) -> Bool { ended.contains(queue) }

  var hasAnyEnded: Bool { !ended.isEmpty }

  /// Goes back to an earlier state, whose files are in place. The present one becomes a former one.
  func goBack(to earlier: State) {
    for (id, queue) in state.queues { former[id, default: [:]][world.server.name, default: []].append(queue) }
    state = earlier
    doubtful = []
  }
}

extension ServerHistory.State {
  /// The time of the oldest outcome that is not in another state; nil if that has all.
  func oldestOutcome(missingIn other: Self) -> Timestamp? {
    queues.lazy.flatMap { id, queue in
      queue.outcomes.lazy.filter { other.queues[id]?.outcomes[$0.key] != $0.value }.map(\.value.time)
    }.min()
  }
}

// Transactions.
extension ServerHistory {
  /// Applies transactions that were committed together.
  func take(_ records: [TransactionRecord]) {
    for record in records {
      apply(record)
      if let effects = record.effects { world.server.referee.apply(effects, by: record.served) }
    }
  }

  private func apply(_ record: TransactionRecord) {
    world.count("outcomes that upkeep forgets", record.outcomesGone.count)
    if record.isUpkeep { world.count("files removed by upkeep", record.files.count) }
    if record.leavesObjects { world.count("removals of objects after an end that leave some") }
    var objects: [QueueID: [ObjectState]] = [:]
    let isJoin = joinsByLink(record)
    for put in record.puts {
      switch put {
      case .object(let object, let queue):
        // The server itself writes the objects of members and links, whatever operation has changed them.
        if state.queues[queue]?.isOfServer(object) ?? object.isOfServer {
          world.oracles.noteLink(state.queues[queue]?.objects[object.id], object, isJoin: isJoin)
          state.queues[queue, default: QueueHistory()].note([object])
        } else {
          objects[queue, default: []].append(object)
        }
      case .outcome(let outcome, let queue):
        if outcome.status == .rejected(RejectionCode.linkEnded) { world.count("links refused") }
        let puts = objects.removeValue(forKey: queue) ?? []
        world.oracles.check(outcome, puts, in: queue, self)
        if outcome.status.isDone {
          done[outcome.operation] = done[outcome.operation] ?? (outcome.time, world.server.referee.life)
        }
        state.queues[queue, default: QueueHistory()].note(outcome, puts, of: world.operations[outcome.operation])
      case .queue(let row, let queue):
        state.queues[queue, default: QueueHistory()].row = row
      case .membership(let membership, let user, let queue):
        world.note(state.queues[queue]?.members ?? [:], membership, of: user, in: queue, byLink: isJoin)
        state.queues[queue, default: QueueHistory()].members[user] = membership
        if membership == nil { world.noteLeft(user, queue) }
      case .tombstonesGone(let queue, let revision):
        if record.isUpkeep { world.count("tombstones that upkeep forgets") }
        state.queues[queue]?.forgetTombstones(upTo: revision)
      case .outcomesGone: break
      case .membersGone(let queue):
        for user in state.queues[queue]?.members.keys.sorted() ?? [] { world.noteLeft(user, queue) }
        state.queues[queue]?.end()
        world.count(ended.insert(queue).inserted ? "queues that end" : "queues that end again after a loss")
      }
    }
    // The server itself writes objects without an outcome: memberships in home queues.
    for (queue, puts) in objects { state.queues[queue, default: QueueHistory()].note(puts) }
  }

  /// Whether a transaction lets somebody in by a link. It decides no mutation then, and changes the link.
  private func joinsByLink(_ record: TransactionRecord) -> Bool {
    let hasOutcome = record.puts.contains { if case .outcome = $0 { true } else { false } }
    return !hasOutcome
      && record.puts.contains { put in
        guard case .object(let object, let queue) = put else { return false }
        return state.queues[queue]?.isLink(object) ?? false
      }
  }

  func doubt(_ records: [TransactionRecord]) {
    doubtful.append(records)
    doubtfulSince = world.server.disk.points
  }

  /// Whether a copy of the files may hold what this history does not.
  var isInDoubt: Bool { !doubtful.isEmpty }

  /// Applies committed transactions. If they wrote anything, they have overwritten in the log what failed before, which
  /// then never happened.
  func takeCommitted(_ records: [TransactionRecord]) {
    if world.server.disk.points > doubtfulSince { doubtful = [] }
    take(records)
    world.server.copyToReplica()
  }

  /// After a crash, applies each doubtful transaction that the database has. The others never happened.
  func resolveDoubt(_ storage: RecordingStorage) throws {
    let referee = world.server.referee
    for records in doubtful where try storage.stored({ try referee.isStored(records, in: $0) }) { take(records) }
    doubtful = []
  }
}

/// One queue, as all of its transactions left it.
struct QueueHistory {
  var row: StoredQueue?
  var members: [UserID: StoredMembership] = [:]
  /// The newest state of every object that the server remembers.
  private(set) var objects: [UUIDValue: ObjectState] = [:]
  /// Every state that an object ever had, oldest first.
  private(set) var states: [UUIDValue: [ObjectState]] = [:]
  private(set) var applied: [UUIDValue: [ServerHistory.Applied]] = [:]
  /// Objects that have been live at some time.
  private(set) var wereLive: Set<UUIDValue> = []
  private(set) var outcomes: [OperationID: OperationOutcome] = [:]

  mutating func note(_ puts: [ObjectState]) {
    for object in puts {
      objects[object.id] = object
      states[object.id, default: []].append(object)
      if object.live != nil { wereLive.insert(object.id) }
    }
  }

  mutating func note(_ outcome: OperationOutcome, _ puts: [ObjectState], of operation: Performed?) {
    // A late copy of a request whose outcome was forgotten is told `unknown`. That does not change what was decided.
    if outcome.status != .unknown || outcomes[outcome.operation] == nil { outcomes[outcome.operation] = outcome }
    if outcome.status == .applied || outcome.status == .noEffect {
      for edit in operation?.edits ?? [] where !puts.contains(where: { $0.id == edit.object }) {
        let entry = ServerHistory.Applied(
          revision: outcome.at, operation: outcome.operation, order: operation?.order ?? 0,
          effect: isGone(edit) ? .gone : .same)
        applied[edit.object, default: []].append(entry)
      }
    }
    for object in puts {
      applied[object.id, default: []].append(
        ServerHistory.Applied(
          revision: object.revision, operation: outcome.operation, order: operation?.order ?? 0, effect: .changed))
    }
    note(puts)
  }

  private func isGone(_ edit: Performed.Edit) -> Bool {
    let object = objects[edit.object]
    return edit.kind == .create ? object != nil && object?.live == nil : object?.live == nil
  }

  /// Whether an object is, or was before it went, one that only the server itself writes.
  func isOfServer(_ object: ObjectState) -> Bool {
    (object.live == nil ? objects[object.id] : object)?.isOfServer ?? false
  }

  fileprivate func isLink(_ object: ObjectState) -> Bool {
    (object.live == nil ? objects[object.id] : object)?.live?.type == LinkRecord.type
  }

  /// Removes members and objects. What was applied stays known.
  mutating func end() { (members, objects) = ([:], [:]) }

  mutating func forgetTombstones(upTo revision: Int64) {
    objects = objects.filter { $0.value.live != nil || $0.value.revision > revision }
  }
}

extension ObjectState {
  fileprivate var isOfServer: Bool { live?.type == MemberRecord.type || live?.type == LinkRecord.type }
}
