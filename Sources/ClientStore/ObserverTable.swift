// The table of the observers of objects.

import WireFormat

/// Wakes the observers of an object, which then look up the change themselves. So a slow observer still gets the newest
/// value, and keeps nothing waiting.
struct ObserverTable {
  /// Called under the store's lock: must be short, and must not read the store.
  typealias Wake = @Sendable () -> Void

  private var next = 0
  private var byObject: [UUIDValue: [Int: Wake]] = [:]

  var isEmpty: Bool { byObject.isEmpty }

  mutating func add(_ id: UUIDValue, _ wake: @escaping Wake) -> Int {
    next += 1
    byObject[id, default: [:]][next] = wake
    return next
  }

  mutating func remove(_ id: UUIDValue, _ number: Int) {
    byObject[id]?[number] = nil
    if byObject[id]?.isEmpty == true { byObject[id] = nil }
  }

  func wake(_ ids: some Sequence<UUIDValue>) {
    guard !byObject.isEmpty else { return }
    for id in ids {
      for wake in byObject[id]?.values ?? [:].values { wake() }
    }
  }

  /// Wakes the observers of every changed object. Walks over the observers, which are few; the objects may be many.
  func wake(where hasChanged: (UUIDValue) -> Bool) {
    for (id, observers) in byObject where hasChanged(id) {
      for wake in observers.values { wake() }
    }
  }
}
