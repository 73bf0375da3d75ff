// The table of those who observe a value of the store.

import WireFormat

/// What one can observe, lists and files apart.
enum ObservedValue: Hashable, Sendable {
  /// An object. The id of a queue also stands for the members of the queue, and zero for the invitations, as in
  /// `OutboxEntry.touched`.
  case object(UUIDValue)
  case failedOperations

  static let invitations = object(.zero)
}

/// Wakes the observers of a value, which then look up the change themselves. So a slow observer still gets the newest
/// value, and keeps nothing waiting.
struct ObserverTable {
  /// Called under the store's lock: must be short, and must not read the store.
  typealias Wake = @Sendable () -> Void

  private var next = 0
  private var byValue: [ObservedValue: [Int: Wake]] = [:]

  var isEmpty: Bool { byValue.isEmpty }

  mutating func add(_ value: ObservedValue, _ wake: @escaping Wake) -> Int {
    next += 1
    byValue[value, default: [:]][next] = wake
    return next
  }

  mutating func remove(_ value: ObservedValue, _ number: Int) {
    byValue[value]?[number] = nil
    if byValue[value]?.isEmpty == true { byValue[value] = nil }
  }

  func wake(_ value: ObservedValue) {
    for wake in byValue[value]?.values ?? [:].values { wake() }
  }

  func wake(objects ids: some Sequence<UUIDValue>) {
    if byValue.isEmpty { return }
    for id in ids { wake(.object(id)) }
  }

  func wakeAll() {
    for value in byValue.keys { wake(value) }
  }

  /// Wakes the observers of every changed object. Walks over the observers, which are few; the objects may be many.
  func wake(objectsWhere hasChanged: (UUIDValue) -> Bool) {
    for case .object(let id) in byValue.keys where hasChanged(id) { wake(.object(id)) }
  }
}
