// A row of the tables `operation` (the outbox), `failed` or `retired`, decoded.
import ModelSupport

struct OperationReading {
  let table: StoreInspection.Table
  var number: Int64?
  var id: OperationID?
  var name: String?
  var queue: QueueName
  /// Files that must have reached the server before the operation.
  var files: [ContentHash] = []
  /// The server's decision about an operation in the outbox.
  private(set) var outcome: String?
  /// Whether the user took it back after it was sent.
  private(set) var isVoided = false
  /// How far it has come, or what became of it; nil if it was not sent.
  private(set) var reason: WaitReason?
  private(set) var problems: [String] = []
  /// All of the row, as an object.
  private(set) var members: ReportValue = [:]

  init(_ row: StoredRow, of table: StoreInspection.Table, _ context: ReadingContext) {
    var reading = RowReading(row)
    self.table = table
    number = reading.integer("number")
    id = reading.id(table == .failed ? "operation" : "id")
    queue = reading.queue(context.tables)
    let type = reading.type(context.tables)
    name = type?.name
    let parameters = reading.message("parameters", as: type?.fields ?? []).object
    let performedAt = reading.time("performedAt")
    let attempt = reading.integer("attempt") ?? 0
    let dependencies = reading.optional("dependencies") { $0.ids("dependencies") } ?? []
    var changes = OperationChanges()
    do throws(WireError) { changes = try OperationChanges(bytes: reading.bytes("changes")) } catch {
      reading.addProblem("`changes` cannot be read: \(error).")
    }
    files = changes.files
    let fate =
      switch table {
      case .failed: readFailure(&reading)
      case .retired: readRetirement(&reading)
      default: readProgress(&reading, cursor: context.tables.queue(queue)?.place.cursor)
      }
    // An operation that was refused before it had changes never got a queue. Its column holds 0 then.
    if table == .failed, queue == .device, changes.isEmpty { queue = .none }
    problems = reading.problems
    if table != .failed { checkSum(row) }
    let common: ReportValue = [
      "number": .hidden(ReportValue(number: number)), "id": .hidden(ReportValue(id)),
      "operation": .hidden(ReportValue(name)), "queue": queue.report, "performedAt": ReportValue(performedAt),
      "attempt": .worded(attempt > 0 ? "tried again \(counted(attempt, "time"))" : "", ReportValue(number: attempt)),
      "parameters": .record(title: "", parameters), "changes": .lines(changes.objects.map { context.report($0) }),
      "members": .lines(changes.members.map(\.report)), "links": .lines(changes.linkReports),
      "files": .lines(of: files),
      "dependencies": .lines(of: dependencies),
    ]
    members = common + fate + ["problems": .lines(of: problems)]
  }

  /// Failed operations are numbered on their own, so their numbers would mean others.
  var title: String { "\(table == .failed ? "" : "\(known(number)). ")\(name ?? "operation") \(known(id))" }
}

extension OperationReading {
  private mutating func readFailure(_ reading: inout RowReading) -> ReportValue {
    let (word, message) = (reading.text("reason"), reading.text("message"))
    reason = WaitReason("failed", "It did not happen (\(known(word))): \(known(message))")
    return ["reason": ReportValue(word), "message": ReportValue(message)]
  }

  /// Reads a row of an applied operation, which the store keeps in case the server loses it.
  private mutating func readRetirement(_ reading: inout RowReading) -> ReportValue {
    let time = reading.time("outcomeTime")
    reason = .retired(time)
    return ["state": .string("retired"), "decidedAt": ReportValue(time)]
  }

  /// `cursor` says how far the queue of the operation has been read.
  private mutating func readProgress(_ reading: inout RowReading, cursor: Int64?) -> ReportValue {
    let isSent = !reading.row.isNull("firstSent")
    isVoided = reading.integer("voided") == 1
    // It is sent again after a loss. Its effect is in the rows, and it is not replayed on top of them.
    let isHidden = reading.integer("hidden") == 1
    outcome = reading.optional("outcome") { $0.text("outcome") }
    if let outcome, WaitReason.verdicts[outcome] == nil {
      reading.addProblem("the outcome `\(outcome)` does not exist.")
    }
    let code = reading.optional("outcomeCode") { $0.text("outcomeCode") }
    let revision = reading.optional("outcomeAt") { $0.integer("outcomeAt") }
    // The server's newest known time when it may first have left the device; 0 where that is unknown.
    let time = reading.optional("firstSent") { $0.time("firstSent") }
    let firstSent = time == .zero ? nil : time
    if let outcome {
      reason = .cursor(outcome, code: code, at: revision, cursor: cursor)
    } else if isSent || isVoided || isHidden {
      reason = isHidden ? .again : isVoided ? .void(since: firstSent) : .answer(since: firstSent)
    }
    let because = reason?.text ?? "It has not been sent\(files.isEmpty ? "" : "; its files go first")."
    let word = outcome ?? (isVoided ? "voided" : isSent ? "sent" : "saved")
    let details: ReportValue = [
      "sent": .bool(isSent), "voided": .bool(isVoided), "hidden": .bool(isHidden), "outcome": ReportValue(outcome),
      "outcomeCode": ReportValue(code), "outcomeAt": ReportValue(number: revision),
      "cursor": ReportValue(number: cursor), "firstSent": ReportValue(firstSent), "pendingBecause": .string(because),
    ]
    return ["state": .worded(because, .string(word))] + details.showing([])
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
}
