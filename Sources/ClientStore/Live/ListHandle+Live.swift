// A list, live.

public import ModelTypes

extension ListHandle {
  /// The list for a view to observe. While its updates are paused, observers are not notified, and see what they saw.
  @MainActor
  public func live() -> LiveValue<ListSnapshot<Object, Section>> {
    var shown: ListSnapshot<Object, Section>?
    let source = LiveSource<ListSnapshot<Object, Section>> {
      if self.isPaused, let shown { return .init(value: shown, error: self.error) }
      let newest = self.snapshot
      shown = newest
      return .init(value: newest, error: self.error)
    } isPaused: {
      self.isPaused
    } register: { wake in
      let consumers = self.core.consumers
      let number = consumers.add(wake)
      return LiveRegistration { consumers.remove(number) }
    }
    return LiveValue(store.liveNews, source)
  }
}

extension ModelStore {
  /// A list for a view to observe. Days, weeks, months and years are those of the calendar.
  @MainActor
  public func live<Object: Model, Section: ListSection>(
    _ definition: ListDefinition<Object, Section>, calendar: ListCalendar = .current
  ) -> LiveValue<ListSnapshot<Object, Section>> {
    list(definition, calendar: calendar).live()
  }
}
