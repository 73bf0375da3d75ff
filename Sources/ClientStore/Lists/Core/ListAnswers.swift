// What a list asks about other objects than its own, and which of its objects to place again when an answer changes.

import ModelTypes
import Snapshots
import SyncProtocol
import WireFormat

/// The other objects that decide the places of a list's objects: those that are looked up, and lists of children.
///
/// Objects are placed by the children as they were at the last look, also by a task that reads the disk meanwhile. So what
/// differs at the next look says which to place again. What is looked up is noted before it is read: the next look finds
/// a later change of it.
///
/// Lock order: the list's lock, then those of the lists of children, then the store's.
final class ListAnswers: Sendable {
  /// What the list has to do after a look.
  struct Asked {
    /// The objects to place again, sorted; nil if that is all of them.
    var again: [ListLog.Change]?
    /// Whether all children are there, and in their places.
    var areComplete: Bool
  }

  fileprivate let store: ModelStore
  fileprivate let share: ViewShare
  private let state = Locked(State())
  /// If more objects than this are to be placed again at once, all are read again in the background.
  private let placedAtOnce: Int

  fileprivate struct State {
    /// The lists of children at the last look.
    var seen: [ObjectIdentifier: Snapshot] = [:]
    /// By an object that was looked up: those that are placed by it, or were since all were read.
    var dependents: [UUIDValue: Set<UUIDValue>] = [:]
    /// How many dependents were added since all were read.
    var noted = 0
    /// How many there may be before all are read again, so that those of old places go.
    var mostNoted = 20_000
    /// Those that could not be read when they were looked up, with the last error.
    var unreadable: [UUIDValue: StoreError] = [:]
    /// Whether all children were read at some time.
    var wereRead = false
  }

  /// `wake` is called when an answer may have changed, and when more of the children were read.
  init(_ asked: [AskedChildren], _ store: ModelStore, waking wake: @escaping @Sendable () -> Void) {
    self.store = store
    placedAtOnce = store.memory.withLock { $0.lists.placedAtOnce }
    share = ViewShare(wake)
    // Opens the lists. Whether they can be read is found later.
    for children in asked { try? children.ask(source(for: .zero, SystemFields(createdBy: .zero, at: .zero))) }
    state.withLock { state in for list in share.opened { state.seen[ObjectIdentifier(list)] = list.empty } }
  }

  /// What an object asks.
  func source(for object: UUIDValue, _ system: SystemFields) -> any ViewSource & Sendable {
    PlacedObject(answers: self, id: object, system: system)
  }

  /// Why children, or an object that was looked up, could not be read.
  var error: StoreError? {
    state.withLock { $0.unreadable.values.first } ?? share.opened.lazy.compactMap(\.error).first
  }

  /// Whether all children were read at some time.
  func wereRead() -> Bool {
    if state.withLock({ $0.wereRead }) { return true }
    let now = share.opened.map { ($0, $0.newest()) }
    guard now.allSatisfy(\.1.isComplete) else { return false }
    state.withLock { state in
      // Another thread may have found it as well, and looks may have come since.
      guard !state.wereRead else { return }
      state.wereRead = true
      for (list, snapshot) in now { state.seen[ObjectIdentifier(list)] = snapshot }
    }
    return true
  }

  fileprivate func seen(_ list: ListCore) -> Snapshot {
    state.withLock { $0.seen[ObjectIdentifier(list)] ?? list.empty }
  }

  /// Notes that an object is placed by another one, which is read then.
  fileprivate func note(_ object: UUIDValue, isPlacedBy other: UUIDValue) {
    state.withLock { state in
      if state.dependents[other, default: []].insert(object).inserted { state.noted += 1 }
    }
  }

  fileprivate func note(_ other: UUIDValue, failedWith error: StoreError?) {
    state.withLock { state in if error != nil || !state.unreadable.isEmpty { state.unreadable[other] = error } }
  }
}

// Following.
extension ListAnswers {
  /// Takes over the newest children, which objects are placed by from now on. Called under the list's lock.
  func take(with news: ListLog.News) -> Asked {
    let now = share.opened.map { ($0, $0.newest()) }
    return state.withLock { state in
      // Before that, all is still to be read.
      guard state.wereRead else { return Asked(again: [], areComplete: false) }
      var objects = state.noted > state.mostNoted ? nil : state.placed(by: news)
      for (list, new) in now {
        let old = state.seen.updateValue(new, forKey: ObjectIdentifier(list)) ?? list.empty
        guard let parents = new.sections(changedSince: old) else {
          objects = nil
          continue
        }
        for case .bytes(let bytes) in parents { if let parent = UUIDValue(bytes: bytes) { objects?.insert(parent) } }
      }
      if let count = objects?.count, count > placedAtOnce { objects = nil }
      return Asked(
        again: objects.map { $0.sorted().map { .unread($0) } }, areComplete: now.allSatisfy(\.1.isComplete))
    }
  }

  /// Forgets what was noted, because all objects are placed anew. Called under the list's lock.
  func forget() {
    state.withLock { state in
      // A long list notes as much each time.
      state.mostNoted = 2 * state.noted + 20_000
      (state.dependents, state.noted) = ([:], 0)
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
    var keys = Set(changes.rowsBefore.compactMap { old.keys(of: $0)?.section })
    keys.formUnion(changes.rowsNow.compactMap { self.keys(of: $0)?.section })
    keys.formUnion(changes.deletedSections.map { old.section(at: $0).key })
    keys.formUnion(changes.insertedSections.map { section(at: $0).key })
    return keys
  }
}

/// One object that asks about others.
private struct PlacedObject: ViewSource, Sendable {
  let answers: ListAnswers
  let id: UUIDValue
  let system: SystemFields

  var user: UserID { answers.store.user }

  func object<Object: Model>(_ id: ObjectID<Object>?) -> Object? {
    guard let id, let version = version(of: id) else { return nil }
    return try? Object(stored: id, version.content, in: version.queue)
  }

  func systemFields<Object: Model>(of id: ObjectID<Object>?) -> SystemFields? {
    id.flatMap(version)?.system.fields(of: user)
  }

  /// An object that cannot be read counts as absent, and the list has its error.
  private func version<Object: Model>(of id: ObjectID<Object>) -> ObjectVersion? {
    if id == .zero { return nil }
    answers.note(self.id, isPlacedBy: id.rawValue)
    do {
      let version = try answers.store.viewed(id.rawValue, type: Object.modelName)
      answers.note(id.rawValue, failedWith: nil)
      return version
    } catch {
      answers.note(id.rawValue, failedWith: StoreError(reading: error))
      return nil
    }
  }

  func answer<Object: Model, Parent: Model>(
    _ question: ChildQuestion, of id: ObjectID<Parent>, in children: ChildList<Object, Parent>
  ) -> ChildAnswer {
    let list = answers.share.list(of: children, answers.store)
    return answers.share.answer(question, of: ChildList<Object, Parent>.section(of: id), in: list, answers.seen(list))
  }

  func own<Object: Model>(
    in queue: QueueID?, _ make: (QueueID?, UserID) -> ObjectID<Object>
  ) -> ObjectID<Object> {
    ObjectID(answers.share.own(Object.modelName, queue) { make(queue, user).rawValue })
  }
}
