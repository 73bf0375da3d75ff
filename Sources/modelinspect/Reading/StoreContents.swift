// Reads the rows of an opened store for the commands, and decodes them. A damaged table gives the rows that can be
// read.
import ModelSupport

struct StoreContents {
  let store: StoreInspection
  let tables: StoreTables

  init(_ store: StoreInspection) {
    self.store = store
    tables = StoreTables(store)
  }

  /// Objects in the order in which they came to the device. At most `limit` are read, or `limit` for each id.
  func objects(model: String?, ids: [UUIDValue], limit: Int) -> Part<ObjectReading> {
    var part = Part<ObjectReading>()
    let number = model.map { StoredValue.integer(tables.number(ofType: $0) ?? -1) }
    guard ids.isEmpty else {
      for id in ids {
        part.add(read(.object, where: "id", is: .bytes(id.bytes), limit) { ObjectReading($0, tables) })
      }
      part.readings.removeAll { model != nil && $0.model != model }
      part.total = Int64(part.readings.count)
      return part
    }
    part.add(
      read(.object, where: number == nil ? nil : "type", is: number ?? .null, limit) {
        ObjectReading($0, tables)
      })
    part.total = (try? store.count(.object, where: number == nil ? nil : "type", is: number ?? .null)) ?? part.total
    return part
  }

  var properties: Part<StoredRow> { read(.property) { $0 } }

  func outbox() -> Part<OperationReading> { operations(.operation) { OperationReading(outbox: $0, $1) } }

  func failed() -> Part<OperationReading> { operations(.failed) { OperationReading(failed: $0, $1) } }

  /// The counts of `objectCounts`, taken from the rows that can still be read.
  func readableCounts() -> [StoredRow] {
    var counts: [[StoredValue]: (count: Int64, bytes: Int64)] = [:]
    try? store.forEachRow(of: .object) { row in
      let key = ["queue", "type"].map { row.columns[$0] ?? .null }
      let size = Int64((try? row.bytes("content"))?.count ?? 0)
      let (count, bytes) = counts[key] ?? (0, 0)
      counts[key] = (count + 1, bytes + size)
      return true
    }
    return counts.map { key, sums in
      StoredRow([
        "queue": key[0], "type": key[1], "count": .integer(sums.count), "bytes": .integer(sums.bytes),
      ])
    }.sorted { ((try? $0.integer("type")) ?? 0) < ((try? $1.integer("type")) ?? 0) }
  }

  private func operations(
    _ table: StoreInspection.Table, _ read: (StoredRow, ReadingContext) -> OperationReading
  ) -> Part<OperationReading> {
    let context = readingContext()
    return self.read(table) { read($0, context) }
  }

  func readingContext() -> ReadingContext {
    let created = createdModels()
    return ReadingContext(tables: tables) { id in created[id] ?? confirmedModel(of: id) }
  }

  /// The id of the user's home queue, which says what the user follows; nil where the store names no user or no schema.
  var homeQueue: QueueID? {
    guard let user = property("user").flatMap({ UserID($0) }), let schema = property("schema") else { return nil }
    return SyncID.homeQueue(ofUser: user, schema: schema)
  }

  private func property(_ name: String) -> String? {
    for row in properties.readings where (try? row.text("name")) == name { return try? row.text("value") }
    return nil
  }

  /// The models of objects that operations create. Such objects may have no confirmed row.
  private func createdModels() -> [UUIDValue: String] {
    var models: [UUIDValue: String] = [:]
    for table in [StoreInspection.Table.operation, .failed] {
      try? store.forEachRow(of: table) { row in
        guard let changes = try? OperationChanges(bytes: row.bytes("changes")) else { return true }
        for change in changes.objects {
          if case .create(let type, _, _) = change.action { models[change.object] = type }
        }
        return true
      }
    }
    return models
  }

  private func confirmedModel(of id: UUIDValue) -> String? {
    var model: String?
    try? store.forEachRow(of: .object, where: "id", is: .bytes(id.bytes)) { row in
      model = (try? row.integer("type")).flatMap { tables.types[$0]?.name }
      return model == nil
    }
    return model
  }

  func read<Reading>(
    _ table: StoreInspection.Table, where column: String? = nil, is value: StoredValue = .null, _ limit: Int = .max,
    _ read: (StoredRow) -> Reading
  ) -> Part<Reading> {
    var part = Part<Reading>()
    do {
      try store.forEachRow(of: table, where: column, is: value) { row in
        part.readings.append(read(row))
        return part.readings.count < limit
      }
    } catch {
      part.problems.append("the table `\(table.rawValue)`: \(error)")
    }
    part.total = Int64(part.readings.count)
    return part
  }
}

/// Some rows of a table, and their number in the table.
struct Part<Reading> {
  var readings: [Reading] = []
  var total: Int64 = 0
  /// Damage of the table itself.
  var problems: [String] = []

  mutating func add(_ other: Self) {
    readings += other.readings
    problems += other.problems
    total += other.total
  }
}
