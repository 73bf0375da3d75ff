// Loads the rows of a decision: one statement for each kind of key, all in one round trip.

import SyncProtocol
import SyncServer
import WireFormat

extension PostgresTransaction {
  func load(
    _ keys: [RowKey], of queue: QueueID, into rows: inout [RowKey: RowValue], bytes: Int
  ) throws -> [RowKey] {
    let keys = keys.filter { rows[$0] == nil }
    if keys.isEmpty { return [] }
    var loads = RowLoads(queue, keys)
    loads.addRows()
    loads.addSums(isWriting: kind != .reading)
    let objects = keys.compactMap { if case .object(let id) = $0 { id } else { nil } }
    if !objects.isEmpty { loads.addObjects(objects, bytes: bytes) }
    loads.addPages()
    let results = loads.list.isEmpty ? [] : try self.rows(loads.list.map(\.call))
    for (load, result) in zip(loads.list, results) { for row in result { try load.take(row, &loads.found) } }
    rows.merge(loads.found) { $1 }
    return objects.map { .object($0) }.filter { rows[$0] == nil }
  }
}

/// The statements of one load, and what their rows mean.
struct RowLoads {
  struct Load {
    var call: PostgresCall
    var take: (PostgresRow, inout [RowKey: RowValue]) throws -> Void
  }

  let queue: QueueID
  let keys: [RowKey]
  private(set) var list: [Load] = []
  /// What was found so far. At first, that a row is missing.
  var found: [RowKey: RowValue] = [:]

  init(_ queue: QueueID, _ keys: [RowKey]) { (self.queue, self.keys) = (queue, keys) }

  mutating func add(
    _ call: PostgresCall, _ take: @escaping (PostgresRow, inout [RowKey: RowValue]) throws -> Void
  ) {
    list.append(Load(call: call, take: take))
  }

  /// Adds one statement for all keys of a kind, if there are any.
  mutating func add<ID>(
    _ statement: PostgresStatement, for ids: [ObjectID<ID>], in queue: QueueID? = nil, absent: RowValue,
    key: @escaping (ObjectID<ID>) -> RowKey, _ value: @escaping (PostgresRow) throws -> RowValue
  ) {
    if ids.isEmpty { return }
    for id in ids { found[key(id)] = absent }
    let values: [PostgresValue] = (queue.map { [.id($0)] } ?? []) + [.ids(ids)]
    add(PostgresCall(statement: statement, values: values)) { row, found in
      found[key(try row.id(0))] = try value(row)
    }
  }

  /// The ids in the keys of one kind.
  func ids<ID>(_ id: (RowKey) -> ID?) -> [ID] { keys.compactMap(id) }
}
