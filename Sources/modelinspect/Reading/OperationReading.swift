// A row of the tables `operation` (the outbox), `failed` or `retired`, decoded.
import ModelSupport

struct OperationReading {
  var number: Int64?
  var id: OperationID?
  var name: String?
  var queue: QueueName
  var parameters: [FieldEntry]
  var changes: [ChangeReading]
  var members: [MemberChange]
  /// Files that must have reached the server before the operation.
  var files: [ContentHash]
  /// Operations that must have been applied before this one.
  var dependencies: [OperationID]
  var performedAt: Timestamp?
  /// How often the user has tried it again after it had failed.
  var attempt: Int64
  var fate: Fate
  var problems: [String]

  enum Fate {
    case pending(PendingState)
    case failed(reason: String?, message: String?)
    case retired(RetiredState)
  }

  init(outbox row: StoredRow, _ context: ReadingContext) {
    self.init(row, id: "id", context) { reading, queue in
      .pending(PendingState(&reading, cursor: context.cursor(of: queue)))
    }
    if case .pending(var state) = fate, !files.isEmpty {
      state.needsFiles = true
      fate = .pending(state)
    }
    checkSum(row)
  }

  init(retired row: StoredRow, _ context: ReadingContext) {
    self.init(row, id: "id", context) { reading, _ in .retired(RetiredState(&reading)) }
    checkSum(row)
  }

  /// Notes a wrong checksum, which only operations in the outbox and retired ones have. Skipped after any other
  /// problem.
  private mutating func checkSum(_ row: StoredRow) {
    guard problems.isEmpty, let name else { return }
    var id: QueueID?
    if case .queue(let queue) = queue { id = queue }
    do {
      if try !row.hasSum(queue: id, name: name) { problems.append("its bytes are not those that were written.") }
    } catch {
      problems.append("\(error)")
    }
  }

  init(failed row: StoredRow, _ context: ReadingContext) {
    self.init(row, id: "operation", context) { reading, _ in
      .failed(reason: reading.text("reason"), message: reading.text("message"))
    }
  }

  private init(
    _ row: StoredRow, id column: String, _ context: ReadingContext, _ fate: (inout RowReading, QueueName) -> Fate
  ) {
    var reading = RowReading(row)
    number = reading.integer("number")
    id = reading.id(column)
    queue = reading.queue(context.tables)
    let type = reading.type(context.tables)
    name = type?.name
    parameters = reading.message("parameters", as: type?.fields ?? [])
    performedAt = reading.time("performedAt")
    attempt = reading.integer("attempt") ?? 0
    dependencies = (reading.optional("dependencies") { $0.ids("dependencies") } ?? []).map { OperationID($0) }
    var changes = OperationChanges()
    do throws(WireError) { changes = try OperationChanges(bytes: reading.bytes("changes")) } catch {
      reading.addProblem("`changes` cannot be read: \(error).")
    }
    self.changes = changes.objects.map { ChangeReading($0, context.tables, context.model) }
    (members, files) = (changes.members, changes.files)
    self.fate = fate(&reading, queue)
    // An operation that was refused before it had changes never got a queue. Its column holds 0 then.
    if case .failed = self.fate, queue == .device, changes.isEmpty { queue = .none }
    problems = reading.problems
  }
}

/// How far an operation in the outbox has come, and what it waits for.
struct PendingState: Equatable {
  var isSent: Bool
  /// Whether the user took it back after it was sent.
  var isVoided: Bool
  /// Whether it is sent again after a loss. Then its effect is in the rows, and it is not replayed on top of them.
  var isHidden: Bool
  var outcome: String?
  /// The code of a rejection.
  var outcomeCode: String?
  var outcomeAt: Int64?
  /// How far the queue of the operation has been read.
  var cursor: Int64?
  /// Whether files must reach the server before the operation.
  var needsFiles = false
  /// The server's newest known time when the operation may first have left the device; nil where it is unknown.
  var firstSent: Timestamp?

  init(_ reading: inout RowReading, cursor: Int64?) {
    isSent = !reading.row.isNull("firstSent")
    isVoided = reading.flag("voided")
    isHidden = reading.flag("hidden")
    outcome = reading.optional("outcome") { $0.text("outcome") }
    if let outcome, !Self.outcomes.contains(outcome) { reading.addProblem("the outcome `\(outcome)` does not exist.") }
    outcomeCode = reading.optional("outcomeCode") { $0.text("outcomeCode") }
    outcomeAt = reading.optional("outcomeAt") { $0.integer("outcomeAt") }
    self.cursor = cursor
    firstSent = reading.optional("firstSent") { $0.time("firstSent") }
    if firstSent == .zero { firstSent = nil }
  }

  /// The valid outcomes.
  private static let outcomes: Set = ["applied", "noEffect", "rejected", "voided", "unknown"]

  /// The state in one word.
  var word: String { outcome ?? (isVoided ? "voided" : isSent ? "sent" : "saved") }

  /// The reason why it is still in the outbox.
  var reason: String {
    if let outcome {
      let verdict = outcomeCode.map { "\(outcome) (\($0))" } ?? outcome
      return "the server said \(verdict) at revision \(shown(outcomeAt)); it leaves when its queue, read up to "
        + "\(shown(cursor)), has been read that far"
    }
    if isHidden { return "sent again after a loss; the rows have it already" }
    if isVoided { return "it was taken back after it was sent; the server has not said whether in time" }
    if isSent { return "it may have left the device; the server has not answered" }
    return needsFiles ? "it has not been sent; its files go first" : "it has not been sent"
  }

  private func shown(_ number: Int64?) -> String { number.map { "\($0)" } ?? "?" }
}

/// An operation that was applied and has left the outbox. The store keeps it in case the server loses it.
struct RetiredState: Equatable {
  /// By the server's clock.
  var decidedAt: Timestamp?

  init(_ reading: inout RowReading) { decidedAt = reading.time("outcomeTime") }
}

/// Names and numbers that are needed to decode rows of operations.
struct ReadingContext {
  var tables: StoreTables
  /// The model of an object, from an operation that creates it or from the object's confirmed row.
  var model: (UUIDValue) -> String?

  func cursor(of queue: QueueName) -> Int64? { tables.queue(queue)?.place.cursor }
}
