// Loads objects, by their ids or as a page.

import SyncProtocol
import SyncServer
import WireFormat

extension RowLoads {
  /// Loads objects until their contents have so many bytes. Those behind are not found.
  mutating func addObjects(_ ids: [UUIDValue], bytes: Int) {
    for id in ids { found[.object(id)] = .object(nil) }
    add(Statement.objects(.id(queue), .ids(ids), .int(Int64(bytes)))) { row, found in
      let id: UUIDValue = try row.id(0)
      found[.object(id)] = try row.bool(8) ? .object(try ObjectState(row)) : nil
    }
  }

  mutating func addPages() {
    for case .page(let range) in keys {
      let key = RowKey.page(range)
      found[key] = .page(ObjectPage())
      add(call(for: range)) { row, found in
        guard case .page(var page)? = found.removeValue(forKey: key) else { return }
        if try row.bool(8) { page.objects.append(try ObjectState(row)) } else { page.isLast = false }
        found[key] = .page(page)
      }
    }
  }

  private func call(for range: ObjectRange) -> PostgresCall {
    let member = PostgresValue.id(range.member?.rawValue)
    let (rows, bytes) = (PostgresValue.int(Int64(min(range.rows, 1 << 40))), PostgresValue.int(Int64(range.bytes)))
    switch range.start {
    case .changes(let cursor): return Statement.changes(.id(queue), rows, bytes, member, .int(cursor))
    case .live(nil, let revision): return Statement.live(.id(queue), rows, bytes, member, .int(revision ?? .max))
    case .live(let place?, let revision):
      return Statement.liveBehind(
        .id(queue), rows, bytes, member, .int(revision ?? .max), .int(place.newestBy), .id(place.id))
    }
  }
}

private enum Statement {
  /// Each id is a search in the primary key; see `each` of the other rows.
  static let objects = PostgresStatement(
    .queue,
    """
    SELECT id, revision, type, newest_by, created_by, created_at, updated_at, CASE WHEN fits THEN content END, fits
    FROM (
      SELECT found.*, coalesce(
        sum(octet_length(content)) OVER (ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0
      ) < $3 AS fits
      FROM unnest($2) WITH ORDINALITY AS named(id, place) CROSS JOIN LATERAL (
        SELECT * FROM object WHERE queue = $1 AND object.id = named.id LIMIT 1) AS found
    ) AS part
    """)
  static let changes = page("revision > $5", order: "revision")
  static let live = page("type IS NOT NULL AND revision <= $5", order: "newest_by DESC, id DESC")
  static let liveBehind = page(
    "type IS NOT NULL AND revision <= $5 AND (newest_by, id) < ($6, $7)", order: "newest_by DESC, id DESC")

  /// The objects that fit, and the first that does not.
  private static func page(_ condition: String, order: String) -> PostgresStatement {
    PostgresStatement(
      .queue,
      """
      SELECT id, revision, type, newest_by, created_by, created_at, updated_at, CASE WHEN fits THEN content END, fits
      FROM (
        SELECT part.*, number <= $2 AND bytes <= $3 AS fits,
          number = 1 OR lag(number <= $2 AND bytes <= $3) OVER (ORDER BY number) AS follows
        FROM (
          SELECT first.*, row_number() OVER page AS number,
            sum(size) OVER page - greatest(first_value(size) OVER page - $3, 0) AS bytes
          FROM (
            SELECT *, coalesce(octet_length(content), 0) AS size FROM object WHERE queue = $1 AND \(condition) AND (
              $4 IS NULL OR EXISTS (SELECT 1 FROM member WHERE queue = $1 AND account = $4))
            ORDER BY \(order) LIMIT $2 + 1
          ) AS first WINDOW page AS (ORDER BY \(order))
        ) AS part
      ) AS whole WHERE follows ORDER BY number
      """)
  }
}
