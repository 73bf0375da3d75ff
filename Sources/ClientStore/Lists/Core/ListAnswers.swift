// What a list asks about other objects than its own, and which of its objects to place again when an answer changes.

import ModelTypes
import Snapshots
import SyncProtocol
import WireFormat

/// The other objects that decide the places of a list's objects: those that are looked up, and lists of children.
///
/// A task that reads the disk asks while other threads look at the list. Whatever it is answered is at least as new as
/// the last look, and what it looks up is noted before it is read. So a later change is found by the next look, and
/// places the object again.
///
/// Lock order: the list's lock, then those of the lists of children, then the store's.
final class ListAnswers: Sendable {
  fileprivate let store: ModelStore
  fileprivate let share: ViewShare
  private let change: Locked<@Sendable () -> Void>
  private let state = Locked(State())

  fileprivate struct State {
    /// The lists of children at the last look, in the order in which they were opened.
    var seen: [Snapshot] = []
    /// By an object that was looked up: those that are placed by it.
    var dependents: [UUIDValue: Set<UUIDValue>] = [:]
    /// Whether all children were read at some time.
    var wereRead = false
  }

  init(_ asked: [AskedChildren], _ store: ModelStore) {
    let change = Locked<@Sendable () -> Void>({})
    self.change = change
    self.store = store
    share = ViewShare { change.withLock { $0 }() }
    // Opens the lists. Whether they can be read is found later.
    for children in asked { try? children.ask(PlacedObject(answers: self, id: .zero)) }
    state.withLock { $0.seen = share.opened.map(\.empty) }
  }

  /// Called when an answer may have changed, and when more of the children were read.
  func onChange(_ perform: @escaping @Sendable () -> Void) { change.withLock { $0 = perform } }

  /// What an object asks.
  func source(for object: UUIDValue) -> any ViewSource & Sendable { PlacedObject(answers: self, id: object) }

  /// Why children could not be read.
  var error: StoreError? { share.opened.lazy.compactMap(\.error).first }

  /// Whether all children are there, and in their places.
  var areComplete: Bool { share.opened.allSatisfy { $0.newestWithoutWaiting.isComplete } }

  /// Whether all children were read at some time.
  func wereRead() -> Bool {
    if state.withLock({ $0.wereRead }) { return true }
    let now = share.opened.map { $0.newest() }
    guard now.allSatisfy(\.isComplete) else { return false }
    state.withLock { ($0.wereRead, $0.seen) = (true, now) }
    return true
  }

  fileprivate func note(_ object: UUIDValue, isPlacedBy other: UUIDValue) {
    state.withLock { _ = $0.dependents[other, default: []].insert(object) }
  }
}

// Following.
extension ListAnswers {
  /// The objects to be placed again since the last look, sorted; nil if that is all of them. Called under the list's lock.
  func takeChanges(with news: ListLog.News) -> [ListLog.Change]? {
    let now = share.opened.map { $0.newest() }
    return state.withLock { state in
      let before = state.seen
      state.seen = now
      // Nothing was read yet, so there is nothing that is out of date.
      guard state.wereRead else { return [] }
      guard var objects = state.placed(by: news) else { return nil }
      for (old, new) in zip(before, now) {
        guard let parents = new.sections(changedSince: old) else { return nil }
        for case .bytes(let bytes) in parents { if let parent = UUIDValue(bytes: bytes) { objects.insert(parent) } }
      }
      return objects.count > ModelStore.placedAtOnce ? nil : objects.sorted().map { .unread($0) }
    }
  }
}

extension ListAnswers.State {
  /// The objects that are placed by one that has changed; nil if that may be any.
  fileprivate func placed(by news: ListLog.News) -> Set<UUIDValue>? {
    var found: Set<UUIDValue> = []
    if dependents.isEmpty { return found }
    guard case .changes(let changes) = news else { return nil }
    for change in changes {
      switch change {
      case .object(let id, _), .unread(let id): found.formUnion(dependents[id] ?? [])
      case .arrived(let objects, _):
        for (id, placed) in dependents where objects.contains(id) { found.formUnion(placed) }
      case .hidden, .queue: return nil
      }
    }
    return found
  }
}

extension Snapshot {
  /// The keys of the sections that differ from an older state in any row; nil if it is of another list.
  fileprivate func sections(changedSince old: Snapshot) -> Set<ListKey>? {
    guard isSameList(as: old) else { return nil }
    if revision == old.revision { return [] }
    let changes = difference(from: old)
    let changed = changes.moves.map(\.row) + changes.updates.map(\.row)
    var keys = Set((changes.deletes.map(\.row) + changed).compactMap { old.keys(of: $0)?.section })
    keys.formUnion((changes.inserts.map(\.row) + changed).compactMap { self.keys(of: $0)?.section })
    keys.formUnion(changes.deletedSections.map { old.section(at: $0).key })
    keys.formUnion(changes.insertedSections.map { section(at: $0).key })
    return keys
  }
}

/// One object that asks about others.
private struct PlacedObject: ViewSource, Sendable {
  let answers: ListAnswers
  let id: UUIDValue

  var user: UserID { answers.store.user }
  var system: SystemFields { SystemFields(createdBy: .zero, at: .zero) }

  /// An object with damaged bytes counts as absent. Reading it reports that.
  func object<Object: Model>(_ id: ObjectID<Object>?) throws -> Object? {
    guard let id, let version = try version(of: id) else { return nil }
    return try? Object(stored: id, version.content, in: version.queue)
  }

  func systemFields<Object: Model>(of id: ObjectID<Object>?) throws -> SystemFields? {
    try id.flatMap(version)?.system.fields(of: user)
  }

  private func version<Object: Model>(of id: ObjectID<Object>) throws -> ObjectVersion? {
    if id == .zero { return nil }
    answers.note(self.id, isPlacedBy: id.rawValue)
    return try answers.store.viewed(id.rawValue, type: Object.modelName)
  }

  func answer<Object: Model, Parent: Model>(
    _ question: ChildQuestion, of id: ObjectID<Parent>, in children: ChildList<Object, Parent>
  ) throws -> ChildAnswer {
    let list = answers.share.list(of: children, answers.store)
    return answers.share.answer(question, of: ChildList<Object, Parent>.section(of: id), in: list, list.newest())
  }

  func own<Object: Model>(
    in queue: QueueID?, _ make: (QueueID?, UserID) -> ObjectID<Object>
  ) -> ObjectID<Object> {
    ObjectID(answers.share.own(Object.modelName, queue) { make(queue, user).rawValue })
  }
}
