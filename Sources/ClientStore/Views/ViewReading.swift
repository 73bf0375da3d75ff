// The source of one derivation of a view. It records which objects and counts the view has read.

import ModelTypes
import Snapshots
import WireFormat

final class ViewReading: ViewSource {
  /// A count that a view has read.
  struct Count {
    var counts: ChildCounts
    var parent: ListKey
    var number: Int

    /// The same count in later snapshots of the counted lists; nil if its list is not among them.
    func number(in snapshots: [ObjectIdentifier: Snapshot]) -> Int? {
      snapshots[ObjectIdentifier(counts)].map { ChildCounts.count(of: parent, in: $0) }
    }
  }

  private let store: ModelStore
  private let shared: ViewShare
  private(set) var objects: [UUIDValue] = []
  private(set) var counted: [Count] = []

  init(_ store: ModelStore, _ shared: ViewShare) { (self.store, self.shared) = (store, shared) }

  var user: UserID { store.user }

  func object<Object: Model>(_ id: ObjectID<Object>?) throws -> Object? {
    guard let id, id.rawValue != .zero else { return nil }
    objects.append(id.rawValue)
    return try store.object(id)
  }

  func count<Object: Model, Parent: Model>(_ counted: ListCounts<Object, Parent>, of id: ObjectID<Parent>) -> Int {
    let counts = shared.counts(counted, store)
    let parent = ListCounts<Object, Parent>.section(of: id)
    let number = ChildCounts.count(of: parent, in: counts.core.newest())
    self.counted.append(Count(counts: counts, parent: parent, number: number))
    return number
  }

  func own<Object: Model>(
    in queue: QueueID?, _ make: (QueueID?, UserID) -> ObjectID<Object>
  ) -> ObjectID<Object> {
    ObjectID(shared.own(Object.modelName, queue) { make(queue, store.user).rawValue })
  }
}

/// State that all derivations for one list of views share.
final class ViewShare: Sendable {
  private struct Own: Hashable {
    var model: String
    var queue: QueueID?
  }

  private let ids = StoreLock<[Own: UUIDValue]>([:])
  private let counts = StoreLock<[String: (counts: ChildCounts, wake: Int)]>([:])
  /// Called when a count may have changed, also because more of the counted objects were read.
  private let wake: @Sendable () -> Void

  init(_ wake: @escaping @Sendable () -> Void) { self.wake = wake }

  deinit { for opened in counts.withLock({ $0.values }) { opened.counts.core.consumers.remove(opened.wake) } }

  func own(_ model: String, _ queue: QueueID?, _ make: () -> UUIDValue) -> UUIDValue {
    let own = Own(model: model, queue: queue)
    if let id = ids.withLock({ $0[own] }) { return id }
    let id = make()
    ids.withLock { $0[own] = id }
    return id
  }

  /// The newest snapshots of all counted lists.
  func snapshots() -> [ObjectIdentifier: Snapshot] {
    let opened = counts.withLock { $0.values.map(\.counts) }
    if opened.isEmpty { return [:] }
    return Dictionary(uniqueKeysWithValues: opened.map { (ObjectIdentifier($0), $0.core.newest()) })
  }

  func counts<Object: Model, Parent: Model>(_ counted: ListCounts<Object, Parent>, _ store: ModelStore) -> ChildCounts {
    if let (known, _) = counts.withLock({ $0[counted.list.name] }) { return known }
    let opened = store.counts(counted)
    return counts.withLock { counts in
      if let (known, _) = counts[counted.list.name] { return known }
      counts[counted.list.name] = (opened, opened.core.consumers.add(wake))
      return opened
    }
  }
}
