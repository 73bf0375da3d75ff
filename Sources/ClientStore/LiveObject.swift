// One object for a view: SwiftUI, or whatever else observes, draws again when it changes.

import Determinism
public import ModelTypes
public import Observation
public import WireFormat

/// An object as the user sees it now, for `@Observable` observers on the main actor.
///
/// Reading is always up to date: a change is there in the line after it. Observers are told once for as many changes as
/// happen before they look again. Costs a look-up after each change, and nothing while nothing changes.
@MainActor
public final class LiveObject<Object: Model>: Observable {
  public nonisolated let id: ObjectID<Object>
  private let store: ModelStore
  private let registrar = ObservationRegistrar()
  private let news: StoreLock<News>
  private let registration: Registration
  private var seen = Seen()

  init(store: ModelStore, id: ObjectID<Object>) {
    self.store = store
    self.id = id
    let news = StoreLock(News())
    let relay = Relay<Object>()
    self.news = news
    registration = Registration(store: store, id: id.rawValue) { [environment = store.environment] in
      guard news.withLock({ $0.note() }) else { return }
      environment.spawn { await relay.target?.tell() }
    }
    relay.target = self
  }

  /// Nil where there is no such object, or where it cannot be read.
  public var value: Object? {
    registrar.access(self, keyPath: \.value)
    return newest().value
  }

  /// Why it cannot be read, nil where it can.
  public var error: StoreError? {
    registrar.access(self, keyPath: \.error)
    return newest().error
  }

  /// Whether something was done with it that is not confirmed yet.
  public var isPending: Bool {
    registrar.access(self, keyPath: \.isPending)
    return store.isPending(id)
  }

  private func newest() -> Seen {
    guard news.withLock({ $0.take() }) else { return seen }
    do {
      seen = Seen(value: try store.object(id))
    } catch {
      seen = Seen(error: StoreError(reading: error))
      // It may pass: read again the next time.
      news.withLock { $0.hasChanged = true }
    }
    return seen
  }

  /// Observers read again afterwards, and find the newest value.
  fileprivate func tell() {
    news.withLock { $0.isToldSoon = false }
    registrar.withMutation(of: self, keyPath: \.value) {
      registrar.withMutation(of: self, keyPath: \.error) {
        registrar.withMutation(of: self, keyPath: \.isPending) {}
      }
    }
  }

  private struct Seen {
    var value: Object?
    var error: StoreError?
  }
}

/// Changes since the value was last read.
private struct News {
  var hasChanged = true
  var isToldSoon = false

  /// Returns whether observers have to be told; not again while that is under way.
  mutating func note() -> Bool {
    hasChanged = true
    defer { isToldSoon = true }
    return !isToldSoon
  }

  mutating func take() -> Bool {
    defer { hasChanged = false }
    return hasChanged
  }
}

/// From the store to the object without keeping it alive.
@MainActor
private final class Relay<Object: Model> {
  weak var target: LiveObject<Object>?
}

/// Ends the observation with the object's life.
private final class Registration: Sendable {
  private let store: ModelStore
  private let id: UUIDValue
  private let number: Int

  init(store: ModelStore, id: UUIDValue, _ wake: @escaping ObserverTable.Wake) {
    self.store = store
    self.id = id
    number = store.memory.withLock { $0.observers.add(id, wake) }
  }

  deinit { store.memory.withLock { [id, number] in $0.observers.remove(id, number) } }
}

extension ModelStore {
  /// An object for a view to observe.
  @MainActor
  public func live<Object: Model>(_ id: ObjectID<Object>) -> LiveObject<Object> {
    LiveObject(store: self, id: id)
  }
}
