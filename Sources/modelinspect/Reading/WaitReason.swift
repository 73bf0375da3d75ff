// The reasons why an operation waits, as values. Text and JSON are made from them.
import ModelSupport

enum WaitReason: Equatable {
  // The operation is in the outbox and has no outcome.
  /// It will not be sent, because its bytes are not those that were written.
  case damaged
  case obstacle(SendingObstacle, Blocker?)
  /// No operation of the queue is sent, because the queue is in this state.
  case queue(QueuePlace.Load)
  /// No server has answered this store yet.
  case firstAnswer
  /// Nothing keeps it: it goes with the next request.
  case request
  /// It may have been sent; `since` is nil where the store does not know when.
  case answer(since: Timestamp?)
  /// The server may have lost it, so it is sent again.
  case again
  /// It was taken back after it may have been sent.
  case void(since: Timestamp?)
  case files([ContentHash])
  // The operation is in the outbox and has an outcome.
  case cursor(Decision)
  /// No operation leaves the outbox before the load of its queue is complete.
  case load(QueuePlace.Load)
  /// Pages up to this revision have come, but are not shown yet.
  case catchUp(position: Int64)
  // Requests to the server, or those for the operation's queue, fail.
  case server(QueueFailure)
  case failures(QueueFailure)
  // The operation is not in the outbox.
  case retired(RetiredState)
  case failed(reason: String?, message: String?)

  /// Another operation that has to be sent, or to leave the outbox, first.
  struct Blocker: Equatable {
    var number: Int64
    var id: OperationID?
    var name: String?
    /// Its outcome, if it has one.
    var outcome: String?
  }

  struct Decision: Equatable {
    var outcome: String
    var code: String?
    var at: Int64?
    /// How far the queue has been read.
    var cursor: Int64?

    /// The number of revisions that are left to read; nil where the row does not say.
    var behind: Int64? {
      guard let at, let cursor else { return nil }
      let (behind, isOverflow) = at.subtractingReportingOverflow(cursor)
      return isOverflow ? nil : max(behind, 0)
    }
  }
}
