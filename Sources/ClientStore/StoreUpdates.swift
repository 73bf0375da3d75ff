// Watches a value of the store as an async sequence: an object, members, invitations, what has failed.

import Determinism
public import ModelTypes
public import WireFormat

/// The values of something in a store, as they become visible: those of the user at once, those of others when they
/// arrive. The first one comes at once.
///
/// A slow consumer gets the newest value and misses those between. Ends when its task is cancelled; throws a
/// `StoreError` if the value cannot be read, `closed` once the store is closed.
public struct StoreUpdates<Value>: AsyncSequence, Sendable {
  /// Yields once now, and after every change.
  let changes: @Sendable () -> AsyncStream<Void>
  let read: @Sendable () throws -> Value

  public func makeAsyncIterator() -> Iterator {
    Iterator(changes: changes().makeAsyncIterator(), read: read)
  }

  public struct Iterator: AsyncIteratorProtocol {
    var changes: AsyncStream<Void>.Iterator
    let read: @Sendable () throws -> Value

    public mutating func next() async throws -> Value? {
      guard await changes.next() != nil else { return nil }
      return .some(try read())
    }
  }
}

extension ModelStore {
  /// The newest value of an object now, and after every change; nil while there is no object.
  public func updates<Object: Model>(of id: ObjectID<Object>) -> StoreUpdates<Object?> {
    updates(of: .object(id.rawValue)) { [self] in try object(id) }
  }

  /// The members of a queue now, and after every change.
  public func memberUpdates(of queue: QueueID) -> StoreUpdates<[QueueMember]> {
    updates(of: .object(queue.root)) { [self] in try members(of: queue) }
  }

  /// The invitations now, and after every change.
  public func invitationUpdates() -> StoreUpdates<[QueueInvitation]> {
    updates(of: .invitations) { [self] in try invitations() }
  }

  /// The operations that did not happen now, and after every new one and every `dismiss`.
  public func failedOperationUpdates() -> StoreUpdates<[FailedOperation]> {
    updates(of: .failedOperations) { [self] in
      try checkReadable()
      return failedOperations
    }
  }

  private func updates<Value>(
    of observed: ObservedValue, _ read: @escaping @Sendable () throws -> Value
  ) -> StoreUpdates<Value> {
    StoreUpdates(changes: { [self] in changes(of: observed) }, read: read)
  }

  /// Yields once now, and after every change of the value.
  func changes(of observed: ObservedValue) -> AsyncStream<Void> {
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number = memory.withLock { $0.observers.add(observed) { continuation.yield() } }
    continuation.onTermination = { [memory] _ in memory.withLock { $0.observers.remove(observed, number) } }
    continuation.yield()
    return changes
  }
}
