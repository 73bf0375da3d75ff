// One open list. It takes over changes of the store when it is asked for a snapshot; a task reads the disk meanwhile.

import Determinism
import ModelTypes
import Snapshots
import WireFormat

/// Lock order: the list's lock, then the store's. Under both the store is only read, so no effects are performed there.
final class ListCore: Sendable {
  let store: ModelStore
  let source: ListSource
  let consumers = ListConsumers()
  /// The snapshot that consumers start from: a list without objects and sections.
  let empty: Snapshot
  private let shown: Locked<ShownList>
  /// The last snapshot and error of `shown`, for readers that must not wait for another thread.
  private let last: Locked<(snapshot: Snapshot, error: StoreError?)>
  let window = Locked(SavedWindow())
  /// The number of this list in the store's log.
  private let reader: Int
  /// Where the store finds the list while it is open; nil for one that only one reader has.
  private let key: OpenLists.Key?

  /// Reads nothing yet: `startReading` does.
  init<Object: Model, Section: ListSection>(
    _ store: ModelStore, _ definition: ListDefinition<Object, Section>, _ calendar: ListCalendar, key: OpenLists.Key?
  ) {
    let source = ListSource(definition, store, calendar: calendar, consumers)
    (self.store, self.source, self.key) = (store, source, key)
    var shown = ShownList(list: ListState(definition.layout.layout(of: source.rows), limit: definition.limit))
    empty = Snapshot(ListLayout(rows: source.rows))
    let (reader, pending, hidden) = store.memory.withLock { [consumers] memory in
      (memory.lists.add { consumers.wake() }, memory.overlaidForLists(of: source.type), memory.ledger.hiddenQueues)
    }
    self.reader = reader
    shown.hidden = hidden
    if source.followsTime { shown.follow(store.environment.nowMilliseconds()) }
    // Pending operations are in memory, and so in the list from its first snapshot on.
    shown.perform(source.steps(of: pending, &shown, store))
    last = Locked((shown.list.snapshot, shown.error))
    self.shown = Locked(shown)
  }

  deinit {
    if let key { store.openLists.withLock { [identity = ObjectIdentifier(self)] in $0.remove(identity, key) } }
    store.memory.withLock { [reader] in $0.lists.remove(reader) }
    if source.followsTime { store.listTimer.remove(reader) }
  }

  /// Whether the list is open for everybody, and not read once by one reader.
  var isShared: Bool { key != nil }

  /// The list with everything that has become visible up to now, as far as it was read and placed.
  func newest() -> Snapshot {
    // While an operation is evaluated, this thread has the store's lock. Another thread that has the list's lock may
    // wait for it. So this thread must not wait for the list, and takes the last snapshot.
    if store.memory.isHeldHere {
      return shown.withLockIfFree { look(&$0) } ?? newestWithoutWaiting
    }
    let snapshot = shown.withLock { look(&$0) }
    startReading()
    rememberWindow(snapshot)
    return snapshot
  }

  /// The snapshot of the last look, or of the last reading after it.
  var newestWithoutWaiting: Snapshot { last.withLock { $0.snapshot } }

  var error: StoreError? { last.withLock { $0.error } ?? source.answers?.error }

  private func look(_ shown: inout ShownList) -> Snapshot {
    catchUp(&shown)
    takeNews(&shown)
    return shown.list.snapshot
  }

  private func catchUp(_ shown: inout ShownList) {
    let (news, hidden) = store.memory.withLock { ($0.lists.take(reader), $0.ledger.hiddenQueues) }
    shown.hidden = hidden
    // Before the changes, because they are placed as of this moment.
    if source.followsTime { shown.follow(store.environment.nowMilliseconds()) }
    // Before the changes as well, for the same reason.
    let asked = source.answers?.take(with: news)
    switch news {
    case .everything: shown.perform([.need(.everything)])
    case .changes(let changes): shown.perform(source.steps(of: changes, &shown, store))
    }
    guard let asked else { return }
    shown.perform(asked.again.map { source.steps(of: $0, &shown, store) } ?? [.need(.everything)])
    if shown.list.awaitsAnswers == asked.areComplete { shown.perform([.await(!asked.areComplete)]) }
  }

  private func takeNews(_ shown: inout ShownList) {
    let now = (shown.list.snapshot, shown.error)
    last.withLock { $0 = now }
    guard source.followsTime else { return }
    store.listTimer.set(reader, to: shown.list.nextMoment(), at: shown.list.moment, waking: consumers)
  }
}

// Reading from disk, for `ListCore+Reading`.
extension ListCore {
  /// Whether there is something to read or to place, and no task is doing it. A list that asks about other objects is
  /// read when those were: before that, its objects would stand in any order.
  var isToBeRead: Bool {
    guard source.answers?.wereRead() != false else { return false }
    return shown.withLock { $0.isBehind || $0.since == nil && !$0.list.isRead }
  }

  /// Begins to place objects that have arrived; nil if there are none to place.
  func beginFollowing() -> ListReading? {
    shown.withLock { shown in
      guard shown.isBehind else { return nil }
      shown.isBehind = false
      return ListReading(following: shown.list)
    }
  }

  /// Begins to read a part of the disk. Holds the store's lock, so that the scan and the pending operations are of the
  /// same moment. Nil if there is nothing to read, or a task is reading.
  func beginReading(_ scan: StoreScan) throws -> ListReading? {
    try shown.withLock { shown in
      guard shown.since == nil else { return nil }
      return try store.memory.holding {
        try scan.begin()
        catchUp(&shown)
        let overlaid = try store.memory.withLock { memory in
          try memory.outbox.refreshObjects(store.reader.object)
          return memory.overlaidForLists(of: source.type)
        }
        guard let scope = shown.list.takeUnread() else { return nil }
        // Objects of other queues may have arrived in this moment. Their steps stay.
        (shown.since, shown.isBehind) = (shown.since ?? [], false)
        if scope == .everything { source.answers?.forget() }
        let steps = source.steps(of: overlaid, &shown, store)
        return ListReading(of: scope, into: shown.list, steps, hidden: shown.hidden, isFirst: !shown.wasRead)
      }
    }
  }

  /// Shows what was read so far.
  func show(_ reading: inout ListReading, isAll: Bool) {
    // Replays many changes before it takes the lock, so that nobody waits for the list. Three rounds at most, because
    // changes may come all the time.
    var rounds = 3
    while rounds > 0, let (steps, state) = shown.withLock({ $0.takeSince(moreThan: 64) }) {
      reading.replay(source.placed(steps), of: state)
      rounds -= 1
    }
    shown.withLock { shown in
      shown.take(&reading, isAll: isAll)
      takeNews(&shown)
    }
    consumers.wake()
  }

  /// Notes an error of reading. Wakes consumers only by the first of several equal errors: each look at the list starts
  /// another reading, which would fail and wake again, without end.
  func failReading(_ error: StoreError, of scope: ListScope?) {
    let isNews = shown.withLock { shown in
      let isNews = shown.error?.code != error.code
      shown.error = error
      if let scope {
        let arrived = shown.since?.compactMap(\.arrivedIn) ?? []
        shown.since = nil
        shown.perform(([scope] + arrived.map(ListScope.queue)).map(ListStep.need))
      }
      takeNews(&shown)
      return isNews
    }
    if isNews { consumers.wake() }
  }
}

/// The list that is shown, and the changes to it while the disk is read.
struct ShownList {
  var list: ListState
  /// Queues of which nothing is shown.
  var hidden: Set<QueueID> = []
  /// Steps that the reading or placing task has not taken over yet; nil if there is no such task, and none is needed.
  var since: [ListStep]?
  /// Whether objects have arrived, and no task has begun to place them.
  var isBehind = false
  /// Whether all of the disk was read at least once.
  private(set) var wasRead = false
  /// Why the last reading failed; nil if it did not.
  var error: StoreError?

  /// Objects that have arrived stay in memory until a task has placed them. If there are more than this, their queues
  /// are read again instead.
  static let mostArrived = 20_000

  init(list: ListState) { self.list = list }

  mutating func perform(_ steps: [ListStep]) {
    list.perform(steps)
    if since == nil, let first = steps.firstIndex(where: { $0.arrivedIn != nil }) {
      (since, isBehind) = (Array(steps[first...]), true)
    } else {
      since? += steps
    }
    if steps.contains(where: { $0.arrivedIn != nil }) { boundArrived() }
  }

  private mutating func boundArrived() {
    guard let steps = since, steps.lazy.map(\.arrivedCount).reduce(0, +) > Self.mostArrived else { return }
    since = steps.map { step in step.arrivedIn.map { .need(.queue($0)) } ?? step }
    list.perform(Set(steps.compactMap(\.arrivedIn)).sorted().map { .need(.queue($0)) })
  }

  /// Sets the time, in milliseconds since 1970.
  mutating func follow(_ moment: Int64) {
    if moment != list.moment { perform([.moment(moment)]) }
  }

  mutating func takeSince(moreThan count: Int) -> ([ListStep], ListState.Shown)? {
    guard let steps = since, steps.count > count || steps.contains(where: { $0.arrivedIn != nil }) else { return nil }
    since = []
    return (steps, list.shown)
  }

  /// Replaces the list by what a task has made. Objects that have arrived since then are left to this task or the next.
  mutating func take(_ reading: inout ListReading, isAll: Bool) {
    let steps = since ?? []
    let arrived = steps.firstIndex { $0.arrivedIn != nil }.map { Array(steps[$0...]) }
    reading.replay(steps, of: list.shown)
    if reading.hasChanged { list = reading.list } else if arrived == nil { list.markRead() }
    since = arrived ?? (isAll ? nil : [])
    guard isAll else { return }
    isBehind = arrived != nil
    if reading.scope != nil { (error, wasRead) = (nil, wasRead || reading.scope == .everything) }
  }
}

extension ListStep {
  /// The queue of objects that have arrived and are not placed yet.
  fileprivate var arrivedIn: QueueID? {
    if case .arrived(_, let queue) = self { queue } else { nil }
  }

  fileprivate var arrivedCount: Int {
    if case .arrived(let objects, _) = self { objects.count } else { 0 }
  }
}

/// The consumers that wait for a list to change.
final class ListConsumers: Sendable {
  private let wakes = Locked(Wakes())

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
    for (_, wake) in wakes.withLock({ $0.byNumber.sorted { $0.key < $1.key } }) { wake() }
  }
}
