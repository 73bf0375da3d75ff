// What a change leads to outside of its lock: waiters are resumed; observers, lists and sync are woken.

import WireFormat

/// Collected while a lock is held, and performed once it is free. So whatever is resumed or woken may take the lock.
///
/// Two threads may perform their effects in another order than that of their changes. That does no harm: a wake says
/// only that there may be something new, and the woken party reads the newest state.
struct Effects {
  typealias Wake = @Sendable () -> Void
  typealias Waiter = CheckedContinuation<Void, any Error>

  /// A party that is woken once, however much has changed.
  enum Sleeper: Hashable {
    /// An observer of a value or a file, by its number in its table.
    case observer(Int)
    /// A list, by its number in the log.
    case list(Int)
    /// The client that syncs.
    case client(UUIDValue)
  }

  private var sleepers: Set<Sleeper> = []
  private var wakes: [Wake] = []
  private var ends: [(waiter: Waiter, result: Result<Void, any Error>)] = []

  var isEmpty: Bool { wakes.isEmpty && ends.isEmpty }

  mutating func wake(_ sleeper: Sleeper, _ wake: @escaping Wake) {
    if sleepers.insert(sleeper).inserted { wakes.append(wake) }
  }

  mutating func resume(_ waiter: Waiter, with result: Result<Void, any Error>) {
    ends.append((waiter, result))
  }

  /// Returns the effects, and forgets them here.
  mutating func takeAll() -> Effects {
    if isEmpty { return Effects() }
    defer { self = Effects() }
    return self
  }

  /// Wakes first, so that observers hear of a change before its waiters go on.
  func perform() {
    for wake in wakes { wake() }
    for end in ends { end.waiter.resume(with: end.result) }
  }
}
