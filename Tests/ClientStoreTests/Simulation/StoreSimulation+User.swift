// What the user does, on a store that may be failing.

import ModelRuntime
import TestSupport

extension StoreSimulation {
  private var note: NoteID { random.pick(notes) }

  private func text() -> String { "t\(random.below(1_000_000))" }

  /// A change that changes something now, so that the oracle and the store agree on what was done.
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
    try record([.init(note: id, effect: .create(value))]) { store in
      store.create(Note(id, in: queue, value))
      return nil
    }
    return isAgain ? "create again" : "create"
  }

  func edit() throws -> String {
    let id = note
    guard let value = oracle.memory.view()[id] else { return try create() }
    let edit = edit(of: value)
    try record([.init(note: id, effect: .edit([edit]))]) { store in
      store.update(id) { note in
        switch edit {
        case .title(let title): note.title = title
        case .views(let amount): note.views &+= amount
        case .insert(let tag): note.tags.insert(tag)
        case .remove(let tag): note.tags.remove(tag)
        }
      }
    }
    return "edit"
  }

  func editSeveral() throws -> String {
    let view = oracle.memory.view()
    let ids = notes.filter { view[$0] != nil && random.chance(50) }
    guard !ids.isEmpty else { return try create() }
    let edits: [NoteEdit] = [.title(text()), .insert(text()), .views(1)]
    try record(ids.map { .init(note: $0, effect: .edit(edits)) }) { $0.perform(EditNotes(notes: ids, edits: edits)) }
    return "edit several"
  }

  func delete() throws -> String {
    let id = note
    guard oracle.memory.view()[id] != nil else { return try create() }
    try record([.init(note: id, effect: .delete)]) { $0.delete(id) }
    return "delete"
  }

  /// An edit of what is not there is refused at once, and told.
  func refusal() throws -> String {
    let handle = store.update(NoteID(UUIDValue(high: 5, low: 5))) { $0.views = 1 }
    guard case .failed = handle.state else { throw Violation(description: "an edit of nothing was performed") }
    oracle.note(.reported(handle.id))
    return "refusal"
  }

  func draft() throws -> String {
    let text = text()
    guard let id = oracle.memory.drafts.keys.min(), random.chance(70) else {
      let draft = Draft(zeroWithID: .new())
      return try recordDraft(draft.id, text, isNew: true) { store in
        store.create(with(draft) { $0.text = text })
        return nil
      }
    }
    if random.chance(30) { return try recordDraft(id, nil) { $0.delete(id) } }
    return try recordDraft(id, text) { $0.update(id) { $0.text = text } }
  }

  func cancel() throws -> String {
    let candidates = oracle.memory.pending.filter { handles[$0.id] != nil && $0.outcome == nil && !$0.isVoided }
    guard !candidates.isEmpty else { return try edit() }
    let operation = random.pick(candidates)
    handles[operation.id]?.cancel()
    oracle.note(
      operation.isSent ? .voided(operation.id) : .takenBack(oracle.memory.takenBack(with: operation.id)))
    return operation.isSent ? "cancel sent" : "cancel unsent"
  }
}

extension StoreSimulation {
  private func record(_ effects: [StoreState.NoteChange], _ act: (ModelStore) -> OperationHandle?) throws {
    try record(act) { .performed(.init(id: $0, effects: effects)) }
  }

  private func recordDraft(
    _ draft: DraftID, _ text: String?, isNew: Bool = false, _ act: (ModelStore) -> OperationHandle?
  ) throws -> String {
    try record(act) { .drafted($0, draft, text: text, isNew: isNew) }
    return "draft"
  }

  /// Does something and notes it. `create` gives no handle: its operation is the new one in the outbox.
  private func record(_ act: (ModelStore) -> OperationHandle?, _ event: (UUIDValue) -> StoreEvent) throws {
    let last = store.outbox.last?.id
    if let handle = act(store) { handles[handle.id] = handle }
    if let new = store.outbox.last?.id, new != last { return oracle.note(event(new)) }
    // While the disk fails, nobody may be able to look at the object that is changed.
    guard isFaulty, let item = store.attention.last, !oracle.memory.reported.contains(item.id) else {
      throw Violation(description: "what was performed is neither pending nor reported")
    }
    oracle.note(.reported(item.id))
  }

  private func with<Value>(_ value: Value, _ body: (inout Value) -> Void) -> Value {
    var value = value
    body(&value)
    return value
  }
}
