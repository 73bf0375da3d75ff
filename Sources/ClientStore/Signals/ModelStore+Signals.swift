// Shows values of ephemeral models, and watches those of others.

import Determinism
public import ModelTypes
import SyncProtocol
public import WireFormat

extension ModelStore {
  /// A value of an ephemeral model that another member shows now.
  public struct Signal<Value: EphemeralModel>: Identifiable, Sendable {
    /// The member who shows it, as the server knows from the token. Each member is there once.
    public let user: UserID
    /// What is shown.
    public let value: Value
    /// The user, for a `ForEach`.
    public var id: UserID { user }
  }
}

extension ModelStore.Signal: Equatable where Value: Equatable {}
extension ModelStore.Signal: Hashable where Value: Hashable {}

// Showing.
extension ModelStore {
  /// Shows a value to the members of its queue, for the time that its model says from now.
  ///
  /// Call it again while it is true, as with each key that is typed: a value that is the same goes now and then only. The
  /// user shows one value of a model in a queue, and a newer one takes its place. Nothing tells whether others have seen it;
  /// offline it is lost. Throws a `StoreError`: `refused` for a value of more than 1,024 bytes, `closed` after `close`.
  public func show<Value: EphemeralModel>(_ value: Value) throws {
    try show(value, by: signals.withLock { $0.shown.newShowing() })
  }

  private func show<Value: EphemeralModel>(_ value: Value, by showing: Int) throws {
    try checkReadable()
    let content = try value.encoded()
    guard content.count <= ProtocolLimits.signalBytes else {
      throw StoreError(
        .refused,
        "A value that is shown has at most \(ProtocolLimits.signalBytes) bytes; this one has \(content.count).")
    }
    let (now, lifetime) = (environment.nowMilliseconds(), Value.lifetimeMilliseconds)
    let isNew = signals.withLock {
      $0.shown.show(content, as: Value.modelName, in: value.queueID, for: lifetime, at: now, by: showing)
    }
    if isNew { memory.withLock { $0.wakeSync() } }
  }

  /// Takes back what the user shows of a model in a queue, before its time is over.
  public func hide<Value: EphemeralModel>(_ model: Value.Type, in queue: QueueID) {
    if signals.withLock({ $0.shown.hide(model.modelName, in: queue) }) { memory.withLock { $0.wakeSync() } }
  }

  /// Shows a value until its task is cancelled, and takes it back then: for a view's `.task`.
  ///
  /// Also shows it again when the network is back. While a newer value of the model is shown in the queue, by `show` or by
  /// another call of this, that one counts. Throws what `show` throws.
  public func keepShowing<Value: EphemeralModel>(_ value: Value) async throws {
    let (type, queue) = (Value.modelName, value.queueID)
    let showing = signals.withLock { $0.shown.newShowing() }
    defer {
      if signals.withLock({ $0.shown.hide(type, in: queue, by: showing) }) { memory.withLock { $0.wakeSync() } }
    }
    try show(value, by: showing)
    while (try? await environment.sleep(milliseconds: Value.lifetimeMilliseconds / 3)) != nil {
      let now = environment.nowMilliseconds()
      let isTaken = signals.withLock { $0.shown.isTaken(type, in: queue, from: showing, at: now) }
      if !isTaken { try show(value, by: showing) }
    }
  }
}

// Watching.
extension ModelStore {
  /// What the other members show of a model in a queue now, ordered by user. Only what is watched is known: by
  /// `signalUpdates` or `liveSignals`.
  public func signals<Value: EphemeralModel>(_ model: Value.Type, in queue: QueueID) -> [Signal<Value>] {
    let now = environment.nowMilliseconds()
    let heard = signals.withLock { $0.heard.signals(in: queue, at: now) }
    return heard.filter { $0.type == model.modelName }.compactMap { signal in
      var value = Value.zero
      // What cannot be read comes from a wrong or newer app.
      guard (try? value.merge(signal.content)) != nil, value.queueID == queue else { return nil }
      return Signal(user: signal.user, value: value)
    }
  }

  /// What the other members show of a model in a queue, now and after every change.
  public func signalUpdates<Value: EphemeralModel>(
    _ model: Value.Type, in queue: QueueID
  ) -> StoreUpdates<[Signal<Value>]> {
    let read = { @Sendable [self] in
      try checkReadable()
      return signals(model, in: queue)
    }
    return StoreUpdates(changes: { [self] in changes(ofSignalsIn: queue) }, read: read)
  }

  private func changes(ofSignalsIn queue: QueueID) -> AsyncStream<Void> {
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let watcher = watch(queue) { continuation.yield() }
    continuation.onTermination = { [weak self] _ in self?.endWatching(queue, watcher) }
    continuation.yield()
    return changes
  }

  package func watch(_ queue: QueueID, _ wake: @escaping @Sendable () -> Void) -> Int {
    let (watcher, wakes) = signals.withLock { $0.heard.watch(queue, wake) }
    for wake in wakes { wake() }
    memory.withLock { $0.wakeSync() }
    return watcher
  }

  package func endWatching(_ queue: QueueID, _ watcher: Int) {
    signals.withLock { $0.heard.end(watcher, of: queue) }
    memory.withLock { $0.wakeSync() }
  }
}
