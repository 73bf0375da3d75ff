// What a store is made of, with plain values: no bytes, no overlay, no SQL. The oracle works everything out with it.

import ModelRuntime

typealias NoteID = ObjectID<Note>
typealias DraftID = ObjectID<Draft>

/// A store as it shows, or as a disk holds it.
struct StoreState {
  struct Operation: Hashable {
    var id: UUIDValue
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
  /// Deletes that creates of the outbox may not have seen: those that came while it was not empty.
  var tombstones: [NoteID: Int64] = [:]
  var pending: [Operation] = []
  /// Objects that never leave the device.
  var drafts: [DraftID: String] = [:]
  /// What became of the operations that left the outbox.
  var retired: Set<UUIDValue> = []
  var reported: Set<UUIDValue> = []
  var dismissed: Set<UUIDValue> = []
  var cancelled: Set<UUIDValue> = []

  /// Confirmed state with everything that counts replayed on top; notes that nobody sees are absent.
  func view() -> [NoteID: NoteValue] { replayed().view }

  /// The view, and the operations that edit a note which is not there, or create one that stays deleted; `look` is told
  /// what each change finds.
  func replayed(
    _ look: (NoteChange, NoteValue?) -> Void = { _, _ in }
  ) -> (view: [NoteID: NoteValue], inapplicable: Set<UUIDValue>) {
    var view = confirmed
    var inapplicable: Set<UUIDValue> = []
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
  /// What a device shows at the end of a delta.
  struct News {
    var arrived: [Arrived]
    var cursor: Int64
    /// It is everything that there is; what has not arrived goes.
    var isLoad: Bool

    struct Arrived {
      var note: NoteID
      /// Nil where it was deleted.
      var value: NoteValue?
      var revision: Int64
    }
  }
}

/// Something that happens to a store.
enum StoreEvent {
  // What the user does: visible at once, and on disk later, in this order.
  case performed(StoreState.Operation)
  /// An operation on a draft; nil deletes it.
  case drafted(UUIDValue, DraftID, text: String?, isNew: Bool)
  case takenBack(Set<UUIDValue>)
  case voided(UUIDValue)
  case reported(UUIDValue)
  // What sync and the app do: on disk when the call returns.
  case sent(Set<UUIDValue>)
  case settled(Settled)
  case dismissed(UUIDValue)

  struct Settled {
    /// Nil where nothing is shown.
    var news: StoreState.News?
    /// No operation in the outbox can have missed a delete of before.
    var forgetsTombstones = false
    var outcomes: [OperationOutcome] = []
    var retired: Set<UUIDValue> = []
    var reported: Set<UUIDValue> = []
  }

  /// The operation that is saved with this event.
  var operation: UUIDValue? {
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

  private mutating func update(_ ids: Set<UUIDValue>, _ body: (inout Operation) -> Void) {
    for index in pending.indices where ids.contains(pending[index].id) { body(&pending[index]) }
  }
}
