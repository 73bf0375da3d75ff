// The true history of the server, transaction by transaction, with which devices are compared.

import StoreTestSupport
import SyncProtocol
import SyncServer
import WireFormat

/// Survives the server's crashes and restores, as no server could. `@unchecked Sendable`: one thread.
final class ServerHistory: @unchecked Sendable {
  unowned let world: World
  private(set) var state = State()
  /// By queue and epoch: histories that a restore has ended.
  private var former: [QueueID: [EpochID: QueueHistory]] = [:]
  /// By queue and epoch: how a history went on that a silent restore has split, since both parts have the same epoch. A
  /// device that has loaded the queue again shows this part.
  private var continued: [QueueID: [EpochID: QueueHistory]] = [:]
  /// Transactions that failed at their commit. Each element is what one transaction of SQLite was to write.
  private var doubtful: [[TransactionRecord]] = []
  /// The `points` of the disk when the newest of these failed.
  private var doubtfulSince = 0
  /// By queue: everybody who has ever owned it.
  private var owners: [QueueID: Set<UserID>] = [:]
  /// Queues that have ended, in any history.
  private var ended: Set<QueueID> = []

  init(world: World) { self.world = world }

  struct State {
    var queues: [QueueID: QueueHistory] = [:]
  }

  /// The effect of an operation on one object.
  struct Applied {
    var revision: Int64
    var operation: OperationID
    var effect: Effect
  }

  enum Effect {
    case changed
    /// The object was already as the operation wanted it.
    case same
    /// There was nothing to change any more.
    case gone
  }

  /// The operations that were applied to an object in the history with an epoch; nil if there is no such history.
  func applied(to object: UUIDValue, in queue: QueueID, epoch: EpochID?) -> [Applied]? {
    if epoch == nil { return state.queues[queue]?.applied[object] ?? [] }
    guard let history = history(of: queue, epoch: epoch) else { return nil }
    let entries = history.applied[object] ?? []
    let others = epoch.flatMap { former[queue]?[$0]?.applied[object] } ?? []
    return entries + others.filter { other in !entries.contains { $0.operation == other.operation } }
  }

  /// A queue in the history with an epoch; nil if there is no such history.
  func history(of queue: QueueID, epoch: EpochID?) -> QueueHistory? {
    guard let epoch else { return nil }
    if let now = state.queues[queue], now.row?.epoch == epoch { return now }
    return continued[queue]?[epoch] ?? former[queue]?[epoch]
  }

  func applied(to object: UUIDValue, in queue: QueueID) -> [Applied] { state.queues[queue]?.applied[object] ?? [] }

  func hasEnded(_ queue: QueueID) -> Bool { state.queues[queue]?.row?.isEnded == true }

  /// Whether the queue was born, and no restore has taken that back.
  func isThere(_ queue: QueueID) -> Bool { state.queues[queue]?.row != nil }

  /// Whether the queue has ended, even if a restore has taken that back.
  func hasEverEnded(_ queue: QueueID) -> Bool { ended.contains(queue) }

  var hasAnyEnded: Bool { !ended.isEmpty }

  /// Goes back to a backup, whose files are in place. What happened since becomes a former history.
  func restore(_ backup: State) {
    for (id, queue) in state.queues {
      guard let epoch = queue.row?.epoch else { continue }
      former[id, default: [:]][epoch] = queue
      continued[id]?[epoch] = nil
    }
    state = backup
    doubtful = []
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
    for put in record.puts {
      switch put {
      case .object(let object, let queue):
        // The server itself writes member objects, whatever operation has changed the members.
        if state.queues[queue]?.isMember(object) ?? object.isMember {
          state.queues[queue, default: QueueHistory()].note([object])
        } else {
          objects[queue, default: []].append(object)
        }
      case .outcome(let outcome, let queue):
        let puts = objects.removeValue(forKey: queue) ?? []
        world.oracles.check(outcome, puts, in: queue, self)
        state.queues[queue, default: QueueHistory()].note(outcome, puts, of: world.operations[outcome.operation])
      case .queue(let row, let queue):
        noteEpoch(queue, row.epoch)
        state.queues[queue, default: QueueHistory()].row = row
      case .membership(let membership, let user, let queue):
        if membership?.role == .owner { noteOwner(user, of: queue) }
        world.note(state.queues[queue]?.members ?? [:], membership, of: user, in: queue)
        state.queues[queue, default: QueueHistory()].members[user] = membership
        if membership == nil { world.noteLeft(user, queue) }
      case .tombstonesGone(let queue, let revision):
        if record.isUpkeep { world.count("tombstones that upkeep forgets") }
        state.queues[queue]?.forgetTombstones(upTo: revision)
      case .outcomesGone: break
      case .membersGone(let queue):
        for user in state.queues[queue]?.members.keys.sorted() ?? [] { world.noteLeft(user, queue) }
        state.queues[queue]?.end()
        world.count(ended.insert(queue).inserted ? "queues that end" : "queues that end again after a restore")
      }
    }
    // The server itself writes objects without an outcome: memberships in home queues.
    for (queue, puts) in objects { state.queues[queue, default: QueueHistory()].note(puts) }
  }

  /// Notes an owner. A queue without another owner is new, or a restored server had lost it and this user creates it
  /// again. Reports a user who creates it again and has never owned it.
  private func noteOwner(_ user: UserID, of queue: QueueID) {
    let isBorn = !(state.queues[queue]?.members.values.contains { $0.role == .owner } ?? false)
    if isBorn, let former = owners[queue], !former.contains(user) {
      world.oracles.report("born again: \(queue.short) is owned by \(user.short), who has never owned it")
    }
    owners[queue, default: []].insert(user)
  }

  /// Takes over the epochs that the restore command has given to every queue.
  func noteEpochs(_ queues: [(id: QueueID, queue: StoredQueue)]) {
    for (id, row) in queues {
      noteEpoch(id, row.epoch, isExpected: true)
      state.queues[id]?.row = row
    }
  }

  /// Keeps the history of the epoch before. The one that a restore has ended is kept already, and reaches further.
  private func noteEpoch(_ id: QueueID, _ epoch: EpochID, isExpected: Bool = false) {
    guard let queue = state.queues[id], let old = queue.row?.epoch, old != epoch else { return }
    guard former[id]?[old] == nil else {
      if !isExpected { continued[id, default: [:]][old] = queue }
      return
    }
    if !isExpected { world.oracles.report("false alarm: the server gives up a history") }
    former[id, default: [:]][old] = queue
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
          revision: outcome.at, operation: outcome.operation, effect: isGone(edit) ? .gone : .same)
        applied[edit.object, default: []].append(entry)
      }
    }
    for object in puts {
      applied[object.id, default: []].append(
        ServerHistory.Applied(revision: object.revision, operation: outcome.operation, effect: .changed))
    }
    note(puts)
  }

  private func isGone(_ edit: Performed.Edit) -> Bool {
    let object = objects[edit.object]
    return edit.kind == .create ? object != nil && object?.live == nil : object?.live == nil
  }

  func isMember(_ object: ObjectState) -> Bool { (object.live == nil ? objects[object.id] : object)?.isMember ?? false }

  /// Removes members and objects. What was applied stays known.
  mutating func end() { (members, objects) = ([:], [:]) }

  mutating func forgetTombstones(upTo revision: Int64) {
    objects = objects.filter { $0.value.live != nil || $0.value.revision > revision }
  }
}

extension ObjectState {
  fileprivate var isMember: Bool { live?.type == MemberRecord.type }
}
