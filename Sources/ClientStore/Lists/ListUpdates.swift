// The updates of a list, for one consumer.

import Determinism
public import ModelTypes
public import Snapshots

/// A snapshot, and the changes by which a view gets there from the one before.
public struct ListUpdate<Object: Model, Section: ListSection>: Sendable {
  /// The list after the changes.
  public var snapshot: ListSnapshot<Object, Section>
  /// The changes since this consumer's last update. In the first one everything is inserted.
  public var changes: SnapshotChanges
  /// Why objects could not be read; nil if they could. The snapshot shows what was read.
  public var error: StoreError?
  /// Whether all objects were read and have their places; in a list of views, also the objects that views count.
  public var isComplete: Bool
}

/// Gives the first update at once, then one for all changes since the last. Ends when its task is cancelled, or
/// the store is closed.
public struct ListUpdates<Object: Model, Section: ListSection>: AsyncSequence, Sendable {
  let list: ListHandle<Object, Section>
  /// Set in a list of views.
  var views: (any ViewUpdates)?

  public func makeAsyncIterator() -> Iterator {
    Iterator(list: list, views: views, changes: list.changes.makeAsyncIterator())
  }

  public struct Iterator: AsyncIteratorProtocol {
    let list: ListHandle<Object, Section>
    let views: (any ViewUpdates)?
    var changes: AsyncStream<Void>.Iterator
    private var seen: Seen?

    private struct Seen {
      var snapshot: Snapshot
      var views: UInt64 = 0
      var isComplete = false
      var error: StoreError.Code?
    }

    init(list: ListHandle<Object, Section>, views: (any ViewUpdates)?, changes: AsyncStream<Void>.Iterator) {
      (self.list, self.views, self.changes) = (list, views, changes)
    }

    public mutating func next() async -> ListUpdate<Object, Section>? {
      while await changes.next() != nil, !list.store.isClosed {
        if list.isPaused { continue }
        if let update = update() { return update }
      }
      return nil
    }

    /// The next update; nil if nothing is new to this consumer.
    private mutating func update() -> ListUpdate<Object, Section>? {
      let newest = list.core.newest()
      let error = list.core.error
      let before = seen ?? Seen(snapshot: list.core.empty)
      var now = Seen(snapshot: newest, views: before.views, isComplete: newest.isComplete, error: error?.code)
      var changes = newest.difference(from: before.snapshot)
      if let views {
        changes = views.refine(changes, from: before.snapshot, to: newest, since: &now.views)
        now.isComplete = newest.isComplete && views.isComplete
      }
      let isSame =
        seen != nil && before.error == now.error && before.isComplete == now.isComplete
        && (views == nil ? before.snapshot.revision == newest.revision : changes.isEmpty)
      seen = now
      if isSame { return nil }
      return ListUpdate(
        snapshot: list.shown(newest), changes: changes, error: error, isComplete: now.isComplete)
    }
  }
}

/// The changes that views add to those of their list.
protocol ViewUpdates: Sendable {
  /// Whether all objects that views count were read.
  var isComplete: Bool { get }

  /// Replaces the updated rows of `changes` by those whose views have changed since `seen`, the number of view changes
  /// that a consumer has seen. Advances `seen`.
  func refine(
    _ changes: SnapshotChanges, from old: Snapshot, to new: Snapshot, since seen: inout UInt64
  ) -> SnapshotChanges
}

extension ListHandle {
  /// The list at once, and again after every change, for one consumer; nothing while it is held.
  public var updates: ListUpdates<Object, Section> { ListUpdates(list: self) }

  /// Gives one element now, and one whenever something may be new.
  fileprivate var changes: AsyncStream<Void> {
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let consumers = core.consumers
    let number = consumers.add { continuation.yield() }
    continuation.onTermination = { _ in consumers.remove(number) }
    continuation.yield()
    return changes
  }
}
