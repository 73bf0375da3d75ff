// Explains why an operation is still in the outbox, and then the operations that it waits for.
import ModelSupport

extension StoreContents {
  /// Explains an operation, then the one that it waits for, and so on, 10 operations at most. People see the reasons;
  /// programs get the whole operations too.
  func explanations(of meant: OperationSearch.Found) -> [ReportValue] {
    let context = readingContext()
    // The search has reported damage of this table.
    let rows = store.rows(of: .operation).rows
    let outbox = OutboxInspection(rows, queue: { tables.queues[$0]?.id }, name: { tables.types[$0]?.name })
    let reader = WhyReader(tables: tables, outbox: outbox) { number in
      rows.first { (try? $0.integer("number")) == number }.map { OperationReading($0, of: .operation, context) }
    }
    var reports: [ReportValue] = []
    var explained = Set([meant.number])
    var next: OperationReading? = OperationReading(meant.row, of: meant.table, context)
    while let operation = next, reports.count < 10 {
      let reasons = reader.reasons(for: operation)
      let members = operation.members.showing(["queue", "performedAt", "problems"])
      reports.append(.record(title: operation.title, members + ["why": .lines(reasons.map(\.report))]))
      let blocker = reasons.lazy.compactMap(\.blocker).first
      next = blocker.flatMap { explained.insert($0).inserted ? reader.operation($0) : nil }
    }
    return reports
  }
}

/// Finds the reasons of an operation in its row and in those of its queue.
private struct WhyReader {
  var tables: StoreTables
  var outbox: OutboxInspection
  /// Looks up an operation in the outbox by its number.
  var operation: (Int64) -> OperationReading?

  /// The most important reason comes first.
  func reasons(for operation: OperationReading) -> [WaitReason] {
    let first = [operation.reason].compactMap(\.self)
    guard operation.table == .operation else { return first }
    guard operation.outcome == nil else { return first + reasons(decided: operation) }
    return operation.problems.isEmpty ? first + reasons(open: operation) : [.damaged]
  }

  /// The operation waits until its queue has been read far enough to show its effect.
  private func reasons(decided operation: OperationReading) -> [WaitReason] {
    var reasons: [WaitReason] = []
    if let place = tables.queue(operation.queue)?.place {
      if place.settling(in: tables.history) == nil { reasons.append(.load(place.load)) }
      if let position = place.position, position > place.cursor { reasons.append(.catchUp(position: position)) }
    }
    return reasons + failures(of: operation.queue)
  }

  /// The operation waits to be sent, or for the answer.
  private func reasons(open operation: OperationReading) -> [WaitReason] {
    let place = tables.queue(operation.queue)?.place ?? QueuePlace()
    var reasons: [WaitReason] = []
    if !place.mayBeSentTo(isMaker: isMade(operation.queue)) { reasons.append(.queue(place.load)) }
    if let obstacle = operation.number.flatMap(outbox.obstacle) {
      reasons.append(.obstacle(obstacle, self.operation))
    }
    if tables.history == nil { reasons.append(.firstAnswer) }
    reasons += failures(of: operation.queue)
    if reasons.isEmpty, operation.reason == nil { reasons.append(.request) }
    if !operation.files.isEmpty, !operation.isVoided { reasons.append(.files(operation.files)) }
    return reasons
  }

  private func failures(of queue: QueueName) -> [WaitReason] {
    let home = tables.homeQueue.map { QueueName.queue($0) }
    let server = home.flatMap { tables.queue($0) }?.failure
    let own = queue == home ? nil : tables.queue(queue)?.failure
    return [
      server.map { .failures($0, "server", of: "to the server") },
      own.map { .failures($0, "queue", of: "of its queue") },
    ].compactMap(\.self)
  }

  /// Whether an operation in the outbox creates the root of a queue.
  private func isMade(_ queue: QueueName) -> Bool {
    if case .queue(let id) = queue { outbox.makes(id) } else { false }
  }
}
