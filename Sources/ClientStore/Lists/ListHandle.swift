// An open list: the newest snapshot at any time, and a sequence of what changes.

public import ModelTypes
import Snapshots

extension ModelStore {
  /// A list, which follows the store as long as the app keeps the handle. Two handles of one list share what was read.
  ///
  /// Returns at once. Objects are read from disk in the background, and `isComplete` says when all are there. Days,
  /// weeks, months and years are those of the calendar.
  public func list<Object: Model, Section: ListSection>(
    _ definition: ListDefinition<Object, Section>, calendar: ListCalendar = .current
  ) -> ListHandle<Object, Section> {
    ListHandle(openList(definition, calendar), definition)
  }
}

/// A list of the objects that the user sees, whether pending, confirmed or local. Safe to use from every thread.
///
/// It keeps keys and no contents: an object is read when it is asked for.
public final class ListHandle<Object: Model, Section: ListSection>: Sendable {
  /// The store that the list reads and follows.
  public let store: ModelStore
  let core: ListCore
  private let isDescending: Bool
  private let holds = Locked(0)
  let prefetching = Prefetching()

  init(_ core: ListCore, _ definition: ListDefinition<Object, Section>) {
    (store, self.core, isDescending) = (core.store, core, definition.isDescending)
  }

  /// The list as it is now, with everything that was performed before this call.
  public var snapshot: ListSnapshot<Object, Section> { shown(core.newest()) }

  /// Whether all objects were read, and all that have arrived are in their places. Until then, the objects in the list
  /// are in order, but others are missing, and some may go.
  public var isComplete: Bool { core.newest().isComplete }

  /// Why objects could not be read; nil if they could. The list shows what was read. Reading is tried again after the
  /// next change, and when somebody asks for the snapshot.
  public var error: StoreError? { core.error }

  /// The newest value of an object of the list; nil once it is gone.
  public func object(at position: Int, of snapshot: ListSnapshot<Object, Section>) throws -> Object? {
    try store.object(snapshot.id(at: position))
  }

  func shown(_ snapshot: Snapshot) -> ListSnapshot<Object, Section> {
    ListSnapshot(base: snapshot, isDescending: isDescending)
  }
}

// Reading a list once, for scripts and bots.
extension ModelStore {
  /// A list as it is now, with all of its objects: waits until they are read, which an open list has done already.
  /// Throws a `StoreError` if they cannot be.
  public func snapshot<Object: Model, Section: ListSection>(
    of definition: ListDefinition<Object, Section>, calendar: ListCalendar = .current
  ) async throws -> ListSnapshot<Object, Section> {
    try checkReadable()
    if let open = completeList(definition, calendar) {
      return ListHandle(open.core, definition).shown(open.snapshot)
    }
    let list = ListHandle(ListCore(self, definition, calendar, key: nil), definition)
    for await update in list.updates {
      if let error = update.error { throw error }
      if update.isComplete { return update.snapshot }
    }
    try checkReadable()
    throw CancellationError()
  }

  /// The objects of a list, in its order. Objects that go while they are read are left out.
  public func objects<Object: Model, Section: ListSection>(
    in definition: ListDefinition<Object, Section>, calendar: ListCalendar = .current
  ) async throws -> [Object] {
    try await snapshot(of: definition, calendar: calendar).ids.compactMap { try object($0) }
  }
}

// Scrolling.
extension ListHandle {
  /// Stops `updates` until `resumeUpdates`, which gives all changes as one update. Each call needs one of
  /// `resumeUpdates`.
  public func pauseUpdates() { holds.withLock { $0 += 1 } }

  /// Ends one `pauseUpdates`.
  public func resumeUpdates() {
    let isFree = holds.withLock { holds in
      precondition(holds > 0, "there is no pauseUpdates to end")
      holds -= 1
      return holds == 0
    }
    guard isFree else { return }
    core.consumers.wake()
    store.tellLiveValues()
  }

  var isPaused: Bool { holds.withLock { $0 > 0 } }
}
