// Watches one object as an async sequence.

import Determinism
public import ModelTypes
import WireFormat

/// The values of one object, as they become visible: those of the user at once, those of others when they arrive.
///
/// A slow consumer gets the newest value and misses those between. Ends when its task is cancelled; throws a
/// `StoreError` if the object cannot be read, `closed` once the store is closed.
public struct ObjectValues<Object: Model>: AsyncSequence, Sendable {
  let store: ModelStore
  let id: ObjectID<Object>

  public func makeAsyncIterator() -> Iterator {
    Iterator(store: store, id: id, changes: store.changes(of: id.rawValue).makeAsyncIterator())
  }

  public struct Iterator: AsyncIteratorProtocol {
    let store: ModelStore
    let id: ObjectID<Object>
    var changes: AsyncStream<Void>.Iterator

    public mutating func next() async throws -> Object?? {
      guard await changes.next() != nil else { return .none }
      return .some(try store.object(id))
    }
  }
}

extension ModelStore {
  /// Yields once now, and after every change of the object with this id. The id of a queue also stands for the members
  /// of the queue, and zero for the invitations.
  func changes(of id: UUIDValue) -> AsyncStream<Void> {
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number = memory.withLock { $0.observers.add(id) { continuation.yield() } }
    // Deferred: cancelling holds a task lock that `yield`, under the store's lock, would wait for.
    continuation.onTermination = { [memory, environment] _ in
      environment.spawn { memory.withLock { $0.observers.remove(id, number) } }
    }
    continuation.yield()
    return changes
  }
}
