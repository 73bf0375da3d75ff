// The reasons for which an operation waits, as values, which text and JSON show in their ways.
import ModelRuntime

enum WaitReason: Equatable {
  // It is in the outbox, and has no outcome.
  /// It will not be sent: its bytes are not those that were written.
  case damaged
  case obstacle(SendingObstacle, Blocker?)
  /// Nothing of the queue is sent.
  case queue(QueuePlace.Load)
  /// The server has no such queue, and nothing on the device creates its root.
  case root
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
