// One object for a view: SwiftUI, or any other observer, draws again when it changes.

import Determinism
public import ModelTypes
public import Observation
public import WireFormat

/// An object as the user sees it now, for `@Observable` observers on the main actor.
///
/// Reading is always up to date: the line after a change sees it. Observers are notified once for all changes that
/// happen before they look again. After a change the next read looks the object up; other reads cost nothing.
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

  /// The object; nil if there is none, or if it cannot be read.
  public var value: Object? {
    registrar.access(self, keyPath: \.value)
    return newest().value
  }

  /// The reason why the object cannot be read; nil if it can.
  public var error: StoreError? {
    registrar.access(self, keyPath: \.error)
    return newest().error
  }

  /// Whether a pending operation changes the object.
  public var isPending: Bool {
    registrar.access(self, keyPath: \.isPending)
    return store.isPending(id)
  }

  private func newest() -> Seen {
    guard news.withLock({ $0.take() }) else { return seen }
    do {
      seen = Seen(value: try store.object(id))
    } catch {
      let error = StoreError(reading: error)
      // A closed store has nothing newer to show.
      seen = Seen(value: error.code == .closed ? seen.value : nil, error: error)
      // The error may pass, so the next read tries again.
      news.withLock { $0.hasChanged = true }
    }
    return seen
  }

  /// Notifies the observers, which then read the newest value.
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

/// Whether the object has changed since it was last read, and whether observers will be notified.
private struct News {
  var hasChanged = true
  var isToldSoon = false

  /// Notes a change. Returns true if the caller has to notify observers: false while a notification is under way.
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

/// Leads from the store's observer to the object, without keeping the object alive.
@MainActor
private final class Relay<Object: Model> {
  weak var target: LiveObject<Object>?
}

/// Observes the object in the store, from `init` to `deinit`.
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
