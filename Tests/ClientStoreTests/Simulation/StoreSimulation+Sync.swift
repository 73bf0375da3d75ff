// Steps of the network, and other calls of the app. Each is one transaction, whole or absent.

import GRDB
import ModelSupport
import SampleIDs
import StoreTestSupport
import TestSupport

extension StoreSimulation {
  func barrier() throws -> String {
    try executor.run { [store] in try await store.waitUntilSaved() }
    oracle.noteAllSaved()
    return "barrier"
  }

  func idle() -> String {
    for _ in 0..<random.below(6) { executor.runOne() }
    return "idle"
  }

  func commit() throws -> String {
    let pending = store.undecided(in: queue)
    guard !pending.isEmpty else { return try pull() }
    guard let sent = try send(atMost: 1 + random.below(pending.count)) else { return "commit" }
    let outcomes = try server.commit(sent) { _ in random.chance(8) }
    if outcomes.contains(where: { if case .rejected = $0.status { true } else { false } }) {
      count("refused by the server")
    }
    guard random.chance(60) else { return "commit, answer lost" }
    try take(outcomes)
    return "commit"
  }

  /// Sends the operations that may be sent now, and returns them; nil if that failed.
  func send(atMost limit: Int = .max) throws -> [CommitRequest.Mutation]? {
    let sending = Sending()
    let isDone = try attempt(.send(sending)) { [queue] store in
      sending.expect(store.sendable(in: queue, limit: limit))
      sending.note(try await store.send(in: queue, limit: limit))
    }
    guard isDone else { return nil }
    try checkRevivals(sending.operations)
    return sending.operations
  }

  func take(_ outcomes: [OperationOutcome]) throws {
    // While a queue is loaded, no operation leaves the outbox.
    let isLoaded = store.place(of: queue).load == .loaded
    try attempt(.settle(nil, outcomes, leaving: isLoaded)) { [queue] store in
      try await store.receive(outcomes: outcomes, in: queue)
    }
  }

  func others() throws -> String {
    let id = random.pick(notes)
    let change: ObjectChange
    if let value = try server.value(id) {
      var patch = PatchBuilder()
      edit(of: value).add(to: &patch)
      change = ObjectChange(id.rawValue, random.chance(12) ? .delete : .patch(try patch.patch()))
    } else {
      let note = Note(id, in: queue, NoteValue(title: "others", views: 5))
      // Mostly the other member has seen everything.
      let newest = SeenVersion(history: ServerPages.history, cursor: server.head)
      let seen = server.head > 0 && random.chance(80) ? newest : nil
      let patch = try PatchBuilder().patch(filling: note.encoded())
      change = ObjectChange(id.rawValue, .create(type: "note", patch, Revival(seen: seen)))
    }
    try server.change(OperationChanges(objects: [change]))
    return "others"
  }

  func pull() throws -> String { try pull(atMost: random.chance(40) ? 1 + random.below(3) : .max) }

  /// Receives page by page, and not always to the end.
  func pull(atMost limit: Int) throws -> String {
    while true {
      let arrived = server.pages.next(for: store, in: queue, atMost: limit)
      guard let end = arrived.page.end else {
        // The page is staged, and not shown.
        let isDone = try attempt(.settle(nil, [], leaving: false)) { try await $0.receive(arrived) }
        if !isDone || random.chance(30) { return "pull, not to its end" }
        continue
      }
      let news = try server.news(after: arrived.question.place.position == nil ? nil : oracle.memory.cursor)
      try attempt(.settle(news, end.outcomes, leaving: true)) { try await $0.receive(arrived) }
      noteWithoutEffect()
      replaceDeletedNotes()
      return "pull"
    }
  }

  /// The server may have collected tombstones that the device has not seen. The device loads the queue again, and shows
  /// its old state until that is done.
  func reset() throws -> String {
    if random.chance(50) { server.collectTombstones() }
    try attempt(.settle(nil, [], leaving: false)) { [queue] store in
      try await store.receiveReset(of: queue)
    }
    return "reset"
  }

  func dismiss() throws -> String {
    // The newest report may be on its way to the disk.
    guard let item = random.chance(50) ? store.failedOperations.first : store.failedOperations.last else {
      return try refusal()
    }
    try attempt(.dismiss(item.id)) { store in try await store.dismiss(item) }
    return "dismiss"
  }

  /// Checkpoints through a second connection, as SQLite does by itself once the log is long.
  func checkpoint() throws -> String {
    let mode = random.pick(["PASSIVE", "RESTART", "TRUNCATE"])
    try DatabaseQueue(path: disk.folder + "/store.sqlite").writeWithoutTransaction { database in
      _ = try Row.fetchAll(database, sql: "PRAGMA wal_checkpoint(\(mode))")
    }
    return "checkpoint"
  }

  /// When the faults are over, sends everything and reads everything back. Throws a `Violation` if something is left.
  func drain() throws {
    userActsMeanwhile = false
    _ = try barrier()
    for _ in 0..<50 where !oracle.memory.pending.isEmpty {
      try take(server.commit(send() ?? []) { _ in false })
      _ = try pull(atMost: .max)
    }
    _ = try pull(atMost: .max)
    guard oracle.memory.pending.isEmpty else { throw Violation(description: "the outbox does not drain") }
    for id in Set(notes).union(server.live) where try server.value(id) != store.object(id).map(NoteValue.init) {
      throw Violation(description: "\(id) differs from the server")
    }
  }
}

// Invariant 7: replay removes nothing, so the outbox may hold changes that do not apply any more.
extension StoreSimulation {
  private func noteWithoutEffect() {
    let memory = oracle.memory
    _ = memory.replayed { change, note in
      if note == nil, !change.effect.isCreate { count("pending edit without its object") }
      if note != nil, change.effect.isCreate { count("pending create over an object") }
      if note == nil, memory.isStopped(change) { count("pending create stopped by a delete") }
    }
  }

  /// Replaces some notes that the user knows to be deleted by new ones. Others may be created again.
  func replaceDeletedNotes() {
    for index in notes.indices where oracle.memory.confirmed[notes[index]] == nil {
      if server.tombstone(of: notes[index]) != nil, random.chance(10) { notes[index] = newNote() }
    }
  }

  func newNote() -> NoteID {
    noteCount += 1
    return NoteID.object(noteCount, in: queue)
  }
}
