// The question of a delta about one queue, and its answer.

package import SyncProtocol
package import WireFormat

/// The question of a delta about one queue, and the history of the server in which it is asked.
package struct DeltaQuestion: Hashable, Sendable {
  package var queue: QueueID
  /// The place of the queue. An answer is ignored if the queue has another place by then.
  package var place: QueuePlace
  /// Operations whose outcomes the queue needs.
  package var awaiting: [OperationID]
  /// Whether all of them are asked for, also in the midst of a scan.
  package var asksAll = false
  package var history: HistoryID?
  /// The grant of the membership that the client knew. A refusal says nothing about a later membership.
  package var membership: GrantID?

  package init(of queue: QueueID, at place: QueuePlace, awaiting: [OperationID]) {
    (self.queue, self.place, self.awaiting) = (queue, place, awaiting)
  }

  /// Operations whose outcomes are asked for. A page that goes on with a scan asks for none, because only the last page
  /// of a load tells outcomes: thousands of ids would go up with each page.
  package var asked: [OperationID] { place.scan == nil || asksAll ? awaiting : [] }

  package var request: DeltaRequest.Queue {
    .init(queue: queue, grant: place.grant, cursor: place.position, scan: place.scan, awaiting: asked)
  }
}

/// The answer of a delta about one queue, with its question.
package struct AnsweredDelta: Sendable {
  package var question: DeltaQuestion
  /// The server's clock.
  package var time: Timestamp
  package var result: DeltaAnswer.Result

  package init(_ question: DeltaQuestion, at time: Timestamp, _ result: DeltaAnswer.Result) {
    (self.question, self.time, self.result) = (question, time, result)
  }
}

extension SyncLedger {
  /// The question about a queue that is going to be at a place; nil for where it is now.
  func question(of queue: QueueID, at place: QueuePlace?, membership: GrantID?) -> DeltaQuestion {
    let place = place ?? sync.place(of: queue)
    var question = DeltaQuestion(of: queue, at: place, awaiting: outbox.awaited(in: queue))
    (question.history, question.membership) = (sync.history, membership)
    return question
  }
}
