// What changes in a list, for one consumer.

import Determinism
public import ModelTypes
public import Snapshots

/// A snapshot, and what a view does to get there from the one before.
public struct ListUpdate<Object: Model, Section: ListSection>: Sendable {
  public var snapshot: ListSnapshot<Object, Section>
  /// Since this consumer's last update; in the first one everything is inserted.
  public var changes: SnapshotChanges
}

/// The first element comes at once; then one after every change, of as many changes as there were meanwhile. Ends only
/// when its task is cancelled.
public struct ListUpdates<Object: Model, Section: ListSection>: AsyncSequence, Sendable {
  /// Says again which rows are updated between two snapshots; counts what this consumer has seen of that.
  typealias Refine = @Sendable (SnapshotChanges, Snapshot, Snapshot, inout UInt64) -> SnapshotChanges

  let list: ListHandle<Object, Section>
  var refine: Refine?

  public func makeAsyncIterator() -> Iterator {
    Iterator(list: list, changes: list.changes.makeAsyncIterator(), refine: refine)
  }

  public struct Iterator: AsyncIteratorProtocol {
    let list: ListHandle<Object, Section>
    var changes: AsyncStream<Void>.Iterator
    let refine: Refine?
    private var shown: Snapshot?
    private var refined: UInt64 = 0

    init(list: ListHandle<Object, Section>, changes: AsyncStream<Void>.Iterator, refine: Refine?) {
      self.list = list
      self.changes = changes
      self.refine = refine
    }

    public mutating func next() async -> ListUpdate<Object, Section>? {
      while await changes.next() != nil {
        if list.isHeld { continue }
        if let update = update() { return update }
      }
      return nil
    }

    /// Nil where nothing is new to this consumer.
    private mutating func update() -> ListUpdate<Object, Section>? {
      let newest = list.core.newest()
      let old = shown ?? list.core.empty
      let isSame = old.revision == newest.revision && old.isComplete == newest.isComplete
      if shown != nil, isSame, refine == nil { return nil }
      var changes = newest.difference(from: old)
      if let refine { changes = refine(changes, old, newest, &refined) }
      let isFirst = shown == nil
      shown = newest
      if !isFirst, refine != nil, changes.isEmpty, old.isComplete == newest.isComplete { return nil }
      return ListUpdate(snapshot: list.shown(newest), changes: changes)
    }
  }
}

extension ListHandle {
  public var updates: ListUpdates<Object, Section> { ListUpdates(list: self) }

  /// One now, and one whenever there may be something new.
  fileprivate var changes: AsyncStream<Void> {
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let consumers = core.consumers
    let number = consumers.add { continuation.yield() }
    // Deferred: cancelling holds a task lock that `yield`, under the store's lock, would wait for.
    continuation.onTermination = { [environment = store.environment] _ in
      environment.spawn { consumers.remove(number) }
    }
    continuation.yield()
    return changes
  }
}
