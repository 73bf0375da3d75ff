// A list for SwiftUI and other observers, which draw again when it changes.

import Determinism
public import ModelTypes
public import Observation

/// An open list for `@Observable` observers on the main actor.
///
/// Reading is always up to date: it shows everything that was performed before. Observers are told once for all changes
/// until they look again. While the list is held, they are told nothing, and see what they saw.
@MainActor
public final class LiveList<Object: Model, Section: ListSection>: Observable {
  /// The open list that is observed: `hold`, `release` and `prefetch` are there.
  public nonisolated let list: ListHandle<Object, Section>
  private let registrar = ObservationRegistrar()
  private let isToldSoon = StoreLock(false)
  private let registration: ConsumerRegistration
  private var shown: ListSnapshot<Object, Section>?

  init(_ list: ListHandle<Object, Section>) {
    self.list = list
    let (isToldSoon, relay) = (isToldSoon, ListRelay<Object, Section>())
    registration = ConsumerRegistration(list.core.consumers) { [environment = list.store.environment] in
      guard
        isToldSoon.withLock({ isTold in
          defer { isTold = true }
          return !isTold
        })
      else { return }
      environment.spawn { await relay.target?.tell() }
    }
    relay.target = self
  }

  /// The list as it is now, or as it was when it was held.
  public var snapshot: ListSnapshot<Object, Section> {
    registrar.access(self, keyPath: \.snapshot)
    if list.isHeld, let shown { return shown }
    let newest = list.snapshot
    shown = newest
    return newest
  }

  /// Why objects could not be read; nil if they could.
  public var error: StoreError? {
    registrar.access(self, keyPath: \.error)
    return list.error
  }

  fileprivate func tell() {
    isToldSoon.withLock { $0 = false }
    // The last `release` wakes again.
    if list.isHeld { return }
    registrar.withMutation(of: self, keyPath: \.snapshot) {
      registrar.withMutation(of: self, keyPath: \.error) {}
    }
  }
}

/// Refers to the observer weakly, so that the list does not keep it alive.
@MainActor
private final class ListRelay<Object: Model, Section: ListSection> {
  weak var target: LiveList<Object, Section>?
}

/// A registration that ends with the object that has it.
private final class ConsumerRegistration: Sendable {
  private let consumers: ListConsumers
  private let number: Int

  init(_ consumers: ListConsumers, _ wake: @escaping @Sendable () -> Void) {
    self.consumers = consumers
    number = consumers.add(wake)
  }

  deinit { consumers.remove(number) }
}

extension ModelStore {
  /// A list for a view to observe. Days, weeks, months and years are those of the calendar.
  @MainActor
  public func live<Object: Model, Section: ListSection>(
    _ definition: ListDefinition<Object, Section>, calendar: ListCalendar = .current
  ) -> LiveList<Object, Section> {
    LiveList(open(definition, calendar: calendar))
  }
}
