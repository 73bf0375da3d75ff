// The limit of strangers whom a user may add to queues in a day.

import SyncProtocol
import WireFormat

/// Limits the people, not the queues, that a user adds in a day. Only strangers count: people who share no queue with
/// the user. So a person counts once, until they leave every queue of the user. A day is one of UTC, by the server's
/// clock.
public struct InvitationLimit: Hashable, Sendable {
  /// Nil for no limit.
  public var perDay: Int?

  public static let none = Self(perDay: nil)

  public init(perDay: Int?) { self.perDay = perDay }
}

/// Counts the strangers that one commit adds.
struct InvitationCount {
  private let user: UUIDValue
  private let limit: InvitationLimit
  private let day: Int64
  /// The strangers that the user has added on this day so far; read from the storage once.
  private var count: Int?
  /// Whether a person is a stranger, for each person that this commit has looked up.
  private var known: [UUIDValue: Bool] = [:]

  init(of user: UUIDValue, _ limit: InvitationLimit, at time: Timestamp) {
    (self.user, self.limit) = (user, limit)
    day = time.millisecondsSince1970 / 86_400_000
  }

  /// How many of the people that a mutation adds are strangers. Throws a rejection if they exceed the limit.
  mutating func strangers(
    among others: [UUIDValue], _ snapshot: any QueueSnapshot
  ) throws(Rejection) -> Int {
    guard let perDay = limit.perDay, !others.isEmpty else { return 0 }
    let before = try Rejection.storing { try count ?? snapshot.invitations(by: user, on: day) }
    count = before
    var strangers = 0
    for other in others {
      let isStranger = try Rejection.storing { try known[other] ?? !snapshot.shareQueue(user, other) }
      known[other] = isStranger
      strangers += isStranger ? 1 : 0
      // Stops at the limit, because each further person would cost a look-up.
      guard before + strangers <= perDay else { throw .code(RejectionCode.tooManyInvitations) }
    }
    return strangers
  }

  /// Stores the number of strangers that a mutation has added.
  mutating func add(_ strangers: Int, _ transaction: any QueueTransaction) throws {
    known = [:]
    guard strangers > 0 else { return }
    let sum = (count ?? 0) + strangers
    try transaction.put(invitations: sum, by: user, on: day)
    count = sum
  }
}
