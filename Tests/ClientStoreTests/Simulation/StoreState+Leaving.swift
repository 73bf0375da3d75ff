// The operations that leave the outbox, by an outcome that the cursor has reached, or because they are cancelled.

import ModelSupport

extension StoreState {
  /// The event that outcomes cause, together with the end of a delta if there is one.
  ///
  /// An operation leaves once its outcome is known and the cursor has reached it. Unsent operations that depend on a
  /// refused one leave with it.
  func settled(
    _ news: News?, outcomes: [OperationOutcome], leaving: Bool
  ) -> StoreEvent.Settled {
    var settled = StoreEvent.Settled(news: news, forgetsTombstones: news != nil && pending.isEmpty)
    settled.outcomes = outcomes.filter { outcome in
      pending.contains { $0.id == outcome.operation && $0.outcome == nil }
    }
    guard leaving else { return settled }
    var next = self
    next.apply(.settled(settled))
    for operation in next.pending {
      guard let outcome = operation.outcome, outcome.at <= next.cursor, !settled.reported.contains(operation.id) else {
        continue
      }
      switch outcome.status {
      case .applied: settled.retired.insert(operation.id)
      case .noEffect:
        // Something is lost if a note that the operation created or changed does not exist.
        let hasLost = operation.effects.contains { $0.effect != .delete && next.confirmed[$0.note] == nil }
        if hasLost { settled.reported.insert(operation.id) } else { settled.retired.insert(operation.id) }
      case .unknown: settled.reported.insert(operation.id)
      case .rejected, .voided:
        settled.reported.insert(operation.id)
        let others = next.dependents(of: [operation.id]).filter { !settled.retired.contains($0) }
        settled.reported.formUnion(others)
      }
    }
    return settled
  }

  /// The operations that leave with one that is cancelled before it was sent: later ones on its notes, and so on.
  func takenBack(with id: OperationID) -> Set<OperationID> {
    var notes: Set<NoteID> = []
    var taken: Set<OperationID> = []
    for operation in pending.drop(while: { $0.id != id }) {
      guard operation.id == id || operation.effects.contains(where: { notes.contains($0.note) }) else { continue }
      taken.insert(operation.id)
      notes.formUnion(operation.effects.map(\.note))
    }
    return taken
  }

  /// Unsent operations that depend on notes which only the leaving operations create.
  func dependents(of leaving: Set<OperationID>) -> Set<OperationID> {
    var missing: Set<NoteID> = []
    for operation in pending where leaving.contains(operation.id) { missing.formUnion(createdOnly(by: operation)) }
    var result: Set<OperationID> = []
    for other in pending.drop(while: { !leaving.contains($0.id) }) where !leaving.contains(other.id) {
      let created = Set(other.effects.filter { $0.effect.isCreate && confirmed[$0.note] == nil }.map(\.note))
      let builds = other.effects.contains { missing.contains($0.note) && !created.contains($0.note) }
      if !other.isSent, builds {
        result.insert(other.id)
        missing.formUnion(created)
      } else {
        missing.subtract(created)
      }
    }
    return result
  }

  /// The notes that an operation creates, unless they are confirmed or an earlier operation creates them too.
  private func createdOnly(by operation: Operation) -> Set<NoteID> {
    let earlier = pending.prefix { $0.id != operation.id }.filter(\.isShown).flatMap(\.effects)
    let created = operation.effects.filter { $0.effect.isCreate && confirmed[$0.note] == nil }.map(\.note)
    return Set(created.filter { note in !earlier.contains { $0.note == note && $0.effect.isCreate } })
  }
}

extension NoteEffect {
  var isCreate: Bool {
    if case .create = self { true } else { false }
  }

  var isEdit: Bool {
    if case .edit = self { true } else { false }
  }
}
