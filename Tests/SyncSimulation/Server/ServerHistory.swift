// What really happened on the server, transaction by transaction: the truth that devices are held against.

import SyncProtocol
import SyncServer
import WireFormat

/// Survives the server's crashes and restores, which no server could. `@unchecked Sendable`: one thread.
final class ServerHistory: @unchecked Sendable {
  unowned let world: World
  private(set) var state = State()
  /// By queue and epoch: histories that a restore has ended.
  private var former: [UUIDValue: [UUIDValue: QueueHistory]] = [:]
  private var doubtful: [TransactionRecord] = []

  init(world: World) { self.world = world }

  struct State {
    var queues: [UUIDValue: QueueHistory] = [:]
    var files: [UUIDValue: Set<ContentHash>] = [:]
  }

  /// What an operation did to one object.
  struct Applied {
    var revision: Int64
    var operation: UUIDValue
    var effect: Effect
  }

  enum Effect {
    case changed
    /// The same was there already.
    case same
    /// There was nothing to change any more.
    case gone
  }

  func hasFile(_ file: ContentHash, in queue: UUIDValue) -> Bool { state.files[queue]?.contains(file) == true }

  func addFiles(_ files: [ContentHash], in queue: UUIDValue) { state.files[queue, default: []].formUnion(files) }

  func loseFile(_ file: ContentHash, in queue: UUIDValue) { state.files[queue]?.remove(file) }

  /// What was applied to an object in the history that an epoch stands for; nil where there is no such history.
  func applied(to object: UUIDValue, in queue: UUIDValue, epoch: UUIDValue?) -> [Applied]? {
    if epoch == nil { return state.queues[queue]?.applied[object] ?? [] }
    return history(of: queue, epoch: epoch).map { $0.applied[object] ?? [] }
  }

  /// A queue in the history that an epoch stands for; nil where there is no such history.
  func history(of queue: UUIDValue, epoch: UUIDValue?) -> QueueHistory? {
    guard let epoch else { return nil }
    if let now = state.queues[queue], now.row?.epoch == epoch { return now }
    return former[queue]?[epoch]
  }

  func applied(to object: UUIDValue, in queue: UUIDValue) -> [Applied] { state.queues[queue]?.applied[object] ?? [] }

  /// The files of a backup are in place: what happened since it was made never was.
  func restore(_ backup: State) {
    for (id, queue) in state.queues {
      if let epoch = queue.row?.epoch { former[id, default: [:]][epoch] = queue }
    }
    state = backup
    doubtful = []
  }
}

// Transactions.
extension ServerHistory {
  func apply(_ record: TransactionRecord) {
    var objects: [UUIDValue: [ObjectState]] = [:]
    for put in record.puts {
      switch put {
      case .object(let object, let queue): objects[queue, default: []].append(object)
      case .outcome(let outcome, let queue):
        let puts = objects.removeValue(forKey: queue) ?? []
        world.oracles.check(outcome, puts, in: queue, self)
        state.queues[queue, default: QueueHistory()].note(outcome, puts, of: world.operations[outcome.operation])
      case .queue(let row, let queue):
        noteEpoch(queue, row.epoch)
        state.queues[queue, default: QueueHistory()].row = row
      case .membership(let membership, let user, let queue):
        state.queues[queue, default: QueueHistory()].members[user] = membership
        if membership == nil { world.noteLeft(user, queue) }
      case .tombstonesGone(let queue, let revision): state.queues[queue]?.forgetTombstones(upTo: revision)
      case .outcomesGone: break
      }
    }
    // What has no outcome is the server's own: memberships in home queues.
    for (queue, puts) in objects { state.queues[queue, default: QueueHistory()].note(puts) }
  }

  /// The restore command has given every queue another epoch.
  func noteEpochs(_ queues: [(id: UUIDValue, queue: StoredQueue)]) {
    for (id, row) in queues {
      noteEpoch(id, row.epoch, isExpected: true)
      state.queues[id]?.row = row
    }
  }

  /// What a restore has ended is kept already, and longer than the backup is.
  private func noteEpoch(_ id: UUIDValue, _ epoch: UUIDValue, isExpected: Bool = false) {
    guard let queue = state.queues[id], let old = queue.row?.epoch, old != epoch, former[id]?[old] == nil else {
      return
    }
    if !isExpected, !world.isSilent { world.oracles.report("false alarm: the server gives up a history") }
    former[id, default: [:]][old] = queue
  }

  func doubt(_ record: TransactionRecord) { doubtful.append(record) }

  /// After a crash: a transaction that was being committed is there, or it never was.
  func resolveDoubt(_ storage: RecordingStorage) throws {
    let referee = world.server.referee
    for record in doubtful {
      guard let effects = record.effects, try storage.stored({ try referee.isStored(effects, record, in: $0) }) else {
        continue
      }
      apply(record)
      referee.apply(effects)
    }
    doubtful = []
  }
}

/// One queue, as all of its transactions left it.
struct QueueHistory {
  var row: StoredQueue?
  var members: [UUIDValue: StoredMembership] = [:]
  /// The newest state of every object that the server remembers.
  private(set) var objects: [UUIDValue: ObjectState] = [:]
  /// Every state that an object ever had, oldest first.
  private(set) var states: [UUIDValue: [ObjectState]] = [:]
  private(set) var applied: [UUIDValue: [ServerHistory.Applied]] = [:]
  /// Objects that were live once.
  private(set) var wereLive: Set<UUIDValue> = []
  private(set) var outcomes: [UUIDValue: OperationOutcome] = [:]

  mutating func note(_ puts: [ObjectState]) {
    for object in puts {
      objects[object.id] = object
      states[object.id, default: []].append(object)
      if object.live != nil { wereLive.insert(object.id) }
    }
  }

  mutating func note(_ outcome: OperationOutcome, _ puts: [ObjectState], of operation: Performed?) {
    outcomes[outcome.operation] = outcome
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

  mutating func forgetTombstones(upTo revision: Int64) {
    objects = objects.filter { $0.value.live != nil || $0.value.revision > revision }
  }
}
