// The work of the threads of a stress test on one store: they perform, read, watch, cancel and sync.

import Foundation
import ModelSupport
import SampleIDs
import StoreTestSupport
import TestSupport

/// `@unchecked Sendable`: the state that threads share is behind the lock, and the store is made to be shared.
final class StressWork: @unchecked Sendable {
  private let store: ModelStore
  private let box: QueueID
  private let lock = NSLock()
  private var entries: [ObjectID<Entry>] = []
  private var sketches: [ObjectID<Sketch>] = []
  private var edits: [Edit] = []
  /// Whether all threads are done, and whether sync is.
  private var isDone = false
  private var isSynced = false

  /// An edit that inserts one tag into one entry.
  struct Edit {
    var handle: OperationHandle
    var entry: ObjectID<Entry>
    var tag: String
  }

  /// The result of an edit.
  enum Result: CaseIterable { case confirmed, cancelled, refused }

  init(store: ModelStore, box: QueueID) {
    (self.store, self.box) = (store, box)
    for _ in 0..<4 {
      let entry = newEntry()
      store.create(entry)
      entries.append(entry.id)
    }
  }

  private func newEntry() -> Entry {
    var entry = Entry(zeroWithID: .new(in: box))
    entry.box = box
    return entry
  }

  /// Starts the threads, and returns when each has done its steps.
  func run(threads: Int, steps: Int, seed: UInt64) async {
    let group = DispatchGroup()
    for number in 0..<threads {
      group.enter()
      Thread.detachNewThread { [self] in
        var random = SeededRandom(seed: seed &* 1_000 &+ UInt64(number))
        for step in 0..<steps { act("\(number).\(step)", &random) }
        group.leave()
      }
    }
    await withCheckedContinuation { done in group.notify(queue: .global()) { done.resume() } }
    lock.withLock { isDone = true }
  }

  private func act(_ name: String, _ random: inout SeededRandom) {
    let (entry, sketch) = lock.withLock { (random.element(of: entries), random.element(of: sketches)) }
    switch random.below(100) {
    case 0..<8: add(newEntry())
    case 8..<12: store.create(contentsOf: (0..<3).map { _ in newEntry() })
    case 12..<50: if let entry { edit(entry, name) }
    case 50..<54: if let entry { store.delete(entry) }
    case 54..<62: lock.withLock { random.element(of: edits) }?.handle.cancel()
    case 62..<70:
      let id = Sketch.ID.new(in: nil)
      store.create(Sketch(zeroWithID: id))
      lock.withLock { sketches.append(id) }
    case 70..<78: if let sketch { store.update(sketch) { $0.text = name } }
    default: read(entry, sketch, &random)
    }
  }

  private func add(_ entry: Entry) {
    store.create(entry)
    lock.withLock { entries.append(entry.id) }
  }

  private func edit(_ entry: ObjectID<Entry>, _ tag: String) {
    let handle = store.update(entry) { $0.tags.insert(tag) }
    lock.withLock { edits.append(Edit(handle: handle, entry: entry, tag: tag)) }
  }

  private func read(_ entry: ObjectID<Entry>?, _ sketch: ObjectID<Sketch>?, _ random: inout SeededRandom) {
    switch random.below(6) {
    case 0: _ = try? store.objects(Entry.self)
    case 1: _ = store.pendingOperations.count + store.failedOperations.count
    case 2: _ = lock.withLock { random.element(of: edits) }?.handle.state
    case 3: if let sketch { _ = try? store.object(sketch) }
    default:
      guard let entry else { return }
      _ = try? store.object(entry)
      _ = store.isPending(entry)
    }
  }
}

// Work beside the threads.
extension StressWork {
  /// Watches the first entries; each watcher returns how many values it has seen.
  func watch() -> [Task<Int, Never>] {
    entries.map { id in
      Task { [store] in
        var count = 0
        do { for try await _ in store.updates(of: id) { count += 1 } } catch {}
        return count
      }
    }
  }

  func stop(_ watchers: [Task<Int, Never>]) async -> Int {
    var count = 0
    for watcher in watchers {
      watcher.cancel()
      count += await watcher.value
    }
    return count
  }

  /// Reads live objects as views do, until sync is done. Returns a problem for each that then differs from the store.
  @MainActor
  func show() async throws -> [String] {
    let views = lock.withLock { entries }.prefix(4).map { (id: $0, live: store.live($0)) }
    var shown = 0
    while !lock.withLock({ isSynced }) {
      for view in views { shown += view.live.value == nil || store.isPending(view.id) ? 1 : 2 }
      await Task.yield()
    }
    let stale = try views.filter { try $0.live.value != store.object($0.id) }
    return stale.map { "a view of \($0.id) is stale" } + (shown > 0 ? [] : ["no view was shown"])
  }

  /// Sends and receives until the threads are done and the outbox is empty. Gives up 200 turns after the threads are
  /// done: each operation may need several turns, because it is refused once or comes after another one.
  func sync(seed: UInt64) async throws -> WorkloadServer {
    defer { lock.withLock { isSynced = true } }
    var random = SeededRandom(seed: seed)
    var server = WorkloadServer(queue: box)
    var turnsLeft = 200
    while turnsLeft > 0 {
      // Asked before saving: if the threads are done, no operation comes after this.
      let isLast = lock.withLock { isDone }
      if isLast { turnsLeft -= 1 }
      if isLast { try await store.waitUntilSaved() }
      let outgoing = try await store.send(in: box, limit: 1 + Int(random.below(60)))
      try server.commit(outgoing) { _ in random.chance(3) }
      if random.chance(50) {
        try await store.receive(outcomes: outgoing.compactMap { server.outcomes[$0.operation] }, in: box)
      }
      if random.chance(20), let id = random.element(of: server.rows.keys.sorted()) {
        try server.edit(ObjectID(id)) { $0.text = "theirs" }
      }
      // Page by page, or all at once.
      let limit = random.chance(30) ? 1 + Int(random.below(9)) : .max
      while true {
        let arrived = server.pages.next(for: store, in: box, atMost: limit)
        try await store.receive(arrived)
        if arrived.page.end != nil { break }
      }
      if isLast, store.pendingOperations.isEmpty { break }
      // The calls above do not suspend if nobody else uses the store. Without this, two such loops would keep both
      // threads of a machine with two cores.
      await Task.yield()
    }
    return server
  }

  /// Waits for all edits, and groups them by the result that their handles report.
  func results() async -> [Result: [Edit]] {
    var results: [Result: [Edit]] = [:]
    for edit in lock.withLock({ edits }) {
      // The outbox was not drained. The test reports that, and waiting here would never end.
      if case .sent = edit.handle.state { continue }
      do {
        try await edit.handle.waitUntilConfirmed()
        results[.confirmed, default: []].append(edit)
      } catch {
        let isCancelled = (error as? StoreError)?.code == .cancelled
        results[isCancelled ? .cancelled : .refused, default: []].append(edit)
      }
    }
    return results
  }

  /// Reports confirmed edits whose tag is missing in their entry, and others whose tag is there. Skips deleted entries.
  func problems(_ results: [Result: [Edit]]) throws -> [String] {
    var problems: [String] = []
    for (result, edits) in results {
      for edit in edits {
        guard let entry = try store.object(edit.entry) else { continue }
        let isThere = entry.tags.contains(edit.tag)
        if isThere != (result == .confirmed) {
          problems.append("edit \(edit.tag) is \(result), and its tag is \(isThere ? "" : "not ")in the entry")
        }
      }
    }
    return problems
  }
}

extension SeededRandom {
  fileprivate mutating func element<Element>(of elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[Int(below(UInt64(elements.count)))]
  }
}
