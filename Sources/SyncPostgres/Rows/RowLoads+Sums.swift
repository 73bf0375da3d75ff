// Loads sums, and what limits compare with.

import SyncProtocol
import SyncServer
import WireFormat

extension RowLoads {
  mutating func addSums(isWriting: Bool) {
    if keys.contains(.usage) {
      found[.usage] = .usage(StoredUsage())
      add(Statement.usage(.id(queue))) { $1[.usage] = .usage(try StoredUsage($0, at: 0)) }
    }
    add(
      Statement.usageBy, for: ids { if case .usageBy(let user) = $0 { user } else { nil } },
      absent: .usage(StoredUsage()), key: { .usageBy($0) }, { .usage(try StoredUsage($0, at: 1)) })
    add(
      Statement.queueCounts, for: ids { if case .queueCount(let user) = $0 { user } else { nil } },
      absent: .queueCount(QueueCount()), key: { .queueCount(of: $0) },
      { .queueCount(QueueCount(own: Int(try $0.int(1)), others: Int(try $0.int(2)))) })
    for key in keys {
      switch key {
      case .sharing(let user, let other):
        found[key] = .isThere(false)
        add(Statement.sharing(.id(user), .id(other))) { $1[key] = .isThere(true) }
      default: break
      }
    }
    addInvitations(isWriting: isWriting)
  }

  /// The rows of accounts that a commit locks, in the order of the accounts: commits to two queues never wait for each
  /// other then.
  private mutating func addInvitations(isWriting: Bool) {
    let named = ids { if case .invitations(let user, let day) = $0 { (user: user, day: day) } else { nil } }
    let statement = isWriting ? Statement.invitationsToChange : Statement.invitations
    for (user, day) in named.sorted(by: { ($0.user, $0.day) < ($1.user, $1.day) }) {
      let key = RowKey.invitations(by: user, day: day)
      found[key] = .invitations(Invitations())
      add(statement(.id(user), .int(day))) { row, found in
        found[key] = .invitations(Invitations(people: Int(try row.int(0)), memberships: Int(try row.int(1))))
      }
    }
  }
}

private enum Statement {
  static let usage = PostgresStatement(.queue, "SELECT rows, bytes FROM queue_usage WHERE queue = $1")
  static let usageBy = PostgresStatement(
    .allQueues(because: "a limit of a user is for all queues; read only where it is set"),
    """
    SELECT account, sum(rows)::bigint, sum(bytes)::bigint FROM usage WHERE account = ANY ($1) GROUP BY account
    """)
  static let queueCounts = PostgresStatement(
    .allQueues(because: "a limit of a user is for all queues; read only where it is set"),
    """
    SELECT account, count(*) FILTER (WHERE added_by = account), count(*) FILTER (WHERE added_by <> account)
    FROM member WHERE account = ANY ($1) GROUP BY account
    """)
  static let sharing = PostgresStatement(
    .allQueues(because: "whoever shares no queue is a stranger; read only where strangers are limited"),
    """
    SELECT 1 FROM (SELECT queue FROM member WHERE account = $2 LIMIT 1000) AS others
    JOIN member ON member.account = $1 AND member.queue = others.queue LIMIT 1
    """)
  // A commit that took its time before midnight may find the count of the new day, and goes by that.
  static let invitations = PostgresStatement(
    .account, "SELECT people, memberships FROM invitation WHERE account = $1 AND day >= $2")
  static let invitationsToChange = PostgresStatement(
    .account, "SELECT people, memberships FROM invitation WHERE account = $1 AND day >= $2 FOR UPDATE")
}
