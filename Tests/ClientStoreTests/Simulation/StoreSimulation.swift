// One device, one server, one seed: every step is followed by a comparison with the oracle, from scratch.

import Foundation
import ModelRuntime
import TestSupport

/// What happened how often, over all seeds.
struct EventCounts: Sendable {
  private(set) var counts: [String: Int] = [:]

  mutating func note(_ event: String) { counts[event, default: 0] += 1 }
  mutating func add(_ other: Self) { counts.merge(other.counts) { $0 + $1 } }

  var description: String { counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ") }
}

/// Something that must never be.
struct Violation: Error, CustomStringConvertible {
  var description: String
}

final class StoreSimulation {
  static let events = [
    "create", "create again", "edit", "edit several", "delete", "cancel unsent", "cancel sent", "barrier", "idle",
    "commit",
    "commit, answer lost", "refused", "others", "pull", "crash", "crash lost operations", "draft",
  ]

  private let seed: UInt64
  private let folder: String
  private var random: SeededRandom
  private var executor: SeededExecutor
  private var store: ModelStore
  private var handles: [UUIDValue: OperationHandle] = [:]
  private var oracle = Oracle()
  private var server: SimulatedServer
  private var drafts: [ObjectID<Draft>: String] = [:]
  private let notes: [NoteID]
  private var lives = 0
  private(set) var events = EventCounts()
  /// Every step in words, to compare two runs of one seed.
  private(set) var trace: [String] = []

  private let user = UserID(UUIDValue(high: 7, low: 7))
  private let queue = QueueID(UUIDValue(high: 1, low: 2))

  init(seed: UInt64, folder: String) throws {
    self.seed = seed
    self.folder = folder
    random = SeededRandom(seed: seed)
    server = SimulatedServer(queue: queue)
    notes = (1...6).map { NoteID(UUIDValue(high: 9, low: $0)) }
    (store, executor) = try Self.open(folder, user, seed: seed)
  }

  private static func open(
    _ folder: String, _ user: UserID, seed: UInt64
  ) throws -> (ModelStore, SeededExecutor) {
    let executor = SeededExecutor(seed: seed)
    let environment = RuntimeEnvironment.seeded(seed, spawning: { executor.spawn($0) })
    let store = try RuntimeEnvironment.$current.withValue(environment) {
      try ModelStore(at: folder, schema: NotesSchema.self, user: user)
    }
    return (store, executor)
  }

  func run(steps: Int) throws {
    for step in 0..<steps {
      let name = try RuntimeEnvironment.$current.withValue(.seeded(seed &* 1_000 &+ UInt64(step))) { try self.step() }
      events.note(name)
      trace.append("\(step) \(name): \(store.outbox.map { "\($0.id.description.prefix(8)) \($0.state)" })")
      try check(step, name)
    }
    try finish()
    try check(steps, "the end")
  }

  private func step() throws -> String {
    switch random.below(100) {
    case 0..<12: create()
    case 12..<34: edit()
    case 34..<40: editSeveral()
    case 40..<45: delete()
    case 45..<50: cancel()
    case 50..<55: try barrier()
    case 55..<63: idle()
    case 63..<73: try commit()
    case 73..<81: try others()
    case 81..<91: try pull()
    case 91..<95: try draft()
    default: try crash()
    }
  }
}

// What the user does.
extension StoreSimulation {
  private var note: NoteID { notes[Int(random.next() % UInt64(notes.count))] }

  private func text() -> String { "t\(random.next() % 1_000_000)" }

  /// A change that changes something now, so that the oracle and the store agree on what was done.
  private func edit(of value: NoteValue) -> NoteEdit {
    switch random.below(4) {
    case 0: .title(value.title != nil && random.chance(20) ? nil : text())
    case 1: .views(Int64(random.below(100)) - 50 | 1)
    case 2: .insert(text())
    default: value.tags.sorted().first.map { .remove($0) } ?? .insert(text())
    }
  }

  private func create() -> String {
    let id = note
    let value = NoteValue(title: random.chance(60) ? text() : nil, views: 3, tags: random.chance(50) ? [text()] : [])
    let isAgain = oracle.view(id) != nil
    let before = store.outgoingIDs
    store.create(Note(id, in: queue, value))
    record([(id, .create(value))], since: before)
    return isAgain ? "create again" : "create"
  }

  private func edit() -> String {
    let id = note
    guard let value = oracle.view(id) else { return create() }
    let edit = edit(of: value)
    let handle = store.update(id) { note in
      switch edit {
      case .title(let title): note.title = title
      case .views(let amount): note.views &+= amount
      case .insert(let tag): note.tags.insert(tag)
      case .remove(let tag): note.tags.remove(tag)
      }
    }
    record(handle, [(id, .edit([edit]))])
    return "edit"
  }

  private func editSeveral() -> String {
    let ids = notes.filter { oracle.view($0) != nil && random.chance(50) }
    guard !ids.isEmpty else { return create() }
    let edits: [NoteEdit] = [.title(text()), .insert(text()), .views(1)]
    let handle = store.perform(EditNotes(notes: ids, edits: edits))
    record(handle, ids.map { ($0, .edit(edits)) })
    return "edit several"
  }

  private func delete() -> String {
    let id = note
    guard oracle.view(id) != nil else { return create() }
    record(store.delete(id), [(id, .delete)])
    return "delete"
  }

  private func record(_ handle: OperationHandle, _ effects: [(NoteID, NoteEffect)]) {
    handles[handle.id] = handle
    oracle.pending.append(.init(id: handle.id, effects: effects.map { (note: $0.0, effect: $0.1) }))
  }

  /// `create` returns the object; its operation is the one that is new.
  private func record(_ effects: [(NoteID, NoteEffect)], since before: Set<UUIDValue>) {
    for id in store.outgoingIDs.subtracting(before) {
      oracle.pending.append(.init(id: id, effects: effects.map { (note: $0.0, effect: $0.1) }))
    }
  }

  private func cancel() -> String {
    let candidates = oracle.pending.filter { handles[$0.id] != nil && $0.outcome == nil && !$0.isVoided }
    guard !candidates.isEmpty else { return edit() }
    let operation = candidates[Int(random.below(UInt64(candidates.count)))]
    handles[operation.id]?.cancel()
    oracle.cancel(operation.id)
    return operation.isSent ? "cancel sent" : "cancel unsent"
  }

  private func barrier() throws -> String {
    try executor.run { [store] in try await store.saved() }
    for index in oracle.pending.indices { oracle.pending[index].isSaved = true }
    oracle.cancelled = [:]
    return "barrier"
  }

  private func idle() -> String {
    for _ in 0..<random.below(6) { executor.runOne() }
    return "idle"
  }

  private func draft() throws -> String {
    let text = text()
    if let id = drafts.keys.sorted().first, random.chance(70) {
      if random.chance(30) {
        store.delete(id)
        drafts[id] = nil
      } else {
        store.update(id) { $0.text = text }
        drafts[id] = text
      }
    } else {
      var draft = Draft(zeroWithID: .new())
      draft.text = text
      drafts[store.create(draft).id] = text
    }
    return "draft"
  }
}

// What the network does.
extension StoreSimulation {
  private func commit() throws -> String {
    let outgoing = store.outgoing(in: queue)
    guard !outgoing.isEmpty else { return try pull() }
    // A prefix is closed: with an operation go all earlier ones on its objects.
    let sent = Array(outgoing.prefix(1 + Int(random.below(UInt64(outgoing.count)))))
    let ids = sent.map(\.id)
    try executor.run { [store] in try await store.markSent(ids) }
    for index in oracle.pending.indices where ids.contains(oracle.pending[index].id) {
      oracle.pending[index].isSent = true
      oracle.pending[index].isSaved = true
    }
    let refused = Set(sent.filter { _ in random.chance(8) }.map(\.id))
    let outcomes = try server.commit(sent) { refused.contains($0.id) }
    if outcomes.contains(where: { if case .rejected = $0.status { true } else { false } }) { events.note("refused") }
    guard random.chance(60) else { return "commit, answer lost" }
    try executor.run { [store, queue] in try await store.take(outcomes, in: queue) }
    oracle.take(outcomes)
    return "commit"
  }

  private func others() throws -> String {
    let id = note
    let change: ObjectChange
    if let value = try server.value(id) {
      var patch = PatchBuilder()
      edit(of: value).add(to: &patch)
      change = ObjectChange(id.rawValue, random.chance(12) ? .delete : .patch(try patch.patch()))
    } else {
      let note = Note(id, in: queue, NoteValue(title: text(), views: 5))
      change = ObjectChange(id.rawValue, .create(type: "note", try PatchBuilder().patch(filling: note.encoded())))
    }
    try server.change(id, OperationChanges(objects: [change]))
    return "others"
  }

  private func pull() throws -> String {
    let awaiting = oracle.pending.filter { $0.isSent && $0.outcome == nil }.map(\.id)
    let delta = server.delta(after: oracle.cursor, awaiting: awaiting)
    try executor.run { [store] in try await store.reveal(delta) }
    for object in delta.objects {
      let id = NoteID(object.id)
      oracle.confirmed[id] = try object.live.map { NoteValue(try Note(id: id, blob: $0.content)) }
    }
    oracle.cursor = delta.cursor
    oracle.take(delta.outcomes)
    return "pull"
  }

  /// The process ends between two jobs; what was not on disk is gone.
  private func crash() throws -> String {
    let reported = oracle.reported
    lives += 1
    (store, executor) = try Self.open(folder, user, seed: seed &+ UInt64(lives) &* 7_919)
    handles = [:]
    let hasLost = try oracle.crash(kept: store.sharedOutbox.map(\.id))
    for item in store.sharedOutbox {
      // A void that was not on disk is forgotten; what the store says of it counts.
      guard let index = oracle.pending.firstIndex(where: { $0.id == item.id }) else { continue }
      oracle.pending[index].isSaved = true
      oracle.pending[index].isVoided = oracle.pending[index].isVoided && item.isVoided
    }
    let listed = Set(store.attention.map(\.id))
    guard reported.isSubset(of: listed) else { throw Violation(description: "a report is lost") }
    try readDrafts()
    return hasLost ? "crash lost operations" : "crash"
  }

  /// A draft is its last saved text, or a later one that happened to be saved.
  private func readDrafts() throws {
    let found = try store.objects(Draft.self)
    drafts = Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0.text) })
  }

  /// Faults are over: everything is sent and everything comes back.
  private func finish() throws {
    try executor.run { [store] in try await store.saved() }
    for _ in 0..<50 where !oracle.pending.isEmpty {
      let outgoing = store.outgoing(in: queue)
      let ids = outgoing.map(\.id)
      try executor.run { [store] in try await store.markSent(ids) }
      for index in oracle.pending.indices where ids.contains(oracle.pending[index].id) {
        oracle.pending[index].isSent = true
      }
      let outcomes = try server.commit(outgoing) { _ in false }
      try executor.run { [store, queue] in try await store.take(outcomes, in: queue) }
      oracle.take(outcomes)
      _ = try pull()
    }
    _ = try pull()
    guard oracle.pending.isEmpty else { throw Violation(description: "the outbox does not drain") }
    for id in notes where try server.value(id) != store.object(id).map(NoteValue.init) {
      throw Violation(description: "\(id) differs from the server at the end")
    }
  }
}

// What must hold after every step.
extension StoreSimulation {
  private func check(_ step: Int, _ name: String) throws {
    func fail(_ what: String) -> Violation {
      Violation(description: "seed \(seed), step \(step) (\(name)): \(what)")
    }
    for id in notes {
      let shown = try store.object(id).map(NoteValue.init)
      let expected = oracle.view(id)
      if shown != expected {
        throw fail("\(id) shows \(String(describing: shown)), not \(String(describing: expected))")
      }
      let isPending = oracle.pending.contains { $0.effects.contains { $0.note == id } }
      if store.isPending(id) != isPending { throw fail("\(id) is pending: \(!isPending)") }
    }
    for (id, text) in drafts where try store.object(id)?.text != text { throw fail("a draft differs") }
    let ids = oracle.pending.filter { $0.outcome == nil }.map(\.id)
    if store.outgoingOrder != ids { throw fail("the outbox differs") }
    let listed = Set(store.attention.map(\.id))
    if listed != oracle.reported { throw fail("what is reported differs") }
    if !oracle.retired.isDisjoint(with: listed.union(ids)) { throw fail("an operation is retired and not") }
  }
}

extension ModelStore {
  fileprivate var sharedOutbox: [OutboxItem] { outbox.filter { $0.queue != nil } }
  fileprivate var outgoingOrder: [UUIDValue] { sharedOutbox.filter { $0.outcome == nil }.map(\.id) }
  fileprivate var outgoingIDs: Set<UUIDValue> { Set(outgoingOrder) }
}
