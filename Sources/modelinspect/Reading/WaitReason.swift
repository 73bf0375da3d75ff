// Why an operation is where it is: each reason as a value, which text and JSON say in their ways.
import ModelRuntime

enum WaitReason: Equatable {
  // It is in the outbox, and has no outcome.
  /// It will not be sent: its bytes are not those that were written.
  case damaged
  case obstacle(SendingObstacle, Blocker?)
  /// Nothing of the queue is sent.
  case queue(QueuePlace.Load)
  /// No server has answered this store yet.
  case firstAnswer
  /// Nothing keeps it.
  case request
  /// It may have left; nil where the store does not know since when.
  case answer(since: Timestamp?)
  /// The same, for one that was taken back.
  case void(since: Timestamp?)
  case files([ContentHash])
  // It has an outcome.
  case cursor(Decision)
  /// Nothing leaves the outbox before a load is complete.
  case load(QueuePlace.Load)
  /// Pages up to here have come, and are not shown.
  case catchUp(position: Int64)
  // Requests fail.
  case server(QueueFailure)
  case failures(QueueFailure)
  // It is not in the outbox.
  case retired(RetiredState)
  case attention(reason: String?, message: String?)

  /// Another operation, which has to go or to leave first.
  struct Blocker: Equatable {
    var number: Int64
    var id: UUIDValue?
    var name: String?
    /// Its own outcome, where it has failed.
    var outcome: String?
  }

  struct Decision: Equatable {
    var outcome: String
    var code: String?
    var at: Int64?
    /// How far the queue has been read.
    var cursor: Int64?

    /// How many revisions are left to read; nil where the row does not say.
    var behind: Int64? {
      guard let at, let cursor else { return nil }
      let (behind, isOverflow) = at.subtractingReportingOverflow(cursor)
      return isOverflow ? nil : max(behind, 0)
    }
  }
}

/// The answer for one operation.
struct WhyReading {
  var operation: OperationReading
  /// Most important first.
  var reasons: [WaitReason]

  /// The number of the operation that it waits for.
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
    case .attention(let reason, let message): reasons = [.attention(reason: reason, message: message)]
    case .pending(let state) where state.outcome != nil: reasons = Self.reasons(decided: state, operation, context)
    case .pending(let state): reasons = Self.reasons(open: state, operation, context)
    }
  }

  /// It has an outcome, and waits until its queue has been read so far that its effect is there.
  private static func reasons(
    decided state: PendingState, _ operation: OperationReading, _ context: WhyContext
  ) -> [WaitReason] {
    let place = context.tables.queue(operation.queue)?.place
    var reasons: [WaitReason] = [
      .cursor(
        .init(outcome: state.outcome ?? "", code: state.outcomeCode, at: state.outcomeAt, cursor: state.cursor))
    ]
    if let place, place.settling == nil { reasons.append(.load(place.load)) }
    if let place, let position = place.position, position > place.cursor {
      reasons.append(.catchUp(position: position))
    }
    return reasons + context.failures(of: operation.queue)
  }

  /// It waits to be sent, or for the answer.
  private static func reasons(
    open state: PendingState, _ operation: OperationReading, _ context: WhyContext
  ) -> [WaitReason] {
    guard operation.problems.isEmpty, let number = operation.number else { return [.damaged] }
    let place = context.tables.queue(operation.queue)?.place ?? QueuePlace()
    var reasons: [WaitReason] = []
    if state.isVoided {
      reasons.append(.void(since: state.firstSent))
    } else if state.isSent {
      reasons.append(.answer(since: state.firstSent))
    }
    let obstacle = context.outbox.obstacle(of: number, isLoaded: place.load == .loaded)
    if !place.mayBeSentTo { reasons.append(.queue(place.load)) }
    if let obstacle { reasons.append(.obstacle(obstacle, context.blocker(obstacle))) }
    if !context.tables.isAnswered { reasons.append(.firstAnswer) }
    reasons += context.failures(of: operation.queue)
    if reasons.isEmpty { reasons.append(.request) }
    if !operation.files.isEmpty, !state.isVoided { reasons.append(.files(operation.files)) }
    return reasons
  }
}

/// What the reasons are found with.
struct WhyContext {
  var tables: StoreTables
  var outbox: OutboxInspection
  /// The queue whose failures are those of the server.
  var homeQueue: UUIDValue?
  /// An operation of the outbox by its number.
  var operation: (Int64) -> OperationReading?

  func failures(of queue: QueueName) -> [WaitReason] {
    let server = homeQueue.flatMap { tables.queue(.queue($0)) }?.failure
    let own = queue == homeQueue.map { .queue($0) } ? nil : tables.queue(queue)?.failure
    return [server.map { .server($0) }, own.map { .failures($0) }].compactMap { $0 }
  }

  func blocker(_ obstacle: SendingObstacle) -> WaitReason.Blocker? {
    let number: Int64
    switch obstacle {
    case .earlier(let earlier, _): number = earlier
    case .dependency(let dependency): number = dependency
    case .decided, .unsaved, .files, .load, .room: return nil
    }
    let operation = operation(number)
    var blocker = WaitReason.Blocker(number: number, id: operation?.id, name: operation?.name)
    if case .pending(let state)? = operation?.fate { blocker.outcome = state.outcome }
    return blocker
  }
}
