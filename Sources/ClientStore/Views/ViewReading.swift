// The source of one derivation of a view. It records which objects and counts the view has read.

import ModelTypes
import Snapshots
import WireFormat

final class ViewReading: ViewSource {
  /// A count that a view has read.
  struct Count {
    var list: ListCore
    var parent: ListKey
    var number: Int

    /// The same count in later snapshots of the counted lists; nil if its list is not among them.
    func number(in snapshots: [ObjectIdentifier: Snapshot]) -> Int? {
      snapshots[ObjectIdentifier(list)].map { ChildCounts.count(of: parent, in: $0) }
    }
  }

  private let store: ModelStore
  /// Nil for one view that no list follows.
  private let shared: ViewShare?
  private(set) var objects: [UUIDValue] = []
  private(set) var counted: [Count] = []

  init(_ store: ModelStore, _ shared: ViewShare?) { (self.store, self.shared) = (store, shared) }

  var user: UserID { store.user }

  func object<Object: Model>(_ id: ObjectID<Object>?) throws -> Object? {
    guard let id, id != .zero else { return nil }
    objects.append(id.rawValue)
    return try store.object(id)
  }

  func count<Object: Model, Parent: Model>(
    _ counted: ListCounts<Object, Parent>, of id: ObjectID<Parent>
  ) throws -> Int {
    guard let shared else { return try store.count(counted, of: id) }
    let list = shared.list(of: counted, store)
    let parent = ListCounts<Object, Parent>.section(of: id)
    let number = ChildCounts.count(of: parent, in: list.newest())
    self.counted.append(Count(list: list, parent: parent, number: number))
    return number
  }

  func own<Object: Model>(
    in queue: QueueID?, _ make: (QueueID?, UserID) -> ObjectID<Object>
  ) -> ObjectID<Object> {
    guard let shared else { return make(queue, store.user) }
    return ObjectID(shared.own(Object.modelName, queue) { make(queue, store.user).rawValue })
  }
}

/// State that all derivations for one list of views share.
final class ViewShare: Sendable {
  private struct Own: Hashable {
    var model: String
    var queue: QueueID?
  }

  private let ids = Locked<[Own: UUIDValue]>([:])
  private let counts = Locked<[String: (list: ListCore, wake: Int)]>([:])
  /// Called when a count may have changed, also because more of the counted objects were read.
  private let wake: @Sendable () -> Void

  init(_ wake: @escaping @Sendable () -> Void) { self.wake = wake }

  deinit { for opened in counts.withLock({ $0.values }) { opened.list.consumers.remove(opened.wake) } }

  func own(_ model: String, _ queue: QueueID?, _ make: () -> UUIDValue) -> UUIDValue {
    let own = Own(model: model, queue: queue)
    if let id = ids.withLock({ $0[own] }) { return id }
    let id = make()
    ids.withLock { $0[own] = id }
    return id
  }

  /// The newest snapshots of all counted lists.
  func snapshots() -> [ObjectIdentifier: Snapshot] {
    let opened = counts.withLock { $0.values.map(\.list) }
    if opened.isEmpty { return [:] }
    return Dictionary(uniqueKeysWithValues: opened.map { (ObjectIdentifier($0), $0.newest()) })
  }

  func list<Object: Model, Parent: Model>(of counted: ListCounts<Object, Parent>, _ store: ModelStore) -> ListCore {
    if let (known, _) = counts.withLock({ $0[counted.list.name] }) { return known }
    let opened = store.openList(counted.list, .current)
    return counts.withLock { counts in
      if let (known, _) = counts[counted.list.name] { return known }
      counts[counted.list.name] = (opened, opened.consumers.add(wake))
      return opened
    }
  }
}
