// Checks the invariants of a store after every step. An error names the invariant that is broken.

import ModelSupport
import TestSupport

extension StoreSimulation {
  func check() throws {
    let outbox = store.pendingOperations
    noteSaved(outbox)
    let (view, inapplicable) = oracle.memory.replayed()
    try checkView(view)
    if random.chance(20) { try checkLists(view) }
    try checkOpenLists(view)
    try checkOutbox(outbox, inapplicable)
    try checkOperations(outbox)
    if random.chance(5) { try checkDisk() }
  }

  /// Invariant 8: the store shows confirmed state with the outbox replayed on top, worked out from scratch.
  private func checkView(_ expected: [NoteID: NoteValue]) throws {
    let pending = Set(oracle.memory.pending.flatMap { $0.effects.map(\.note) })
    for id in Set(notes).union(expected.keys).union(oracle.memory.confirmed.keys).union(pending) {
      let value = try store.object(id).map(NoteValue.init)
      if value != expected[id] { throw broken(8, "\(id) is \(value as Any), not \(expected[id] as Any)") }
      let isPending = pending.contains(id)
      if store.isPending(id) != isPending { throw broken(8, "\(id) is pending: \(!isPending)") }
    }
    for (id, text) in oracle.memory.drafts where try store.object(id)?.text != text {
      throw broken(8, "the draft \(id) is not \(text)")
    }
  }

  /// The same for whole models: exactly the objects of the view are listed. Costs a connection to the database.
  private func checkLists(_ expected: [NoteID: NoteValue]) throws {
    let shown = Dictionary(uniqueKeysWithValues: try store.objects(Note.self).map { ($0.id, NoteValue($0)) })
    if shown != expected { throw broken(8, "the list shows \(shown), not \(expected)") }
    let drafts = Dictionary(uniqueKeysWithValues: try store.objects(Draft.self).map { ($0.id, $0.text) })
    if drafts != oracle.memory.drafts { throw broken(8, "the drafts are \(drafts), not \(oracle.memory.drafts)") }
  }

  /// Invariant 7: nothing falls out of the outbox, its order is that of the user, and operations that no longer apply
  /// are marked. Also compares the deletes that the store keeps.
  private func checkOutbox(_ outbox: [PendingOperation], _ inapplicable: Set<OperationID>) throws {
    let kept = store.tombstones
    if kept != oracle.memory.tombstones {
      throw broken(7, "the deletes that are kept are \(kept), not \(oracle.memory.tombstones)")
    }
    let found = outbox.filter { $0.queue != nil }
    let expected = oracle.memory.pending
    if found.map(\.id) != expected.map(\.id) {
      throw broken(7, "the outbox holds \(found.map(\.id.short)), not \(expected.map(\.id.short))")
    }
    for (item, operation) in zip(found, expected) {
      if item.applies == inapplicable.contains(item.id) {
        throw broken(7, "\(item.id.short) is marked as applying: \(item.applies)")
      }
      let isSent = if case .sent = item.state { true } else { false }
      if item.isVoided != operation.isVoided || item.outcome != operation.outcome || isSent != operation.isSent {
        throw broken(7, "the outbox has \(item), not \(operation)")
      }
    }
  }

  /// Invariant 1: a saved operation is exactly one of pending, reported or dismissed, cancelled, and retired.
  private func checkOperations(_ outbox: [PendingOperation]) throws {
    let memory = oracle.memory
    let listed = store.failedOperations.map(\.id)
    let reported = Set(listed)
    if listed.count != reported.count { throw broken(1, "an operation is reported twice: \(listed.map(\.short))") }
    if reported != memory.reported {
      throw broken(1, "\(listed.map(\.short)) are reported, not \(memory.reported.map(\.short))")
    }
    let pending = Set(outbox.lazy.map(\.id))
    for id in oracle.saved {
      let isRetired = memory.retired.contains(id) && server.hasTaken(id, before: memory.cursor)
      let places = [
        pending.contains(id), reported.contains(id) || memory.dismissed.contains(id), memory.cancelled.contains(id),
        isRetired,
      ]
      if places.count(where: { $0 }) != 1 {
        throw broken(1, "\(id.short) is pending, reported, taken back, retired: \(places)")
      }
    }
  }

  /// Invariant 3: the database, read beside the store, holds a state that the store was in.
  func checkDisk() throws {
    _ = try oracle.explain(StoreImage(disk), queue)
  }

  private func broken(_ invariant: Int, _ what: String) -> Violation {
    Violation(description: "invariant \(invariant): \(what)")
  }
}

// Reports of the store.
extension StoreSimulation {
  /// Notes operations that the store reports as saved. They must be on disk from now on.
  func noteSaved(_ outbox: [PendingOperation], before failed: Set<OperationID> = []) {
    guard !oracle.log.isEmpty else { return }
    let performed = Set(outbox.lazy.filter { if case .performed = $0.state { true } else { false } }.map(\.id))
    let pending = Set(outbox.lazy.map(\.id))
    oracle.noteSaved(before: failed) { event in
      switch event {
      case .performed(let operation): pending.contains(operation.id) && !performed.contains(operation.id)
      // The operation of a draft leaves the outbox when it is on disk.
      case .drafted(let id, _, _, _): !pending.contains(id) && !store.failedOperations.contains { $0.id == id }
      default: false
      }
    }
  }

  /// Notes operations that the store reports because the disk was full.
  func noteFailures() throws {
    let failed = store.failedOperations.filter {
      $0.reason.code == .diskFull && !oracle.memory.reported.contains($0.id)
    }
    let ids = Set(failed.map(\.id))
    noteSaved(store.pendingOperations, before: ids)
    if !ids.isEmpty { try oracle.noteDiskFull(ids) }
    noteSaved(store.pendingOperations)
  }
}
