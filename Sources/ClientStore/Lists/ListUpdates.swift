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
  let list: ListHandle<Object, Section>

  public func makeAsyncIterator() -> Iterator { Iterator(list: list, changes: list.changes.makeAsyncIterator()) }

  public struct Iterator: AsyncIteratorProtocol {
    let list: ListHandle<Object, Section>
    var changes: AsyncStream<Void>.Iterator
    private var shown: Snapshot?

    init(list: ListHandle<Object, Section>, changes: AsyncStream<Void>.Iterator) {
      self.list = list
      self.changes = changes
    }

    public mutating func next() async -> ListUpdate<Object, Section>? {
      while await changes.next() != nil {
        if list.isHeld { continue }
        let newest = list.core.newest()
        if let shown, shown.revision == newest.revision, shown.isComplete == newest.isComplete { continue }
        let changes = newest.difference(from: shown ?? list.core.empty)
        shown = newest
        return ListUpdate(snapshot: list.shown(newest), changes: changes)
      }
      return nil
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
