// What a store has to show and to keep, worked out from scratch with plain values: no bytes, no overlay, no SQL.

import ModelRuntime

typealias NoteID = ObjectID<Note>

/// The operations of one device as they should be, and one queue as the device knows it.
struct Oracle {
  struct Operation {
    var id: UUIDValue
    var effects: [(note: NoteID, effect: NoteEffect)]
    /// Nobody has asked for its `saved()`, so a crash may take it.
    var isSaved = false
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

  var confirmed: [NoteID: NoteValue] = [:]
  var cursor: Int64 = 0
  var pending: [Operation] = []
  /// Ids of what was confirmed, and of what was reported.
  var retired: Set<UUIDValue> = []
  var reported: Set<UUIDValue> = []
  /// Taken back, and a crash may undo that: nobody has waited for it to be on disk.
  var cancelled: [UUIDValue: Operation] = [:]

  /// Confirmed state with everything that counts replayed on top.
  func view(_ id: NoteID) -> NoteValue? {
    var note = confirmed[id]
    for operation in pending where operation.isShown {
      for (other, effect) in operation.effects where other == id { note = effect.applied(to: note) }
    }
    return note
  }

  /// Everything that leaves with an operation that is taken back before it was sent.
  mutating func cancel(_ id: UUIDValue) {
    guard let index = pending.firstIndex(where: { $0.id == id }), pending[index].outcome == nil,
      !pending[index].isVoided
    else { return }
    if pending[index].isSent {
      cancelled[id] = pending[index]
      pending[index].isVoided = true
      return
    }
    var notes: Set<NoteID> = Set(pending[index].effects.map(\.note))
    var taken: Set<UUIDValue> = [id]
    for operation in pending[(index + 1)...] where operation.effects.contains(where: { notes.contains($0.note) }) {
      taken.insert(operation.id)
      notes.formUnion(operation.effects.map(\.note))
    }
    for operation in pending where taken.contains(operation.id) { cancelled[operation.id] = operation }
    pending.removeAll { taken.contains($0.id) }
  }

  /// After a crash: `kept` is what the device has, in order. Returns whether something was lost.
  mutating func crash(kept: [UUIDValue]) throws -> Bool {
    if let lost = pending.first(where: { $0.isSaved && !kept.contains($0.id) }) {
      throw Violation(description: "\(lost.id) was saved and is lost")
    }
    let before = pending.count
    let known = Dictionary(pending.map { ($0.id, $0) }) { first, _ in first }
    pending = try kept.map { id in
      // What was taken back may be there again, as it was before.
      guard let operation = known[id] ?? cancelled[id] else { throw Violation(description: "\(id) comes from nowhere") }
      return operation
    }
    cancelled = [:]
    return pending.count < before
  }

  mutating func take(_ outcomes: [OperationOutcome]) {
    for outcome in outcomes {
      guard let index = pending.firstIndex(where: { $0.id == outcome.operation }), pending[index].outcome == nil
      else { continue }
      pending[index].outcome = outcome
    }
    settle()
  }

  /// What has an outcome that the cursor has reached leaves; a refused one takes along what was built on it.
  private mutating func settle() {
    var leaving: Set<UUIDValue> = []
    for operation in pending {
      guard let outcome = operation.outcome, outcome.at <= cursor, leaving.insert(operation.id).inserted else {
        continue
      }
      switch outcome.status {
      case .applied: retired.insert(operation.id)
      // It lost something where what it made or changed is not there.
      case .noEffect:
        let hasLost = operation.effects.contains { note, effect in effect != .delete && confirmed[note] == nil }
        if hasLost { reported.insert(operation.id) } else { retired.insert(operation.id) }
      case .voided, .unknown: reported.insert(operation.id)
      case .rejected:
        reported.insert(operation.id)
        for dependent in dependents(of: operation) where leaving.insert(dependent).inserted {
          reported.insert(dependent)
        }
      }
    }
    pending.removeAll { leaving.contains($0.id) }
  }

  private func dependents(of operation: Operation) -> [UUIDValue] {
    var created = createdOnlyHere(operation)
    var result: [UUIDValue] = []
    guard let index = pending.firstIndex(where: { $0.id == operation.id }) else { return [] }
    for other in pending[(index + 1)...]
    where !other.isSent && other.effects.contains(where: { created.contains($0.note) }) {
      result.append(other.id)
      created.formUnion(createdOnlyHere(other))
    }
    return result
  }

  /// What an operation creates that nobody has confirmed, and no earlier operation creates either.
  private func createdOnlyHere(_ operation: Operation) -> Set<NoteID> {
    let earlier = pending.prefix { $0.id != operation.id }.filter(\.isShown).flatMap(\.effects)
    return Set(
      operation.effects.compactMap { note, effect in
        guard case .create = effect, confirmed[note] == nil else { return nil }
        let isCreatedBefore = earlier.contains { other, effect in
          if case .create = effect { other == note } else { false }
        }
        return isCreatedBefore ? nil : note
      })
  }
}
