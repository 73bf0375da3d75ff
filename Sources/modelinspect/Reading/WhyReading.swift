// Explains one operation: turns its row and those of its queue into reasons, the most important first. Pure.
import ModelSupport

/// The explanation of one operation.
struct WhyReading {
  var operation: OperationReading
  /// The most important reason comes first.
  var reasons: [WaitReason]

  /// The number of the operation that this one waits for.
  var blocker: Int64? {
    for case .obstacle(_, let blocker?) in reasons { return blocker.number }
    return nil
  }
}

extension WhyReading {
  init(_ operation: OperationReading, _ context: WhyContext) {
    self.operation = operation
    switch operation.fate {
    case .retired(let state): reasons = [.retired(state)]
    case .failed(let reason, let message): reasons = [.failed(reason: reason, message: message)]
    case .pending(let state) where state.outcome != nil: reasons = Self.reasons(decided: state, operation, context)
    case .pending(let state): reasons = Self.reasons(open: state, operation, context)
    }
  }

  /// The reasons for an operation with an outcome. It waits until its queue has been read far enough to show its
  /// effect.
  private static func reasons(
    decided state: PendingState, _ operation: OperationReading, _ context: WhyContext
  ) -> [WaitReason] {
    let place = context.tables.queue(operation.queue)?.place
    var reasons: [WaitReason] = [
      .cursor(
        .init(outcome: state.outcome ?? "", code: state.outcomeCode, at: state.outcomeAt, cursor: state.cursor))
    ]
    if let place, place.settling(in: context.tables.history) == nil { reasons.append(.load(place.load)) }
    if let place, let position = place.position, position > place.cursor {
      reasons.append(.catchUp(position: position))
    }
    return reasons + context.failures(of: operation.queue)
  }

  /// The reasons for an operation without an outcome. It waits to be sent, or for the answer.
  private static func reasons(
    open state: PendingState, _ operation: OperationReading, _ context: WhyContext
  ) -> [WaitReason] {
    guard operation.problems.isEmpty, let number = operation.number else { return [.damaged] }
    let place = context.tables.queue(operation.queue)?.place ?? QueuePlace()
    var reasons: [WaitReason] = []
    if state.isHidden {
      reasons.append(.again)
    } else if state.isVoided {
      reasons.append(.void(since: state.firstSent))
    } else if state.isSent {
      reasons.append(.answer(since: state.firstSent))
    }
    let obstacle = context.outbox.obstacle(of: number)
    if !place.mayBeSentTo(isMaker: context.isMade(operation.queue)) { reasons.append(.queue(place.load)) }
    if let obstacle { reasons.append(.obstacle(obstacle, context.blocker(obstacle))) }
    if context.tables.history == nil { reasons.append(.firstAnswer) }
    reasons += context.failures(of: operation.queue)
    if reasons.isEmpty { reasons.append(.request) }
    if !operation.files.isEmpty, !state.isVoided { reasons.append(.files(operation.files)) }
    return reasons
  }
}

/// The rows that the reasons are found in.
struct WhyContext {
  var tables: StoreTables
  var outbox: OutboxInspection
  /// The home queue, whose failures are those of the server.
  var homeQueue: QueueID?
  /// Looks up an operation in the outbox by its number.
  var operation: (Int64) -> OperationReading?

  func failures(of queue: QueueName) -> [WaitReason] {
    let server = homeQueue.flatMap { tables.queue(.queue($0)) }?.failure
    let own = queue == homeQueue.map { .queue($0) } ? nil : tables.queue(queue)?.failure
    return [server.map { .server($0) }, own.map { .failures($0) }].compactMap { $0 }
  }

  /// Whether an operation in the outbox creates the root of a queue.
  func isMade(_ queue: QueueName) -> Bool {
    if case .queue(let id) = queue { outbox.makes(id) } else { false }
  }

  func blocker(_ obstacle: SendingObstacle) -> WaitReason.Blocker? {
    let number: Int64
    switch obstacle {
    case .earlier(let earlier, _): number = earlier
    case .dependency(let dependency): number = dependency
    case .root(let root): number = root
    case .decided, .unsaved, .files, .aside, .room: return nil
    }
    let operation = operation(number)
    var blocker = WaitReason.Blocker(number: number, id: operation?.id, name: operation?.name)
    if case .pending(let state)? = operation?.fate { blocker.outcome = state.outcome }
    return blocker
  }
}
