// What a view has opened in the store. SwiftUI makes the view's struct again and again; this lives as long as the view.

import ModelRuntime

/// Keeps what a view has opened, until the view is given something else to show.
@MainActor
final class Opened<Value> {
  private var current: (objects: [AnyObject], key: AnyHashable?, value: Value)?

  nonisolated init() {}

  /// The value for these objects and this key. `open` is called if the last value was of others, which is let go.
  func value(of objects: [AnyObject], _ key: AnyHashable? = nil, _ open: () -> Value) -> Value {
    if let current, current.key == key, current.objects.elementsEqual(objects, by: ===) { return current.value }
    let value = open()
    current = (objects, key, value)
    return value
  }
}

extension ListDefinition {
  /// What makes two lists of a store the same. The name has the values of parameters.
  func key(in calendar: ListCalendar) -> AnyHashable {
    [name, calendar.timeZone, calendar.firstWeekday] as [AnyHashable]
  }
}
