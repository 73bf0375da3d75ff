// Actions of a user, a server and other members on a store, drawn from a seed, and the promises of its disk.

import GRDB
import ModelSupport
import SampleIDs
import StoreTestSupport

@testable import ClientStore

/// Each step writes at most one transaction, so that a power cut inside it leaves the state before it or after it.
final class Workload {
  let disk: FaultDisk
  let tasks = HeldTasks()
  let environment: RuntimeEnvironment
  private let dice: RuntimeEnvironment
  private(set) var store: ModelStore?
  private(set) var server: WorkloadServer
  /// Every operation that was on disk once, in the order in which they were performed. The two sets below note which of
  /// them were cancelled or dismissed.
  private(set) var performed: [OperationID] = []
  private(set) var takenBack: Set<OperationID> = []
  private(set) var dismissed: Set<OperationID> = []
  /// The newest revision that was shown by a call that returned.
  private(set) var revealed: Int64 = 0
  private var refused: Set<OperationID> = []

  static let user = UserID(high: 1, low: 1)
  private let box = QueueID.queue(2)

  init(seed: UInt64, disk: FaultDisk) {
    self.disk = disk
    environment = .seeded(seed, spawning: tasks.spawn)
    dice = .seeded(seed &+ 1_000_000)
    server = WorkloadServer(queue: box)
  }

  enum Step: CaseIterable {
    case create, createLong, change, remove, sketch, send, answer, page, reset, hear, edit, takeBack, dismiss, refuse
    case checkpoint, reopen
  }

  /// Draws steps of sync more often than others, because they have the largest transactions.
  func nextStep() -> Step { pick(Step.allCases + [.send, .page, .page])! }

  func run(_ step: Step) async throws {
    try await RuntimeEnvironment.$current.withValue(environment) {
      if store == nil { try open() }
      guard let store else { return }
      switch step {
      case .create: try await create(store, length: 20)
      case .createLong: try await create(store, length: 6_000)
      case .change: try await change(store)
      case .remove: try await remove(store)
      case .sketch: try await sketch(store)
      case .send: try await send(store)
      case .answer: try await answer(store)
      case .page: try await page(store)
      case .reset: try await store.receiveReset(of: box)
      case .hear: try await hear(store)
      case .edit: try server.edit(ObjectID(pick(server.rows.keys.sorted()) ?? .zero)) { $0.tags.insert(word(8)) }
      case .takeBack: try await takeBack(store)
      case .dismiss: try await dismiss(store)
      case .refuse: try await refuse(store)
      case .checkpoint: checkpoint()
      case .reopen: close()
      }
    }
    if step == .reopen { try open() }
  }

  func open() throws {
    store = try RuntimeEnvironment.$current.withValue(environment) {
      try ModelStore(at: disk.folder, schema: WorkloadSchema.self, user: Self.user)
    }
  }

  /// Abandons the store, which closes its files.
  func close() {
    store?.abandon()
    store = nil
  }
}

// Steps of the user.
extension Workload {
  private func create(_ store: ModelStore, length: Int) async throws {
    for _ in 0...roll(3) {
      var entry = Entry(zeroWithID: .new(in: box))
      entry.box = box
      entry.text = word(length)
      store.create(entry)
    }
    try await save(store)
  }

  private func change(_ store: ModelStore) async throws {
    var handles: [OperationHandle] = []
    for _ in 0...roll(2) {
      guard let id = pick(try store.objects(Entry.self).map(\.id)) else { return }
      let (text, tag) = (word(12), word(2))
      handles.append(
        store.update(id) {
          $0.text = text
          $0.tags.insert(tag)
        })
    }
    try await save(store, handles)
    for handle in handles { try await handle.waitUntilSaved() }
  }

  private func remove(_ store: ModelStore) async throws {
    guard let id = pick(try store.objects(Entry.self).map(\.id)) else { return }
    let handle = store.delete(id)
    try await save(store, [handle])
    try await handle.waitUntilSaved()
  }

  /// Creates, edits and deletes objects that never leave the device. Each operation and its effect are one transaction.
  private func sketch(_ store: ModelStore) async throws {
    let known = try store.objects(Sketch.self).map(\.id)
    var new = Sketch(zeroWithID: .new(in: nil))
    new.text = word(30)
    store.create(new)
    let text = word(9)
    if let id = pick(known) { store.update(id) { $0.text = text } }
    if roll(3) == 0, let id = pick(known) { store.delete(id) }
    try await save(store)
  }

  private func takeBack(_ store: ModelStore) async throws {
    guard let operation = pick(store.undecided(in: box)) else { return }
    let before = Set(store.undecided(in: box))
    store.cancel(operation)
    // Noted even if saving fails, because the cancellation may have reached the disk then.
    takenBack.formUnion(before.subtracting(store.undecided(in: box)))
    try await save(store)
  }

  private func dismiss(_ store: ModelStore) async throws {
    guard let item = pick(store.failedOperations) else { return }
    dismissed.insert(item.id)
    try await store.dismiss(item)
  }

  private func refuse(_ store: ModelStore) async throws {
    store.update(ObjectID<Entry>.new(in: box)) { $0.text = "nowhere" }
    try await save(store)
  }

  /// Waits for the disk, and notes the operations that must never be lost from now on.
  func save(_ store: ModelStore, _ handles: [OperationHandle] = []) async throws {
    let waiting = handles.map { handle in Task { (try? await handle.waitUntilSaved()) != nil } }
    for handle in handles { while handle.isWaitable { await Task.yield() } }
    await tasks.run()
    // A promise counts from the moment it is given, whatever happens to the disk later.
    for (handle, isSaved) in zip(handles, waiting) where await isSaved.value { performed.append(handle.id) }
    // The call itself tries again to save what a full disk has refused.
    try await tasks.freely { try await store.waitUntilSaved() }
    let known = Set(performed)
    performed += store.undecided(in: box).filter { !known.contains($0) }
  }
}

extension ModelStore {
  /// The operations of a queue that are on disk and have no outcome yet, in order.
  func undecided(in queue: QueueID) -> [OperationID] {
    memory.withLock { memory in
      let pending = (memory.outbox.queues[queue]?.numbers ?? []).compactMap { memory.outbox.operations[$0] }
      return pending.filter { $0.isSaved && $0.outcome == nil }.map(\.id)
    }
  }
}

extension OperationHandle {
  /// Whether the operation is still to be saved, and nobody waits for it yet.
  fileprivate var isWaitable: Bool {
    guard case .performed = state else { return false }
    return store.memory.withLock { _ in !record.isAwaited }
  }
}

// Steps of sync and of other members, and SQLite's own housekeeping.
extension Workload {
  private func send(_ store: ModelStore) async throws {
    let pending = store.undecided(in: box)
    guard !pending.isEmpty else { return }
    let sent = try await store.send(in: box, limit: 1 + roll(pending.count))
    if roll(4) == 0, let id = pick(sent)?.operation { refused.insert(id) }
    try server.commit(sent) { refused.contains($0) }
  }

  private func answer(_ store: ModelStore) async throws {
    try await store.receive(outcomes: store.undecided(in: box).compactMap { server.outcomes[$0] }, in: box)
  }

  /// Receives a page that is staged, or the last one, with which everything is shown.
  private func page(_ store: ModelStore) async throws {
    let arrived = server.pages.next(for: store, in: box, atMost: roll(3) == 0 ? 1 + roll(3) : .max)
    try await store.receive(arrived)
    if arrived.page.end != nil { revealed = server.head }
  }

  /// The server has another history, and may have lost all that this device has retired.
  private func hear(_ store: ModelStore) async throws {
    guard let known = store.history else {
      _ = try await store.isHistory(ServerPages.history)
      return
    }
    let next = HistoryID(UUIDValue(high: known.rawValue.high, low: known.rawValue.low + 1))
    try await store.hear(next, since: .zero, after: known)
  }

  /// Checkpoints through a second connection, as SQLite does by itself once the log is long. A failed one loses
  /// nothing.
  private func checkpoint() {
    let mode = pick(["PASSIVE", "RESTART", "TRUNCATE"])!
    _ = try? DatabaseQueue(path: disk.folder + "/store.sqlite").writeWithoutTransaction { database in
      try Row.fetchAll(database, sql: "PRAGMA wal_checkpoint(\(mode))")
    }
  }

  private func roll(_ sides: Int) -> Int { Int(dice.randomBits() % UInt64(sides)) }

  private func pick<Element>(_ elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[roll(elements.count)]
  }

  private func word(_ length: Int) -> String {
    String(decoding: (0..<length).map { _ in UInt8(97 + roll(26)) }, as: UTF8.self)
  }
}

// Checks.
extension Workload {
  /// Contradictions between an image and everything that was on disk once; empty if there are none.
  func problems(in image: StoreImage) -> [String] {
    var problems: [String] = []
    let pending = image.operations.map(\.id)
    let order = performed.filter(Set(pending).contains)
    if order != pending.filter(Set(performed).contains) { problems.append("the order of the outbox changed") }
    let cursor = image.cursors[box] ?? 0
    if cursor < revealed { problems.append("the cursor \(cursor) is behind \(revealed), which was revealed") }
    for id in performed where !pending.contains(id) && !isOver(id, image, cursor) {
      problems.append("the operation \(id) is lost")
    }
    for (id, row) in server.rows where row.revision <= cursor {
      let found = image.objects[id]
      if found?.content != row.content || found?.revision ?? row.revision != row.revision {
        problems.append("the row \(id) is not the one of cursor \(cursor)")
      }
    }
    for (id, object) in image.objects where object.revision > cursor {
      problems.append("the row \(id) is ahead of the cursor \(cursor)")
    }
    return problems
  }

  /// Whether an operation may have left: it was cancelled or reported, or its effect has come back.
  private func isOver(_ id: OperationID, _ image: StoreImage, _ cursor: Int64) -> Bool {
    if takenBack.contains(id) || dismissed.contains(id) || image.failedOperations.contains(id) { return true }
    guard let outcome = server.outcomes[id], outcome.at <= cursor else { return false }
    return outcome.status == .applied || outcome.status == .noEffect
  }
}
