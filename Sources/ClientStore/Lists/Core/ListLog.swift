// A log of changes for open lists. Performing only appends to it; a list reads it when it is asked for a snapshot.

import ModelTypes
import Snapshots
import SyncProtocol
import WireFormat

/// Changes in the order in which they became visible, for as long as some list has not seen them.
struct ListLog {
  /// Called under the store's lock: must be short, and must not read the store.
  typealias Wake = @Sendable () -> Void

  enum Change {
    /// The object as the user sees it now, nil where it is gone.
    case object(UUIDValue, Outbox.Confirmed?)
    /// It has changed, and is to be read.
    case unread(UUIDValue)
    /// Nothing of the queue is shown any more.
    case hidden(QueueID)
    /// Any object of the queue may have changed.
    case queue(QueueID)
    /// So many objects have arrived that nobody who looks at a list shall wait for their places. Those of them that
    /// operations touch are noted behind it, one by one.
    case arrived(ArrivedObjects, in: QueueID)
  }

  /// Changes that a list has not seen.
  enum News {
    case changes([Change])
    /// More than was kept: everything has to be read again.
    case everything
  }

  private struct Reader {
    /// How much it has seen.
    var seen: Int
    var wake: Wake
  }

  /// More objects than this are read again as a whole: a list that nobody looks at shall keep nothing.
  private static let maximum = 20_000
  /// More objects than this that arrive at once are placed by a task.
  let placedAtOnce = ModelStore.placedAtOnce

  private var readers: [Int: Reader] = [:]
  private var nextReader = 0
  private var changes: [Change] = []
  /// The objects of `changes`, and of those that have arrived together each.
  private var count = 0
  /// How many changes are gone from the front.
  private var dropped = 0
  private var tables: [String: RowTable] = [:]

  /// Nothing is noted while no list is open.
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
  /// A list that has seen everything up to now.
  mutating func add(_ wake: @escaping Wake) -> Int {
    nextReader += 1
    readers[nextReader] = Reader(seen: dropped + changes.count, wake: wake)
    return nextReader
  }

  mutating func remove(_ reader: Int) {
    readers[reader] = nil
    trim()
  }

  mutating func take(_ reader: Int) -> News {
    guard let seen = readers[reader]?.seen else { return .changes([]) }
    readers[reader]?.seen = dropped + changes.count
    guard seen >= dropped else { return .everything }
    let news = changes[(seen - dropped)...]
    defer { trim() }
    return .changes(Array(news))
  }

  /// Forgets what all have seen.
  private mutating func trim() {
    let seen = readers.values.map(\.seen).min() ?? dropped + changes.count
    guard seen > dropped else { return }
    for change in changes.prefix(seen - dropped) { count -= change.count }
    changes.removeFirst(seen - dropped)
    dropped = seen
  }
}

// Changes.
extension ListLog {
  mutating func note(_ news: some Sequence<Change>) {
    guard !isEmpty else { return }
    let before = changes.count
    changes += news
    guard changes.count > before else { return }
    for change in changes[before...] { count += change.count }
    if count > Self.maximum {
      dropped += changes.count
      (changes, count) = ([], 0)
    }
    for number in readers.keys.sorted() { readers[number]?.wake() }
  }
}

extension ListLog.Change {
  fileprivate var count: Int {
    if case .arrived(let objects, _) = self { objects.count } else { 1 }
  }
}

extension ModelStore {
  /// Objects that arrive at once and are no more than this are placed in open lists by whoever looks at one; lists take
  /// more of them over in the background, two microseconds an object. Simulations set it low.
  @TaskLocal package static var placedAtOnce = 256
}

extension StoreMemory {
  /// For lists, where objects have changed; those that no operation touches are read.
  mutating func noteForLists(_ ids: some Sequence<UUIDValue>) {
    guard !lists.isEmpty else { return }
    lists.note(ids.map { id in outbox.objects[id].map { change(id, $0) } ?? .unread(id) })
  }

  /// For lists, where objects have arrived, of which operations touch some.
  mutating func noteForLists(_ arrived: ArrivedObjects, touched: [UUIDValue], in queue: QueueID) {
    guard !lists.isEmpty else { return }
    if arrived.count > lists.placedAtOnce {
      lists.note([.arrived(arrived, in: queue)])
      return noteForLists(touched)
    }
    lists.note(
      arrived.all.map { object in
        if let touched = outbox.objects[object.id] { return change(object.id, touched) }
        return .object(object.id, object.live.map { Outbox.Confirmed($0, in: queue) })
      })
  }

  /// The objects that operations touch, for a list of a type: but for those that are of another one.
  func overlaidForLists(of type: String) -> [ListLog.Change] {
    var changes: [ListLog.Change] = []
    for (id, object) in outbox.objects {
      if let shown = object.view, shown.type != type, !outbox.stale.contains(id) { continue }
      changes.append(change(id, object))
    }
    return changes
  }

  private func change(_ id: UUIDValue, _ object: Outbox.OverlaidObject) -> ListLog.Change {
    outbox.stale.contains(id) ? .unread(id) : .object(id, object.view)
  }

  /// For lists, where it is not known which objects of a queue have changed.
  mutating func noteForLists(changed queue: QueueID, isGone: Bool) {
    guard !lists.isEmpty else { return }
    // Objects that operations touch are at hand: the user's own work is right at once, the rest is read.
    lists.note((isGone ? [.hidden(queue), .queue(queue)] : [.queue(queue)]) + outbox.objects.map { change($0, $1) })
  }
}
