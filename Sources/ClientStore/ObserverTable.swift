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
  private struct Observer {
    /// Set at once, for a reader that comes before the wake.
    var isOld: Locked<Bool>?
    var wake: Effects.Wake
  }

  private var next = 0
  private var byValue: [ObservedValue: [Int: Observer]] = [:]

  var isEmpty: Bool { byValue.isEmpty }

  mutating func add(
    _ value: ObservedValue, marking isOld: Locked<Bool>? = nil, _ wake: @escaping Effects.Wake
  ) -> Int {
    next += 1
    byValue[value, default: [:]][next] = Observer(isOld: isOld, wake: wake)
    return next
  }

  mutating func remove(_ value: ObservedValue, _ number: Int) {
    byValue[value]?[number] = nil
    if byValue[value]?.isEmpty == true { byValue[value] = nil }
  }

  func wake(_ value: ObservedValue, _ effects: inout Effects) {
    for (number, observer) in byValue[value] ?? [:] {
      observer.isOld?.withLock { $0 = true }
      effects.wake(.observer(number), observer.wake)
    }
  }

  func wake(objects ids: Set<UUIDValue>, _ effects: inout Effects) {
    if ids.count > byValue.count { return wake(objectsWhere: ids.contains, &effects) }
    for id in ids { wake(.object(id), &effects) }
  }

  func wakeAll(_ effects: inout Effects) {
    for value in byValue.keys { wake(value, &effects) }
  }

  /// Wakes the observers of every changed object. Walks over the observers, which are few; the objects may be many.
  func wake(objectsWhere hasChanged: (UUIDValue) -> Bool, _ effects: inout Effects) {
    for case .object(let id) in byValue.keys where hasChanged(id) { wake(.object(id), &effects) }
  }
}
