// The members who have written to a queue lately.

import Foundation
import SyncServer
import WireFormat

/// A hint: what their next commit names is loaded together with the question whether they are still members. A stranger's
/// commit names many rows too, and waits for the answer first.
///
/// `@unchecked Sendable`: its lock guards all state.
final class RecentMembers: @unchecked Sendable {
  private struct Place: Hashable {
    var user: UserID
    var queue: QueueID
  }

  private let lock = NSLock()
  /// Those of the last time, and those before. The latter go when there are too many of the former.
  private var (young, old): (Set<Place>, Set<Place>) = ([], [])
  private static let capacity = 20_000

  func contains(_ user: UserID, of queue: QueueID) -> Bool {
    let place = Place(user: user, queue: queue)
    return lock.withLock { young.contains(place) || old.contains(place) }
  }

  /// Notes whether a user who writes is a member.
  func note(_ user: UserID, of queue: QueueID, isMember: Bool) {
    let place = Place(user: user, queue: queue)
    lock.withLock {
      guard isMember else {
        young.remove(place)
        old.remove(place)
        return
      }
      if young.count >= Self.capacity { (young, old) = ([], young) }
      young.insert(place)
    }
  }
}
