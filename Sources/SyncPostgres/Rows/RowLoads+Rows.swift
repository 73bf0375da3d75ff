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
    .queue, "SELECT schema, head, floor, retention, live, digest, ended FROM queue WHERE queue = $1")
  static let members = PostgresStatement(
    .queue, "SELECT account, role, membership, added_by, since FROM member WHERE queue = $1")
  static let memberships = PostgresStatement(
    .queue, "SELECT account, role, membership, added_by, since FROM member WHERE queue = $1 AND account = ANY ($2)")
  static let formerMembers = PostgresStatement(
    .queue, "SELECT account FROM former_member WHERE queue = $1 AND account = ANY ($2)")
  static let outcomes = PostgresStatement(
    .queue,
    "SELECT operation, status, code, at, time, attempt FROM outcome WHERE queue = $1 AND operation = ANY ($2)")
  static let files = PostgresStatement(.queue, "SELECT hash FROM file WHERE queue = $1 AND hash = ANY ($2)")
  static let references = PostgresStatement(
    .queue, "SELECT id, count(*) FROM file_reference WHERE queue = $1 AND id = ANY ($2) GROUP BY id")
  static let duty = PostgresStatement(
    .queue, "SELECT 1 FROM duty WHERE queue = $1 AND account = $2 AND head = $3")
}
