// The state of a store in plain values: no bytes, no overlay, no SQL. The oracle works everything out with it.

import ModelSupport

typealias NoteID = ObjectID<Note>
typealias DraftID = ObjectID<Draft>

/// The state that a store shows, or that a disk holds.
struct StoreState {
  struct Operation: Hashable {
    var id: OperationID
    var effects: [NoteChange]
    var isSent = false
    var isVoided = false
    var outcome: OperationOutcome?

    var isShown: Bool {
      guard !isVoided else { return false }
      switch outcome?.status {
      case nil, .applied, .noEffect: return true
      case .rejected, .voided, .unknown: return false
      }
    }
  }

  struct NoteChange: Hashable {
    var note: NoteID
    var effect: NoteEffect
  }

  var confirmed: [NoteID: NoteValue] = [:]
  var cursor: Int64 = 0
  /// Deletes that creates of the outbox may not have seen, because they came while it was not empty.
  var tombstones: [NoteID: Int64] = [:]
  var pending: [Operation] = []
  /// Objects that never leave the device.
  var drafts: [DraftID: String] = [:]
  /// The operations that have left the outbox, by what became of them.
  var retired: Set<OperationID> = []
  var reported: Set<OperationID> = []
  var dismissed: Set<OperationID> = []
  var cancelled: Set<OperationID> = []

  /// Confirmed state with the outbox replayed on top, without operations whose effect is not shown.
  func view() -> [NoteID: NoteValue] { replayed().view }

  /// The view, and the operations that edit a note that does not exist, or create one that stays deleted. Calls `look`
  /// with each change and the note that it finds.
  func replayed(
    _ look: (NoteChange, NoteValue?) -> Void = { _, _ in }
  ) -> (view: [NoteID: NoteValue], inapplicable: Set<OperationID>) {
    var view = confirmed
    var inapplicable: Set<OperationID> = []
    for operation in pending where operation.isShown {
      for change in operation.effects {
        let note = view[change.note]
        look(change, note)
        if note == nil, change.effect.isEdit || isStopped(change) {
          inapplicable.insert(operation.id)
        } else {
          view[change.note] = change.effect.applied(to: note)
        }
      }
    }
    return (view, inapplicable)
  }
}

extension StoreState {
  /// The changes that a device shows at the end of a delta.
  struct News {
    var arrived: [Arrived]
    var cursor: Int64
    /// Whether this is the whole queue. Notes that are not in it are removed then.
    var isLoad: Bool

    struct Arrived {
      var note: NoteID
      /// Nil if the note was deleted.
      var value: NoteValue?
      var revision: Int64
    }
  }
}

/// Something that happens to a store.
enum StoreEvent {
  // Actions of the user: visible at once, and on disk later, in this order.
  case performed(StoreState.Operation)
  /// An operation on a draft. A nil text deletes the draft.
  case drafted(OperationID, DraftID, text: String?, isNew: Bool)
  case takenBack(Set<OperationID>)
  case voided(OperationID)
  case reported(OperationID)
  // Steps of sync and of the app: on disk when the call returns.
  case sent(Set<OperationID>)
  case settled(Settled)
  case dismissed(OperationID)

  struct Settled {
    /// Nil if no change is shown.
    var news: StoreState.News?
    /// Whether the outbox was empty, so that no operation in it can have missed an earlier delete.
    var forgetsTombstones = false
    var outcomes: [OperationOutcome] = []
    var retired: Set<OperationID> = []
    var reported: Set<OperationID> = []
  }

  /// The operation that is saved with this event; nil if there is none.
  var operation: OperationID? {
    switch self {
    case .performed(let operation): operation.id
    case .drafted(let id, _, _, _): id
    default: nil
    }
  }

  var isOnDiskAtOnce: Bool {
    switch self {
    case .performed, .drafted, .takenBack, .voided, .reported: false
    case .sent, .settled, .dismissed: true
    }
  }
}

extension StoreState {
  mutating func apply(_ event: StoreEvent) {
    switch event {
    case .performed(let operation): pending.append(operation)
    case .drafted(_, let draft, let text, let isNew):
      if isNew || drafts[draft] != nil { drafts[draft] = text }
    case .takenBack(let ids):
      pending.removeAll { ids.contains($0.id) }
      cancelled.formUnion(ids)
    case .voided(let id): update([id]) { $0.isVoided = true }
    case .reported(let id):
      pending.removeAll { $0.id == id }
      reported.insert(id)
    case .sent(let ids): update(ids) { $0.isSent = true }
    case .settled(let settled): apply(settled)
    case .dismissed(let id):
      reported.remove(id)
      dismissed.insert(id)
    }
  }

  private mutating func apply(_ settled: StoreEvent.Settled) {
    if settled.forgetsTombstones { tombstones = [:] }
    if let news = settled.news { apply(news) }
    for outcome in settled.outcomes { update([outcome.operation]) { $0.outcome = outcome } }
    pending.removeAll { settled.retired.contains($0.id) || settled.reported.contains($0.id) }
    retired.formUnion(settled.retired)
    reported.formUnion(settled.reported)
  }

  private mutating func apply(_ news: News) {
    if news.isLoad { (confirmed, tombstones) = ([:], [:]) }
    for arrived in news.arrived {
      confirmed[arrived.note] = arrived.value
      if arrived.value == nil { tombstones[arrived.note] = arrived.revision }
    }
    cursor = news.cursor
  }

  private mutating func update(_ ids: Set<OperationID>, _ body: (inout Operation) -> Void) {
    for index in pending.indices where ids.contains(pending[index].id) { body(&pending[index]) }
  }
}
