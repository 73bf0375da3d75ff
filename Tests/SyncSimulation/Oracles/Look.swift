// A look of the oracles at a device: what they see at one moment, and what of it is new.

import ClientStore
import ModelTypes
import StoreTestSupport
import SyncProtocol
import WireFormat

/// Reads each photo at most once, however many oracles ask for it.
final class Look {
  let store: ModelStore
  let queues: [QueueID: DeviceRows.Queue]
  let outbox: [PendingOperation]
  let memory: LookMemory
  /// Whether something was written to the disk since the look before.
  let hasNewRows: Bool
  /// Whether everything is judged, new or not.
  let isWhole: Bool
  /// Whether it is the first look of a life.
  let isFirst: Bool
  /// Queues of which nothing may be shown, because their user has ended them or was not asked about them yet.
  let hidden: Set<QueueID>
  /// The queues that the user was not asked about yet, as the store has them.
  let invited: Set<QueueID>
  /// Objects that may be shown in another way than at the look before.
  let changed: Set<UUIDValue>
  private var photos: [UUIDValue: Result<Photo?, any Error>] = [:]

  /// One look out of so many is whole.
  private static let whole = 8

  /// Nil if all is as it was at the look before, which has judged it. Keeps what the next look needs in
  /// `device.looked`.
  init?(_ device: Device, _ life: Device.Life) throws {
    let points = device.disk.points
    store = life.store
    outbox = store.pendingOperations
    let before = device.looked.flatMap { $0.life == device.lives ? $0 : nil }
    let pending = outbox.map(LookMemory.Pending.init)
    let failedOperations = store.failedOperations.count
    queues = try life.rows.read()
    hasNewRows = before?.points != points
    isWhole = before.map { $0.number % Self.whole == 0 } ?? true
    isFirst = before == nil
    // Changes in memory show in the outbox, unless the store makes a mistake. A whole look finds that.
    let isNews = hasNewRows || before?.outbox != pending || before?.failedOperations != failedOperations
    guard isNews || isWhole else {
      device.looked?.number += 1
      return nil
    }
    var rows: [UUIDValue: DeviceRows.Row] = hasNewRows ? [:] : before?.rows ?? [:]
    if hasNewRows { for queue in queues.values { rows.merge(queue.rows) { _, new in new } } }
    invited = store.invited
    hidden = Self.hidden(outbox).union(invited)
    let touched = Set(outbox.lazy.flatMap { $0.changes.objects.lazy.map(\.object) })
    var changed = touched.union(before?.touched ?? [])
    if isWhole {
      changed.formUnion(rows.keys)
      changed.formUnion(before?.rows.keys.map { $0 } ?? [])
    } else if hasNewRows, let before {
      for (id, row) in rows where before.rows[id] != row { changed.insert(id) }
      for id in before.rows.keys where rows[id] == nil { changed.insert(id) }
    }
    for queue in hidden.symmetricDifference(before?.hidden ?? []) {
      changed.formUnion(queues[queue]?.rows.keys ?? [:].keys)
    }
    self.changed = changed
    memory = LookMemory(
      life: device.lives, number: (before?.number ?? 0) + 1, points: points, outbox: pending,
      failedOperations: failedOperations, rows: rows, touched: touched, hidden: hidden,
      confirmed: before?.confirmed ?? [:])
    device.looked = memory
  }

  private static func hidden(_ outbox: [PendingOperation]) -> Set<QueueID> {
    var hidden: Set<QueueID> = []
    for item in outbox where !item.isVoided && item.outcome?.status.isDone ?? true {
      if let queue = item.queue, item.changes.deletes(queue.root) { hidden.insert(queue) }
    }
    return hidden
  }

  /// The photo as the store shows it; read once.
  func photo(_ id: UUIDValue) throws -> Photo? {
    if let known = photos[id] { return try known.get() }
    let photo = Result { try store.object(ObjectID<Photo>(id)) }
    photos[id] = photo
    return try photo.get()
  }
}

/// The parts of a look that are kept until the next one.
struct LookMemory {
  var life: UInt64
  var number: Int
  /// The `points` of the disk.
  var points: Int
  var outbox: [Pending]
  var failedOperations: Int
  var rows: [UUIDValue: DeviceRows.Row]
  /// Objects that operations of the outbox change.
  var touched: Set<UUIDValue>
  var hidden: Set<QueueID>
  /// Operations that were found confirmed, each with its queue and the history of the rows that show it.
  var confirmed: [OperationID: (queue: QueueID, history: HistoryID)]

  struct Pending: Equatable {
    var id: OperationID
    var isVoided: Bool
    var applies: Bool
    var outcome: OperationOutcome?

    init(_ item: PendingOperation) {
      (id, isVoided, applies, outcome) = (item.id, item.isVoided, item.applies, item.outcome)
    }
  }
}
