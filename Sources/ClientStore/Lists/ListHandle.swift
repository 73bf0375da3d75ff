// An open list: the newest snapshot at any time, and a sequence of what changes.

public import ModelTypes
import Snapshots
public import WireFormat

extension ModelStore {
  /// Opens a list; it follows the store for as long as somebody keeps the handle.
  ///
  /// Returns at once: objects are read from disk beside it, and `isComplete` says when all are there. Days, weeks,
  /// months and years are those of the calendar.
  public func open<Object: Model, Section: ListSection>(
    _ definition: ListDefinition<Object, Section>, calendar: ListCalendar = .current
  ) -> ListHandle<Object, Section> {
    ListHandle(self, definition, calendar)
  }
}

/// A list of the objects that the user sees: pending, confirmed and local ones as equals. Safe to use from every thread.
///
/// It keeps keys, no contents: an object is read when it is asked for.
public final class ListHandle<Object: Model, Section: ListSection>: Sendable {
  public let store: ModelStore
  let core: ListCore
  private let isDescending: Bool
  private let holds = StoreLock(0)
  let prefetching = Prefetching()

  /// `keepsEnds`: for the first screen of the next process.
  init(
    _ store: ModelStore, _ definition: ListDefinition<Object, Section>, _ calendar: ListCalendar, keepsEnds: Bool = true
  ) {
    self.store = store
    isDescending = definition.isDescending
    let source = ListSource(definition, store, calendar: calendar, keepsEnds: keepsEnds)
    core = ListCore(store, source, definition.layout, limit: definition.limit)
  }

  /// The list as it is now: what was performed in the line before is in it.
  public var snapshot: ListSnapshot<Object, Section> { shown(core.newest()) }

  /// Whether all objects were read, and all that has arrived is in its place. Those that are there before are in the
  /// order that they had; more come, and some go.
  public var isComplete: Bool { core.newest().isComplete }

  /// Why objects could not be read, nil while they can: what was read is shown meanwhile. It is tried again after the
  /// next change, and when somebody asks for the snapshot.
  public var error: StoreError? { core.error }

  /// The newest value of an object of the list; nil once it is gone.
  public func object(at position: Int, of snapshot: ListSnapshot<Object, Section>) throws -> Object? {
    try store.object(snapshot.id(at: position))
  }

  /// Whether something was done with the object that is not confirmed yet.
  public func isPending(_ id: ObjectID<Object>) -> Bool { store.isPending(id) }

  func shown(_ snapshot: Snapshot) -> ListSnapshot<Object, Section> {
    ListSnapshot(base: snapshot, isDescending: isDescending)
  }
}

// Once, for scripts and bots.
extension ModelStore {
  /// A list as it is now, with all of its objects: waits until they are read. Throws a `StoreError` where they cannot be.
  public func snapshot<Object: Model, Section: ListSection>(
    of definition: ListDefinition<Object, Section>, calendar: ListCalendar = .current
  ) async throws -> ListSnapshot<Object, Section> {
    let list = ListHandle(self, definition, calendar, keepsEnds: false)
    for await update in list.updates {
      if update.isComplete { return update.snapshot }
      if let error = update.error { throw error }
    }
    throw CancellationError()
  }

  /// The objects of a list, in its order. Those that go while they are read are left out.
  public func objects<Object: Model, Section: ListSection>(
    in definition: ListDefinition<Object, Section>, calendar: ListCalendar = .current
  ) async throws -> [Object] {
    try await snapshot(of: definition, calendar: calendar).ids.compactMap { try object($0) }
  }
}

// Scrolling.
extension ListHandle {
  /// Until `release`, `updates` gives nothing: what comes meanwhile is given as one update then. Holds are counted.
  public func hold() { holds.withLock { $0 += 1 } }

  /// Ends one `hold`.
  public func release() {
    let isFree = holds.withLock { holds in
      precondition(holds > 0, "there is no hold to release")
      holds -= 1
      return holds == 0
    }
    if isFree { core.consumers.wake() }
  }

  var isHeld: Bool { holds.withLock { $0 > 0 } }
}
