// A server of one queue that follows the rules of sync. It remembers the outcome of every operation.

import ModelSupport
import StoreTestSupport

struct SimulatedServer {
  let queue: QueueID
  private(set) var head: Int64 = 0
  private(set) var counts = SimulationCounts()
  private var notes: [NoteID: Stored] = [:]
  private var outcomes: [OperationID: OperationOutcome] = [:]
  /// Deleted notes whose tombstones were collected.
  private var collected: Set<NoteID> = []

  /// A note, or its tombstone if there is no content.
  private struct Stored {
    var content: [UInt8]?
    var revision: Int64
  }

  init(queue: QueueID) {
    self.queue = queue
  }

  /// Answers operations with a known outcome from memory, and applies the others in order. `refuses` decides which are
  /// rejected for ever.
  ///
  /// Operations behind a refused one that share an object with it are skipped, and get no outcome.
  mutating func commit(
    _ mutations: [CommitRequest.Mutation], refuses: (CommitRequest.Mutation) -> Bool
  ) throws -> [OperationOutcome] {
    var answers: [OperationOutcome] = []
    var blocked: Set<UUIDValue> = []
    for mutation in mutations {
      let changes = try OperationChanges(bytes: mutation.changes)
      let ids = changes.objects.map(\.object)
      if let known = outcomes[mutation.operation] {
        answers.append(known)
        if !isDone(known) { blocked.formUnion(ids) }
        continue
      }
      if ids.contains(where: blocked.contains) {
        blocked.formUnion(ids)
        continue
      }
      let status: OperationOutcome.Status =
        mutation.isVoid ? .voided : refuses(mutation) ? .rejected("forbidden") : try apply(changes)
      let outcome = OperationOutcome(operation: mutation.operation, status: status, at: head)
      outcomes[mutation.operation] = outcome
      answers.append(outcome)
      if !isDone(outcome) { blocked.formUnion(ids) }
    }
    return answers
  }

  /// Applies a change of another member.
  mutating func change(_ changes: OperationChanges) throws {
    _ = try apply(changes)
  }

  /// Forgets all deletes. A device that has not read that far has to load the queue again.
  mutating func collectTombstones() {
    collected.formUnion(notes.filter { $0.value.content == nil }.keys)
    notes = notes.filter { $0.value.content != nil }
  }

  /// Whether an operation was applied or had no effect, at a revision that this cursor has reached.
  func hasTaken(_ id: OperationID, before cursor: Int64) -> Bool {
    outcomes[id].map { isDone($0) && $0.at <= cursor } ?? false
  }

  /// The revision at which a note was deleted; nil if it was not, or if its tombstone was collected.
  func tombstone(of id: NoteID) -> Int64? {
    notes[id].flatMap { $0.content == nil ? $0.revision : nil }
  }

  private func isDone(_ outcome: OperationOutcome) -> Bool {
    outcome.status == .applied || outcome.status == .noEffect
  }
}

// The content of the server.
extension SimulatedServer {
  /// The pages that a device may ask for now.
  var pages: ServerPages {
    let objects = notes.map { id, note in
      ObjectState(
        id: id.rawValue, revision: note.revision,
        live: note.content.map { .init(type: "note", content: $0, system: SystemFields(createdBy: .zero, at: .zero)) })
    }
    return ServerPages(head: head, objects: objects, outcomes: outcomes)
  }

  /// The changes that a device at `cursor` shows once it has read everything. A nil cursor stands for a load of the
  /// queue, which brings no deletes.
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

// Applying changes.
extension SimulatedServer {
  static let countNames = [
    "revived by who had deleted it", "revived by who had seen the delete", "not revived",
    "created over a collected delete",
  ]

  /// An operation is applied if one of its changes may be. A change that leaves a note as it was takes no revision.
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

  /// Whether a change may be applied. Without a note only a create may, unless a delete stops it. Throws a `Violation`
  /// if the create names a history that the server never had.
  private mutating func mayApply(_ change: ObjectChange, to id: NoteID) throws -> Bool {
    if notes[id]?.content != nil { return true }
    guard case .create(_, _, let said) = change.action else { return false }
    guard let tombstone = tombstone(of: id) else {
      if collected.contains(id) { counts.note("created over a collected delete") }
      return true
    }
    guard let revival = NoteRevival(said) else {
      throw Violation(description: "a create of \(id) names a history that the server never had")
    }
    guard revival.overcomes(tombstone) else {
      counts.note("not revived")
      return false
    }
    counts.note(revival.isReviving ? "revived by who had deleted it" : "revived by who had seen the delete")
    return true
  }
}
