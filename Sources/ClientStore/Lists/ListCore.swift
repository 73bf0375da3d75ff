// One open list: follows the store when it is asked, and reads the disk beside it.

import Determinism
import ModelTypes
import Snapshots
import WireFormat

/// Lock order: the list's, then the store's. Under the store's lock consumers are only woken.
final class ListCore: Sendable {
  private let store: ModelStore
  private let type: String
  private let context: ListContext
  private let placing: ListPlacing
  private let state: StoreLock<ListState>
  let consumers = ListConsumers()
  /// In the store's log.
  private let reader: Int
  /// A list of the same layout without objects: what consumers have seen before their first look.
  let empty: Snapshot

  init(
    _ store: ModelStore, _ layout: ListOrdering, type: String, _ context: ListContext, _ place: @escaping ListPlacing
  ) {
    (self.store, self.type, self.context, placing) = (store, type, context, place)
    let rows = store.memory.withLock { $0.lists.rows(of: type) }
    let layout = ListLayout(rows: rows, sections: layout.sections, order: layout.order)
    var state = ListState(layout, type: type, context, place)
    empty = state.snapshot
    let (reader, pending, hidden) = store.memory.withLock { [consumers] memory in
      (memory.lists.add { consumers.wake() }, memory.overlaidForLists, memory.hiddenQueues)
    }
    self.reader = reader
    // What the user has just done is in memory, and so in the list from its first snapshot on.
    state.apply(.changes(pending), hidden: hidden) { try store.viewed($0, type: type) }
    self.state = StoreLock(state)
    read()
  }

  deinit { store.memory.withLock { [reader] in $0.lists.remove(reader) } }

  /// The list with everything that has become visible up to now, as far as it was read.
  func newest() -> Snapshot {
    defer { read() }
    return state.withLock { state in
      catchUp(&state)
      return state.snapshot
    }
  }

  var error: StoreError? { state.withLock { $0.error } }

  private func catchUp(_ state: inout ListState) {
    let (news, hidden) = store.memory.withLock { ($0.lists.take(reader), $0.hiddenQueues) }
    state.apply(news, hidden: hidden, read: { try store.viewed($0, type: type) })
  }
}

// Reading from disk.
extension ListCore {
  /// Objects are taken over in parts, so that the list can be looked at meanwhile: the first one soon, and no part so
  /// large that somebody who looks would wait for it.
  private static let (firstPart, part) = (1_000, 16_000)

  /// Starts the task that reads, unless there is nothing to read or it is at it.
  private func read() {
    guard state.withLock({ !$0.unread.isEmpty && !$0.isReading }) else { return }
    store.environment.spawn { [weak self] in self?.readAll() }
  }

  private func readAll() {
    do {
      while let (scope, scan) = try begin() {
        var part: [ListState.Found] = []
        var size = Self.firstPart
        try scan.forEachObject(type: type, in: scope) { id, queue, content in
          // Bytes that do not decode are damage: reading the object says so.
          guard let place = (try? placing(id, content, queue, context)) ?? nil else { return }
          part.append(ListState.Found(id: id, queue: queue, place: place))
          guard part.count >= size else { return }
          take(&part)
          size = Self.part
        }
        take(&part)
        state.withLock { $0.endReading() }
        consumers.wake()
      }
    } catch {
      // Nobody is woken: who looks again would read again, and fail again, without end.
      state.withLock { $0.failReading(StoreError(reading: error)) }
    }
  }

  /// One moment for the disk and what operations have made of it.
  private func begin() throws -> (ListState.Scope, StoreScan)? {
    guard state.withLock({ !$0.unread.isEmpty && !$0.isReading }) else { return nil }
    let scan = try store.reader.scan()
    return try state.withLock { state in
      try store.memory.holding {
        try scan.begin()
        catchUp(&state)
        let overlaid = try store.memory.withLock { memory in
          try memory.outbox.refreshAll(store.reader.object)
          return memory.outbox.objects.mapValues(\.view)
        }
        return state.beginReading(overlaid).map { ($0, scan) }
      }
    }
  }

  private func take(_ part: inout [ListState.Found]) {
    guard !part.isEmpty else { return }
    state.withLock { $0.take(part) }
    consumers.wake()
    part.removeAll(keepingCapacity: true)
  }
}

/// The consumers that wait for a list to change.
final class ListConsumers: Sendable {
  private let wakes = StoreLock(Wakes())

  private struct Wakes {
    var next = 0
    var byNumber: [Int: @Sendable () -> Void] = [:]
  }

  func add(_ wake: @escaping @Sendable () -> Void) -> Int {
    wakes.withLock { wakes in
      wakes.next += 1
      wakes.byNumber[wakes.next] = wake
      return wakes.next
    }
  }

  func remove(_ number: Int) { wakes.withLock { $0.byNumber[number] = nil } }

  func wake() {
    for wake in wakes.withLock({ Array($0.byNumber.values) }) { wake() }
  }
}
