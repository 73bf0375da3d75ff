// The names behind the numbers in rows: types with their fields, and queues.
import Foundation
import ModelSupport

struct StoreTables {
  struct StoredType {
    var name: String
    var fields: [StoredField]
  }

  struct Queue {
    /// Nil for objects that never leave the device.
    var id: QueueID?
    var place = QueuePlace()
    /// Whether others have added the user, who has not accepted yet. Apps show nothing of such a queue.
    var isInvited = false
    /// The requests for this queue that have failed in a row. For the home queue: requests to the server.
    var failure: QueueFailure?
  }

  private(set) var types: [Int64: StoredType] = [:]
  private(set) var queues: [Int64: Queue] = [:]
  /// Names and values. The summary reports damage of this table.
  let properties: Rows
  /// Damage of the other tables, and of the store's files.
  private(set) var problems: [String]

  init(_ store: StoreInspection) {
    properties = store.rows(of: .property)
    let (types, queues) = (store.rows(of: .type), store.rows(of: .queue))
    problems = store.problems
    for row in types.rows { add(type: row) }
    problems += types.problems
    for row in queues.rows { add(queue: row) }
    problems += queues.problems
  }

  private mutating func add(type row: StoredRow) {
    var reading = RowReading(row)
    if let number = reading.integer("number"), let name = reading.text("name") {
      var type = StoredType(name: name, fields: [])
      if let json = reading.text("fields") {
        do { type.fields = try JSONDecoder().decode([StoredField].self, from: Data(json.utf8)) } catch {
          reading.addProblem("its list of fields cannot be read.")
        }
      }
      types[number] = type
    }
    problems += reading.problems.map { "type \(Self.key(row)): \($0)" }
  }

  private mutating func add(queue row: StoredRow) {
    var reading = RowReading(row)
    if let number = reading.integer("number"), let id: QueueID = reading.id("id") {
      queues[number] = Queue(&reading, id: number == 0 ? nil : id)
    }
    problems += reading.problems.map { "queue \(Self.key(row)): \($0)" }
  }

  func property(_ name: String) -> StoredValue? {
    properties.rows.first { $0.columns["name"] == .text(name) }?.columns["value"]
  }

  /// The history of the server, as the store has heard it; nil before the first answer.
  var history: HistoryID? {
    if case .bytes(let bytes)? = property("history") { HistoryID(bytes: bytes) } else { nil }
  }

  /// The id of the user's home queue, which says what the user follows; nil where the store names no user or no schema.
  var homeQueue: QueueID? {
    guard case .text(let text)? = property("user"), case .text(let schema)? = property("schema") else { return nil }
    return UserID(text).map { SyncID.homeQueue(ofUser: $0, schema: schema) }
  }

  /// The names of the models in the store, sorted. Names of operations contain a dot.
  var models: [String] { types.values.map(\.name).filter { !$0.contains(".") }.sorted() }

  func number(ofType name: String) -> Int64? { types.first { $0.value.name == name }?.key }

  func queue(_ name: QueueName) -> Queue? {
    guard case .queue(let id) = name else { return nil }
    return queues.values.first { $0.id == id }
  }

  func fields(of name: String?) -> [StoredField] { types.values.first { $0.name == name }?.fields ?? [] }

  private static func key(_ row: StoredRow) -> String { (try? row.integer("number")).map { "\($0)" } ?? "?" }
}

extension StoreTables.Queue {
  init(_ reading: inout RowReading, id: QueueID?) {
    self.id = id
    place.cursor = reading.integer("cursor") ?? 0
    place.load = reading.word("load") ?? place.load
    place.position = reading.optional("position") { $0.integer("position") }
    place.history = reading.optional("history") { $0.id("history") }
    isInvited = reading.integer("invited") == 1
    failure = reading.failure()
  }
}

/// The queue that a row refers to.
enum QueueName: Equatable {
  case none
  case device
  case queue(QueueID)
  case missing

  var report: ReportValue {
    switch self {
    case .none: .worded("no queue", .null)
    case .device: .worded("never leaves the device", .string("device"))
    case .queue(let id): ReportValue(id)
    case .missing: .worded("unknown", .null)
    }
  }
}

extension RowReading {
  mutating func queue(_ tables: StoreTables) -> QueueName {
    guard let number = integer("queue") else { return .missing }
    guard let queue = tables.queues[number] else {
      addProblem("it names queue \(number), which is not there.")
      return .missing
    }
    return queue.id.map { .queue($0) } ?? .device
  }

  /// The model or operation that the row refers to, with its fields.
  mutating func type(_ tables: StoreTables) -> StoreTables.StoredType? {
    guard let number = integer("type") else { return nil }
    if tables.types[number] == nil { addProblem("it names type \(number), which is not there.") }
    return tables.types[number]
  }
}
