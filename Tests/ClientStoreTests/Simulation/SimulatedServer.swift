// A server of one queue, as the rules of sync have it: it remembers the outcome of every operation.

import ModelRuntime
import StoreTestSupport

struct SimulatedServer {
  let queue: QueueID
  private(set) var head: Int64 = 0
  private(set) var counts = SimulationCounts()
  private var notes: [NoteID: Stored] = [:]
  private var outcomes: [UUIDValue: OperationOutcome] = [:]
  /// Notes whose tombstones are forgotten.
  private var collected: Set<NoteID> = []

  /// A note, or its tombstone where there is no content.
  private struct Stored {
    var content: [UInt8]?
    var revision: Int64
  }

  init(queue: QueueID) {
    self.queue = queue
  }

  /// Answers known ids from memory and applies the others in order; `refuses` decides what is rejected for ever.
  ///
  /// Behind a refused operation, what shares an object with it is skipped without an outcome.
  mutating func commit(
    _ operations: [OutgoingOperation], refuses: (OutgoingOperation) -> Bool
  ) throws -> [OperationOutcome] {
    var answers: [OperationOutcome] = []
    var blocked: Set<UUIDValue> = []
    for operation in operations {
      let changes = try OperationChanges(bytes: operation.changes)
      let ids = changes.objects.map(\.object)
      if let known = outcomes[operation.id] {
        answers.append(known)
        if !isDone(known) { blocked.formUnion(ids) }
        continue
      }
      if ids.contains(where: blocked.contains) {
        blocked.formUnion(ids)
        continue
      }
      let status: OperationOutcome.Status =
        operation.isVoided ? .voided : refuses(operation) ? .rejected("forbidden") : try apply(changes)
      let outcome = OperationOutcome(operation: operation.id, status: status, at: head)
      outcomes[operation.id] = outcome
      answers.append(outcome)
      if !isDone(outcome) { blocked.formUnion(ids) }
    }
    return answers
  }

  /// Somebody else's change.
  mutating func change(_ changes: OperationChanges) throws {
    _ = try apply(changes)
  }

  /// Forgets all deletes: whoever has not read that far has to load the queue again.
  mutating func collectTombstones() {
    collected.formUnion(notes.filter { $0.value.content == nil }.keys)
    notes = notes.filter { $0.value.content != nil }
  }

  /// Whether an operation was applied, or found to have no effect, and a device that has read that far knows it.
  func hasTaken(_ id: UUIDValue, before cursor: Int64) -> Bool {
    outcomes[id].map { isDone($0) && $0.at <= cursor } ?? false
  }

  /// The revision of the delete of a note that is deleted.
  func tombstone(of id: NoteID) -> Int64? {
    notes[id].flatMap { $0.content == nil ? $0.revision : nil }
  }

  private func isDone(_ outcome: OperationOutcome) -> Bool {
    outcome.status == .applied || outcome.status == .noEffect
  }
}

// What it has.
extension SimulatedServer {
  /// What a device may ask for now.
  var pages: ServerPages {
    let objects = notes.map { id, note in
      ObjectState(
        id: id.rawValue, revision: note.revision,
        live: note.content.map { .init(type: "note", content: $0, createdBy: .zero) })
    }
    return ServerPages(head: head, objects: objects, outcomes: outcomes)
  }

  /// What a device shows once it has read everything, as the oracle thinks of it; `cursor` is how far it had read, nil
  /// where it loads the queue: then it hears of no deletes.
  func news(after cursor: Int64?) throws -> StoreState.News {
    let new = notes.filter { id, note in
      if let cursor { note.revision > cursor } else { note.content != nil }
    }
    let arrived = try new.map { id, note in
      StoreState.News.Arrived(note: id, value: try value(id), revision: note.revision)
    }
    return StoreState.News(arrived: arrived, cursor: head, isLoad: cursor == nil)
  }

  var live: [NoteID] { notes.filter { $0.value.content != nil }.map(\.key) }

  func value(_ id: NoteID) throws -> NoteValue? {
    try notes[id]?.content.map { NoteValue(try Note(id: id, blob: $0)) }
  }
}

// What changes do.
extension SimulatedServer {
  static let countNames = [
    "revived by who had deleted it", "revived by who had seen the delete", "not revived",
    "created over a collected delete",
  ]

  /// An operation is applied where one of its changes found what it needs; one that leaves all as it was takes no revision.
  private mutating func apply(_ changes: OperationChanges) throws -> OperationOutcome.Status {
    var wasApplied = false
    for change in changes.objects {
      let id = NoteID(change.object)
      guard try mayApply(change, to: id) else { continue }
      wasApplied = true
      let before = notes[id]?.content
      let after = try change.applied(to: before)
      if after == before { continue }
      head += 1
      notes[id] = Stored(content: after, revision: head)
    }
    return wasApplied ? .applied : .noEffect
  }

  /// Only a create finds something to do where there is no note.
  private mutating func mayApply(_ change: ObjectChange, to id: NoteID) throws -> Bool {
    if notes[id]?.content != nil { return true }
    guard case .create(_, _, let said) = change.action else { return false }
    guard let tombstone = tombstone(of: id) else {
      if collected.contains(id) { counts.note("created over a collected delete") }
      return true
    }
    guard let revival = NoteRevival(said) else {
      throw Violation(description: "a create of \(id) names an epoch that the queue never had")
    }
    guard revival.overcomes(tombstone) else {
      counts.note("not revived")
      return false
    }
    counts.note(revival.isReviving ? "revived by who had deleted it" : "revived by who had seen the delete")
    return true
  }
}
