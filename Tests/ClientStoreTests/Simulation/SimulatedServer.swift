// A server of one queue, as the rules of sync have it: it remembers the outcome of every operation.

import ModelRuntime
import StoreTestSupport

struct SimulatedServer {
  let queue: QueueID
  private(set) var head: Int64 = 0
  private var notes: [NoteID: (content: [UInt8]?, revision: Int64)] = [:]
  private var outcomes: [UUIDValue: OperationOutcome] = [:]

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

  /// Whether an operation was applied, or found to have no effect, and a device that has read that far knows it.
  func hasTaken(_ id: UUIDValue, before cursor: Int64) -> Bool {
    outcomes[id].map { isDone($0) && $0.at <= cursor } ?? false
  }

  func isDeleted(_ id: NoteID) -> Bool { notes[id].map { $0.content == nil } ?? false }

  /// What a device may ask for now.
  var pages: ServerPages {
    let objects = notes.map { id, note in
      ObjectState(
        id: id.rawValue, revision: note.revision,
        live: note.content.map { .init(type: "note", content: $0, createdBy: .zero) })
    }
    return ServerPages(head: head, objects: objects, outcomes: outcomes)
  }

  /// What has changed, as the oracle thinks of it.
  func changes(after cursor: Int64) throws -> [(note: NoteID, value: NoteValue?)] {
    try notes.filter { $0.value.revision > cursor }.map { (note: $0.key, value: try value($0.key)) }
  }

  func value(_ id: NoteID) throws -> NoteValue? {
    try notes[id]?.content.map { NoteValue(try Note(id: id, blob: $0)) }
  }

  private func isDone(_ outcome: OperationOutcome) -> Bool {
    outcome.status == .applied || outcome.status == .noEffect
  }

  /// A deleted object stays deleted; a change without effect takes no revision.
  private mutating func apply(_ changes: OperationChanges) throws -> OperationOutcome.Status {
    var hadEffect = false
    for change in changes.objects {
      let id = NoteID(change.object)
      let before = notes[id]
      if before != nil, before?.content == nil { continue }
      let after = try change.applied(to: before?.content)
      if after == before?.content { continue }
      head += 1
      hadEffect = true
      notes[id] = (after, head)
    }
    return hadEffect ? .applied : .noEffect
  }
}
