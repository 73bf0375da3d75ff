// The limits of strangers whom a user may add to queues in a day, and of memberships that a user may give.

import SyncProtocol
import WireFormat

/// Limits the people, not the queues, that a user adds in a day. Only strangers count: people who share no queue with
/// the user. So a person counts once, until they leave every queue of the user. A day is one of UTC, by the server's
/// clock.
package struct InvitationLimit: Hashable, Sendable {
  /// Nil for no limit.
  package var perDay: Int?
  /// The memberships that a user gives others in a day, strangers or not: a person in very many queues can hardly poll
  /// them. Nil for no limit.
  package var membershipsPerDay: Int?

  package static let none = Self(perDay: nil)

  package init(perDay: Int?, membershipsPerDay: Int? = nil) {
    (self.perDay, self.membershipsPerDay) = (perDay, membershipsPerDay)
  }

  /// Counted from 1970.
  static func day(of time: Timestamp) -> Int64 { time.millisecondsSince1970 / UpkeepRules.day }
}

/// What a user has given others on one day.
package struct Invitations: Hashable, Sendable {
  /// Strangers who were added to a queue.
  package var people: Int
  /// All memberships that were given.
  package var memberships: Int

  package init(people: Int = 0, memberships: Int = 0) { (self.people, self.memberships) = (people, memberships) }
}

/// Counts the strangers that one commit adds, and the memberships that it gives.
struct InvitationCount {
  private let user: UserID
  private let limit: InvitationLimit
  private let day: Int64
  /// What the user has given on this day so far; read from the storage once.
  private var count: Invitations?
  /// People who are no strangers any more, because the commit has added them.
  private var added: Set<UserID> = []

  init(of user: UserID, _ limit: InvitationLimit, at time: Timestamp) {
    (self.user, self.limit) = (user, limit)
    day = InvitationLimit.day(of: time)
  }

  /// What a mutation that adds these people gives. Throws a rejection if it exceeds a limit.
  mutating func given(
    to others: [UserID], _ work: UnitOfWork
  ) throws(Rejection) -> Invitations {
    guard limit != .none, !others.isEmpty else { return Invitations() }
    let before = try Rejection.reading { try given(work) }
    count = before
    let mostMemberships = limit.membershipsPerDay ?? .max
    guard before.memberships + others.count <= mostMemberships else {
      throw .code(RejectionCode.tooManyInvitations)
    }
    return Invitations(people: try strangers(among: others, before.people, work), memberships: others.count)
  }

  private func given(_ work: UnitOfWork) throws -> Invitations {
    if let count { return count }
    return try work.invitations(by: user, on: day)
  }

  private mutating func strangers(
    among others: [UserID], _ before: Int, _ work: UnitOfWork
  ) throws(Rejection) -> Int {
    guard let perDay = limit.perDay else { return 0 }
    var strangers = 0
    for other in others where !added.contains(other) {
      strangers += try Rejection.reading { try work.isThere(.sharing(user, other)) } ? 0 : 1
      // Stops at the limit, because each further person would cost a look-up.
      guard before + strangers <= perDay else { throw .code(RejectionCode.tooManyInvitations) }
    }
    return strangers
  }

  /// Stores what a mutation has given.
  mutating func add(_ given: Invitations, to others: [UserID], _ work: inout UnitOfWork) {
    added.formUnion(others)
    guard given != Invitations() else { return }
    var sum = count ?? Invitations()
    sum.people += given.people
    sum.memberships += given.memberships
    work.write(.invitations(sum, by: user, day: day))
    count = sum
  }
}
