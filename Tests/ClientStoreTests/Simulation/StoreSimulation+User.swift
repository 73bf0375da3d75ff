// Actions of the user, on a store whose disk may fail.

import ModelSupport
import SampleIDs
import TestSupport

extension StoreSimulation {
  private var note: NoteID { random.pick(notes) }

  private func text() -> String { "t\(random.below(1_000_000))" }

  /// An edit that changes the value as it is now, so that the oracle and the store agree on its effect.
  func edit(of value: NoteValue) -> NoteEdit {
    switch random.below(4) {
    case 0: .title(value.title != nil && random.chance(20) ? nil : text())
    case 1: .views(Int64(random.below(100)) - 50 | 1)
    case 2: .insert(text())
    default: value.tags.min().map { .remove($0) } ?? .insert(text())
    }
  }

  func create() throws -> String {
    let id = note
    let value = NoteValue(title: random.chance(60) ? text() : nil, views: 3, tags: random.chance(50) ? [text()] : [])
    let isAgain = oracle.memory.view()[id] != nil
    let revival = oracle.memory.revival(of: id)
    countDeletes(under: id, revival)
    let last = store.pendingOperations.last?.id
    store.create(Note(id, in: queue, value))
    try recordNew(after: last) { performed($0, [(id, .create(value, revival))]) }
    return isAgain ? "create again" : "create"
  }

  func edit() throws -> String {
    let id = note
    guard let value = oracle.memory.view()[id] else { return try create() }
    let edit = edit(of: value)
    let handle = store.update(id) { note in
      switch edit {
      case .title(let title): note.title = title
      case .views(let amount): note.views &+= amount
      case .insert(let tag): note.tags.insert(tag)
      case .remove(let tag): note.tags.remove(tag)
      }
    }
    try record(handle, performed(handle.id, [(id, .edit([edit]))]))
    return "edit"
  }

  func editSeveral() throws -> String {
    let view = oracle.memory.view()
    let ids = notes.filter { view[$0] != nil && random.chance(50) }
    guard !ids.isEmpty else { return try create() }
    let edits: [NoteEdit] = [.title(text()), .insert(text()), .views(1)]
    let handle = store.perform(EditNotes(notes: ids, edits: edits))
    try record(handle, performed(handle.id, ids.map { ($0, .edit(edits)) }))
    return "edit several"
  }

  func delete() throws -> String {
    let id = note
    guard oracle.memory.view()[id] != nil else { return try create() }
    let handle = store.delete(id)
    try record(handle, performed(handle.id, [(id, .delete)]))
    return "delete"
  }

  /// An edit of a note that does not exist is refused at once, and reported.
  func refusal() throws -> String {
    let handle = store.update(NoteID.object(1 << 40, in: queue)) { $0.views = 1 }
    guard case .failed = handle.state else { throw Violation(description: "an edit of nothing was performed") }
    oracle.note(.reported(handle.id))
    return "refusal"
  }

  func draft() throws -> String {
    let text = text()
    if let id = oracle.memory.drafts.keys.min(), random.chance(70) {
      let isDeleted = random.chance(30)
      let handle = isDeleted ? store.delete(id) : store.update(id) { $0.text = text }
      try record(handle, .drafted(handle.id, id, text: isDeleted ? nil : text, isNew: false))
    } else {
      var draft = Draft(zeroWithID: .new(in: nil))
      draft.text = text
      let last = store.pendingOperations.last?.id
      store.create(draft)
      try recordNew(after: last) { .drafted($0, draft.id, text: text, isNew: true) }
    }
    return "draft"
  }

  func cancel() throws -> String {
    let candidates = oracle.memory.pending.filter { handles[$0.id] != nil && $0.outcome == nil && !$0.isVoided }
    guard !candidates.isEmpty else { return try edit() }
    let sent = candidates.filter(\.isSent)
    let operation = random.pick(sent.isEmpty || random.chance(20) ? candidates : sent)
    handles[operation.id]?.cancel()
    oracle.note(
      operation.isSent ? .voided(operation.id) : .takenBack(oracle.memory.takenBack(with: operation.id)))
    return operation.isSent ? "cancel sent" : "cancel unsent"
  }
}

extension StoreSimulation {
  private func record(_ handle: OperationHandle, _ event: StoreEvent) throws {
    handles[handle.id] = handle
    let isPending = if case .performed = handle.state { true } else { false }
    try note(isPending ? event : nil)
  }

  /// `create` gives no handle, so its operation is the new one in the outbox.
  private func recordNew(after last: OperationID?, _ event: (OperationID) -> StoreEvent) throws {
    try note(store.pendingOperations.last.flatMap { $0.id == last ? nil : event($0.id) })
  }

  /// Notes an event. Nil is right only while the disk fails: if the changed object cannot be read, the operation is
  /// reported instead of performed.
  private func note(_ event: StoreEvent?) throws {
    if let event { return oracle.note(event) }
    guard isFaulty, let item = store.failedOperations.last, !oracle.memory.reported.contains(item.id) else {
      throw Violation(description: "what was performed is neither pending nor reported")
    }
    oracle.note(.reported(item.id))
  }

  private func performed(_ id: OperationID, _ effects: [(NoteID, NoteEffect)]) -> StoreEvent {
    .performed(.init(id: id, effects: effects.map { .init(note: $0.0, effect: $0.1) }))
  }
}
