// Loads the rows of one queue.

import SyncProtocol
import SyncServer
import WireFormat

extension RowLoads {
  mutating func addRows() {
    if keys.contains(.queue) {
      found[.queue] = .queue(nil)
      add(Statement.queue(.id(queue))) { $1[.queue] = .queue(try StoredQueue($0, at: 0)) }
    }
    if keys.contains(.members) {
      found[.members] = .members([:])
      add(Statement.members(.id(queue))) { row, found in
        guard case .members(var members)? = found.removeValue(forKey: .members) else { return }
        members[try row.id(0)] = try StoredMembership(row, at: 1)
        found[.members] = .members(members)
      }
    }
    addMemberships()
    add(
      Statement.formerMembers, for: ids { if case .wasMember(let user) = $0 { user } else { nil } }, in: queue,
      absent: .isThere(false), key: { .wasMember($0) }, { _ in .isThere(true) })
    add(
      Statement.outcomes, for: ids { if case .outcome(let id) = $0 { id } else { nil } }, in: queue,
      absent: .outcome(nil), key: { .outcome($0) }, { .outcome(try OperationOutcome($0)) })
    addFiles()
    for case .duty(let duty) in keys {
      found[.duty(duty)] = .isThere(false)
      add(Statement.duty(.id(duty.queue), .id(duty.user), .int(duty.head))) { $1[.duty(duty)] = .isThere(true) }
    }
  }

  private mutating func addMemberships() {
    let named = ids { key in
      if case .membership(let user, let queue) = key { (user: user, queue: queue) } else { nil }
    }
    for (queue, users) in Dictionary(grouping: named, by: \.queue) {
      add(
        Statement.memberships, for: users.map(\.user), in: queue, absent: .membership(nil),
        key: { .membership(of: $0, in: queue) }, { .membership(try StoredMembership($0, at: 1)) })
    }
  }

  private mutating func addFiles() {
    let hashes = ids { if case .file(let hash) = $0 { hash } else { nil } }
    if !hashes.isEmpty {
      for hash in hashes { found[.file(hash)] = .isThere(false) }
      add(Statement.files(.id(queue), .blobs(hashes.map(\.bytes)))) { $1[.file(try $0.hash(0))] = .isThere(true) }
    }
    let objects = ids { if case .references(let id) = $0 { id } else { nil } }
    if objects.isEmpty { return }
    for id in objects { found[.references(from: id)] = .count(0) }
    add(Statement.references(.id(queue), .ids(objects))) { row, found in
      let count = min(Int(try row.int(1)), ProtocolLimits.fileReferences + 1)
      found[.references(from: try row.id(0))] = .count(count)
    }
  }
}

private enum Statement {
  static let queue = PostgresStatement(
    .queue, "SELECT schema, head, floor, retention, live, digest, ended, newest FROM queue WHERE queue = $1")
  static let members = PostgresStatement(
    .queue, "SELECT account, role, membership, added_by, since FROM member WHERE queue = $1")
  static let memberships = each("account, role, membership, added_by, since", of: "member", by: "account")
  static let formerMembers = each("account", of: "former_member", by: "account")
  static let outcomes = each("operation, status, code, at, time, attempt", of: "outcome", by: "operation")
  static let files = each("hash", of: "file", by: "hash")
  static let references = PostgresStatement(
    .queue,
    """
    SELECT named.id, number FROM unnest($2) AS named(id) CROSS JOIN LATERAL (
      SELECT count(*) AS number FROM file_reference WHERE queue = $1 AND id = named.id) AS found
    """)
  static let duty = PostgresStatement(
    .queue, "SELECT 1 FROM duty WHERE queue = $1 AND account = $2 AND head = $3")

  /// The rows of some keys. With `LIMIT`, each key is a search in the primary key; without, the planner may read all rows
  /// of the queue and join them.
  private static func each(_ columns: String, of table: String, by key: String) -> PostgresStatement {
    PostgresStatement(
      .queue,
      """
      SELECT found.* FROM unnest($2) AS named(key) CROSS JOIN LATERAL (
        SELECT \(columns) FROM \(table) WHERE queue = $1 AND \(key) = named.key LIMIT 1) AS found
      """)
  }
}
