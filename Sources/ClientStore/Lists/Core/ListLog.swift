// A log of changes for open lists. Performing only appends to it; a list reads it when it is asked for a snapshot.

import Snapshots
import SyncProtocol
import WireFormat

/// Changes in the order in which they became visible, for as long as some list has not seen them.
struct ListLog {
  enum Change {
    /// The object as the user sees it now, nil where it is gone.
    case object(UUIDValue, ObjectVersion?)
    /// The object has changed, and has to be read.
    case unread(UUIDValue)
    /// Nothing of the queue is shown any more.
    case hidden(QueueID)
    /// Any object of the queue may have changed.
    case queue(QueueID)
    /// Too many objects have arrived to place them while somebody waits for a list. Those that pending operations touch
    /// follow as single changes.
    case arrived(ArrivedObjects, in: QueueID)
  }

  /// Changes that a list has not seen.
  enum News {
    case changes([Change])
    /// More changes than the log keeps: everything has to be read again.
    case everything
  }

  private struct Reader {
    /// The number of changes that it has seen.
    var seen: Int
    /// Nil for one that nobody has to wake.
    var wake: Effects.Wake?
  }

  /// With more objects than this the log forgets all changes, and lists read everything again. So a list that nobody
  /// looks at takes no more memory.
  private static let maximum = 20_000
  /// If more objects than this arrive at once, a task places them.
  let placedAtOnce = ModelStore.placedAtOnce

  private var readers: [Int: Reader] = [:]
  private var nextReader = 0
  private var changes: [Change] = []
  /// How many objects are in `changes`; an `arrived` counts each of its objects.
  private var count = 0
  /// How many changes were removed from the front.
  private var dropped = 0
  private var tables: [String: RowTable] = [:]

  /// Whether no list is open. Nothing is noted then.
  var isEmpty: Bool { readers.isEmpty }

  /// The numbers of a model's objects, the same for all its lists.
  mutating func rows(of type: String) -> RowTable {
    if let table = tables[type] { return table }
    let table = RowTable()
    tables[type] = table
    return table
  }
}

// Lists.
extension ListLog {
  /// Adds a list that has seen everything up to now. Returns its number.
  mutating func add(_ wake: Effects.Wake? = nil) -> Int {
    nextReader += 1
    readers[nextReader] = Reader(seen: dropped + changes.count, wake: wake)
    return nextReader
  }

  mutating func remove(_ reader: Int) {
    readers[reader] = nil
    trim()
  }

  /// The changes that a list has not seen. They count as seen then.
  mutating func take(_ reader: Int) -> News {
    guard let seen = readers[reader]?.seen else { return .changes([]) }
    readers[reader]?.seen = dropped + changes.count
    guard seen >= dropped else { return .everything }
    let news = changes[(seen - dropped)...]
    defer { trim() }
    return .changes(Array(news))
  }

  /// Removes the changes that all lists have seen.
  private mutating func trim() {
    let seen = readers.values.map(\.seen).min() ?? dropped + changes.count
    assert(seen <= dropped + changes.count, "no list has seen more than there was")
    guard seen > dropped else { return }
    for change in changes.prefix(seen - dropped) { count -= change.count }
    changes.removeFirst(seen - dropped)
    dropped = seen
    assert(count >= 0 && (count == 0 || !changes.isEmpty), "only the changes that are kept are counted")
  }
}

// Changes.
extension ListLog {
  mutating func append(_ news: some Sequence<Change>, _ effects: inout Effects) {
    guard !isEmpty else { return }
    let before = changes.count
    changes += news
    guard changes.count > before else { return }
    for change in changes[before...] { count += change.count }
    if count > Self.maximum {
      dropped += changes.count
      (changes, count) = ([], 0)
    }
    wakeAll(&effects)
  }

  func wakeAll(_ effects: inout Effects) {
    for (number, reader) in readers.sorted(by: { $0.key < $1.key }) {
      if let wake = reader.wake { effects.wake(.list(number), wake) }
    }
  }
}

extension ListLog.Change {
  fileprivate var count: Int {
    if case .arrived(let objects, _) = self { objects.count } else { 1 }
  }
}

extension ModelStore {
  /// If no more objects than this arrive at once, whoever looks at a list next places them. More are placed in the
  /// background, in two microseconds each. Simulations set it low.
  @TaskLocal package static var placedAtOnce = 256
}

extension StoreMemory {
  /// Notes changes for lists. Lists read single objects that no pending operation touches.
  mutating func logForLists(_ changes: VisibleChanges) {
    guard !lists.isEmpty else { return }
    let single = changes.ids.map { id in outbox.overlay[id].map { change(id, $0) } ?? .unread(id) }
    lists.append(changes.batches.flatMap(listChanges) + single, &effects)
  }

  private func listChanges(of batch: VisibleChanges.Batch) -> [ListLog.Change] {
    switch batch {
    case .arrived(let arrived, let queue) where arrived.count > lists.placedAtOnce:
      return [.arrived(arrived, in: queue)]
    case .arrived(let arrived, let queue):
      // Those that pending operations touch follow as single changes.
      return arrived.all.filter { outbox.overlay[$0.id] == nil }
        .map { .object($0.id, $0.live.map { ObjectVersion($0, in: queue) }) }
    case .queue(let queue, let isGone):
      // Objects that pending operations touch are in memory, so the user's own work is right at once. The rest is read.
      let touched = outbox.overlay.objects.map(change)
      return (isGone ? [.hidden(queue), .queue(queue)] : [.queue(queue)]) + touched
    }
  }

  /// The objects that pending operations touch, for a list of a type. Objects known to be of another type are left out,
  /// unless their rows have this type: the list would show those.
  func overlaidForLists(of type: String) -> [ListLog.Change] {
    var changes: [ListLog.Change] = []
    let overlay = outbox.overlay
    for (id, object) in overlay.objects {
      if let shown = object.view, shown.type != type, object.confirmed?.type != type, !overlay.stale.contains(id) {
        continue
      }
      changes.append(change(id, object))
    }
    return changes
  }

  private func change(_ id: UUIDValue, _ object: OverlaidObject) -> ListLog.Change {
    outbox.overlay.stale.contains(id) ? .unread(id) : .object(id, object.view)
  }
}
