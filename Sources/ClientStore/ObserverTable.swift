// Who wants to know when an object changes.

import WireFormat

/// Wakes the observers of an object; what changed they look up themselves, so that a slow one misses no newest value
/// and keeps nothing waiting.
struct ObserverTable {
  private var next = 0
  private var byObject: [UUIDValue: [Int: AsyncStream<Void>.Continuation]] = [:]

  mutating func add(_ id: UUIDValue, _ continuation: AsyncStream<Void>.Continuation) -> Int {
    next += 1
    byObject[id, default: [:]][next] = continuation
    return next
  }

  mutating func remove(_ id: UUIDValue, _ number: Int) {
    byObject[id]?[number] = nil
    if byObject[id]?.isEmpty == true { byObject[id] = nil }
  }

  func wake(_ ids: some Sequence<UUIDValue>) {
    guard !byObject.isEmpty else { return }
    for id in ids {
      for continuation in byObject[id]?.values ?? [:].values { continuation.yield() }
    }
  }

  /// Wakes the observers of every object that has changed; there are few of them, and may be many objects.
  func wake(where hasChanged: (UUIDValue) -> Bool) {
    for (id, observers) in byObject where hasChanged(id) {
      for continuation in observers.values { continuation.yield() }
    }
  }
}
