// The source of one derivation of a view. It records which objects the view has read, and what it has asked.

import ModelTypes
import Snapshots
import SyncProtocol
import WireFormat

final class ViewReading: ViewSource {
  /// A question about children that a view has asked, and its answer.
  struct Asked {
    var list: ListCore
    var parent: ListKey
    var question: ChildQuestion
    var answer: ChildAnswer
  }

  private let store: ModelStore
  /// Nil for one view that no list follows.
  private let shared: ViewShare?
  private(set) var objects: [UUIDValue] = []
  private(set) var asked: [Asked] = []

  init(_ store: ModelStore, _ shared: ViewShare?) { (self.store, self.shared) = (store, shared) }

  var user: UserID { store.user }
  private(set) var system = SystemFields(createdBy: .zero, at: .zero)

  /// Derives the view of an object; nil if there is no such object.
  func view<View: ModelView>(_ id: ObjectID<View.Object>) throws -> View? {
    objects.append(id.rawValue)
    guard let version = try store.viewed(id.rawValue, type: View.Object.modelName),
      let object = try View.Object(stored: id, version.content, in: version.queue)
    else { return nil }
    system = version.system.fields(of: store.user)
    return try View(of: object, from: self)
  }

  func object<Object: Model>(_ id: ObjectID<Object>?) throws -> Object? {
    guard let id, id != .zero else { return nil }
    objects.append(id.rawValue)
    return try store.object(id)
  }

  func systemFields<Object: Model>(of id: ObjectID<Object>?) throws -> SystemFields? {
    guard let id, id != .zero else { return nil }
    objects.append(id.rawValue)
    return try store.systemFields(of: id)
  }

  func answer<Object: Model, Parent: Model>(
    _ question: ChildQuestion, of id: ObjectID<Parent>, in children: ChildList<Object, Parent>
  ) throws -> ChildAnswer {
    guard let shared else { return try store.answer(question, of: id, in: children) }
    let list = shared.list(of: children, store)
    let parent = ChildList<Object, Parent>.section(of: id)
    let answer = shared.answer(question, of: parent, in: list, list.newest())
    asked.append(Asked(list: list, parent: parent, question: question, answer: answer))
    return answer
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
  /// In the order in which they were opened, so that a simulation can be repeated.
  private let lists = Locked<[(list: ListCore, wake: Int)]>([])
  private let sums = Locked<[ObjectIdentifier: ChildSums]>([:])
  /// Called when an answer may have changed, also because more of the children were read.
  private let wake: @Sendable () -> Void

  init(_ wake: @escaping @Sendable () -> Void) { self.wake = wake }

  deinit { for opened in lists.withLock({ $0 }) { opened.list.consumers.remove(opened.wake) } }

  func own(_ model: String, _ queue: QueueID?, _ make: () -> UUIDValue) -> UUIDValue {
    let own = Own(model: model, queue: queue)
    if let id = ids.withLock({ $0[own] }) { return id }
    let id = make()
    ids.withLock { $0[own] = id }
    return id
  }

  func answer(
    _ question: ChildQuestion, of parent: ListKey, in list: ListCore, _ snapshot: Snapshot
  ) -> ChildAnswer {
    guard question == .sum else { return ChildAnswers(parent, in: snapshot).answer(question) }
    return .number(
      sums.withLock { $0[ObjectIdentifier(list), default: ChildSums()].sum(of: parent, in: snapshot) })
  }

  /// The lists of children, in the order in which they were opened.
  var opened: [ListCore] { lists.withLock { $0.map(\.list) } }

  /// The newest snapshots of all lists of children.
  func snapshots() -> [ObjectIdentifier: Snapshot] {
    let opened = opened
    if opened.isEmpty { return [:] }
    return Dictionary(uniqueKeysWithValues: opened.map { (ObjectIdentifier($0), $0.newest()) })
  }

  func list<Object: Model, Parent: Model>(of children: ChildList<Object, Parent>, _ store: ModelStore) -> ListCore {
    func known(_ lists: [(list: ListCore, wake: Int)]) -> ListCore? {
      lists.first { $0.list.source.name == children.list.name }?.list
    }
    if let list = lists.withLock({ known($0) }) { return list }
    let opened = store.openList(children.list, .current)
    return lists.withLock { lists in
      if let list = known(lists) { return list }
      lists.append((opened, opened.consumers.add(wake)))
      return opened
    }
  }
}
