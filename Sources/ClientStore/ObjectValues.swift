// Watching one object.

import Determinism
public import ModelTypes
import WireFormat

/// The values of one object, as they become visible: those of the user at once, those of others when they arrive.
///
/// A slow consumer gets the newest value and misses those between. Ends only when its task is cancelled; throws a
/// `StoreError` where the object cannot be read.
public struct ObjectValues<Object: Model>: AsyncSequence, Sendable {
  let store: ModelStore
  let id: ObjectID<Object>

  public func makeAsyncIterator() -> Iterator {
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let (memory, environment, id) = (store.memory, store.environment, id.rawValue)
    let number = memory.withLock { $0.observers.add(id) { continuation.yield() } }
    // Not at once: who cancels holds a lock of the task, which whoever yields under the store's lock waits for.
    continuation.onTermination = { _ in
      environment.spawn { memory.withLock { $0.observers.remove(id, number) } }
    }
    continuation.yield()
    return Iterator(store: store, id: self.id, changes: changes.makeAsyncIterator())
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
