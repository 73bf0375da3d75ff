// The summary of a store: its user, its size, and the numbers of its rows.
import Foundation
import ModelSupport

struct SummaryReading {
  var version: Int64?
  /// `schema`, `user`, `library`, and properties that newer libraries add.
  var properties: [(name: String, value: String)] = []
  var files: [(name: String, bytes: Int64)]
  var queues: [QueueSummary] = []
  var outbox: Int64?
  var failed: Int64?
  /// The numbers of retired operations, and of rows that have come and are not shown yet.
  var retired: Int64?
  var staged: Int64?
  var problems: [String]

  struct QueueSummary {
    /// Nil for objects that never leave the device.
    var id: QueueID?
    /// Nil for objects that never leave the device.
    var state: StoreTables.Queue?
    /// Whether it is the home queue, which says what the user follows. Its failures are those of the server.
    var isHome = false
    var models: [ModelCount] = []
  }

  struct ModelCount {
    var name: String?
    var count: Int64
    /// The total size of the contents.
    var bytes: Int64
  }

  init(_ contents: StoreContents, files: [(name: String, bytes: Int64)]) {
    let store = contents.store
    self.files = files
    problems = contents.tables.problems
    version = read("the version") { try store.version }
    for row in contents.properties.readings { add(property: row) }
    problems += contents.properties.problems
    outbox = read("the table `operation`") { try store.count(.operation) }
    failed = read("the table `failed`") { try store.count(.failed) }
    retired = read("the table `retired`") { try store.count(.retired) }
    staged = read("the table `staged`") { try store.count(.staged) }
    add(counts: read("the table `object`") { try store.objectCounts() } ?? contents.readableCounts(), contents)
  }

  private mutating func add(property row: StoredRow) {
    switch (row.columns["name"], row.columns["value"]) {
    case (.text(let name), .text(let value)): properties.append((name, value))
    case (.text(let name), .integer(let value)): properties.append((name, "\(value)"))
    // Ids: those of the server, and of the client that syncs the store.
    case (.text(let name), .bytes(let value)):
      properties.append((name, UUIDValue(bytes: value)?.description ?? hexadecimal(value)))
    default: problems.append("a property is neither a text nor a number nor bytes.")
    }
  }

  private mutating func add(counts: [StoredRow], _ contents: StoreContents) {
    let (tables, homeQueue) = (contents.tables, contents.homeQueue)
    var counts = Dictionary(grouping: counts) { (try? $0.integer("queue")) ?? -1 }
    for (number, queue) in tables.queues.sorted(by: { $0.key < $1.key }) {
      let rows = counts.removeValue(forKey: number) ?? []
      guard number != 0 || !rows.isEmpty else { continue }
      let models = rows.map { Self.model($0, tables) }
      queues.append(
        QueueSummary(
          id: queue.id, state: number == 0 ? nil : queue, isHome: queue.id != nil && queue.id == homeQueue,
          models: models))
      problems += Self.nameless(models)
    }
    for (number, rows) in counts.sorted(by: { $0.key < $1.key }) {
      let count = rows.reduce(0) { $0 + Self.model($1, tables).count }
      problems.append("\(count) of the objects name queue \(number), which is not there.")
    }
  }

  private static func nameless(_ models: [ModelCount]) -> [String] {
    models.filter { $0.name == nil }.map { "\($0.count) of the objects name a type that is not there." }
  }

  private static func model(_ row: StoredRow, _ tables: StoreTables) -> ModelCount {
    let type = (try? row.integer("type")).flatMap { tables.types[$0] }
    return ModelCount(
      name: type?.name, count: (try? row.integer("count")) ?? 0, bytes: (try? row.integer("bytes")) ?? 0)
  }

  private mutating func read<Value>(_ what: String, _ body: () throws -> Value) -> Value? {
    do { return try body() } catch {
      problems.append("\(what): \(error)")
      return nil
    }
  }
}
