// The names behind the numbers in rows: types with their fields, and queues.
import Foundation
import ModelSupport

struct StoreTables {
  struct StoredType: Equatable {
    var name: String
    var fields: [StoredField]
  }

  struct Queue: Equatable {
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
  /// The history of the server, as the store has heard it; nil before the first answer.
  private(set) var history: HistoryID?
  /// Damage of these tables, and of the store's files.
  private(set) var problems: [String] = []

  init() {}

  init(_ store: StoreInspection) {
    problems = store.problems
    read(store, .type) { $0.add(type: $1) }
    read(store, .queue) { $0.add(queue: $1) }
    // The summary tells the damage of this table.
    try? store.forEachRow(of: .property, where: "name", is: .text("history")) { row in
      history = (try? row.bytes("value")).flatMap { HistoryID(bytes: $0) }
      return false
    }
  }

  mutating func add(type row: StoredRow) {
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

  mutating func add(queue row: StoredRow) {
    var reading = RowReading(row)
    if let number = reading.integer("number"), let id: QueueID = reading.id("id") {
      queues[number] = Queue(&reading, id: number == 0 ? nil : id)
    }
    problems += reading.problems.map { "queue \(Self.key(row)): \($0)" }
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

  private mutating func read(
    _ store: StoreInspection, _ table: StoreInspection.Table, _ take: (inout Self, StoredRow) -> Void
  ) {
    do {
      try store.forEachRow(of: table) { row in
        take(&self, row)
        return true
      }
    } catch {
      problems.append("the table `\(table.rawValue)`: \(error)")
    }
  }
}

extension StoreTables.Queue {
  init(_ reading: inout RowReading, id: QueueID?) {
    self.id = id
    place.cursor = reading.integer("cursor") ?? 0
    if let number = reading.integer("load") {
      if let load = QueuePlace.Load(rawValue: number) {
        place.load = load
      } else {
        reading.addProblem("`load` is \(number), which has no meaning.")
      }
    }
    place.position = reading.optional("position") { $0.integer("position") }
    place.history = reading.optional("history") { $0.id("history") }
    isInvited = reading.integer("invited") == 1
    guard let attempts = reading.integer("attempts"), attempts > 0 else { return }
    failure = QueueFailure(
      attempts: Int(clamping: attempts), retryAt: reading.optional("retryAt") { $0.time("retryAt") } ?? .zero,
      message: reading.optional("lastError") { $0.text("lastError") } ?? "")
  }
}

/// The queue that a row refers to.
enum QueueName: Equatable {
  case none
  case device
  case queue(QueueID)
  case missing(Int64?)
}

extension RowReading {
  mutating func queue(_ tables: StoreTables) -> QueueName {
    guard let number = integer("queue") else { return .missing(nil) }
    guard let queue = tables.queues[number] else {
      addProblem("it names queue \(number), which is not there.")
      return .missing(number)
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
