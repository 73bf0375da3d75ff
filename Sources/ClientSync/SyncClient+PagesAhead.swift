// Fetches the next page of a load while the one before is read and stored.

import ClientStore
import ModelTypes
import SyncProtocol
import WireFormat

extension DeltaQuestion {
  /// The place after the page, if this question was asked alone; nil if the page is the last one, or none came.
  func next(_ answers: [DeltaAnswer]) -> QueuePlace? {
    guard case .page(let page)? = answers.first?.result else { return nil }
    return place.next(page)
  }
}

/// An answer that was fetched before its turn, and is not read yet.
struct PageAhead: Sendable {
  var question: DeltaQuestion
  var request: DeltaRequest
  var received: SyncClient.Received

  /// The place after the page, read from the fields before its objects; nil if it is the last page, or they cannot be
  /// read, or the page broke off.
  var next: QueuePlace? {
    guard received.isWhole else { return nil }
    return SyncCall.delta.answersBeforeObjects(received.body).flatMap(question.next)
  }
}

extension SyncClient {
  /// The question about a queue that is going to be at a place; nil for where it is now.
  func question(of queue: QueueID, at place: QueuePlace? = nil) -> DeltaQuestion {
    store.question(of: queue, at: place, membership: machine.memberships[queue])
  }

  /// Fetches a page before its turn. Nil without a place; if no answer came, and the turn that asks again then sees the
  /// error; and if something is to be sent once this turn has ended.
  nonisolated func fetchPage(at place: QueuePlace?, of queue: QueueID) async -> PageAhead? {
    guard let place, await !isPushWaiting else { return nil }
    let question = await question(of: queue, at: place)
    let request = DeltaRequest(queues: [question.request], bytes: await pageBytes)
    let received = try? await receive(.delta, request, asked: question.history)
    return received.map { PageAhead(question: question, request: request, received: $0) }
  }

  private var isPushWaiting: Bool {
    handle(.news)
    return machine.isPushWaiting(at: now)
  }

  /// Takes the page that was fetched ahead for the queue. Returns nil, and drops it, if it answers another question.
  func takePageAhead(_ question: DeltaQuestion) -> PageAhead? {
    guard let ahead = pagesAhead.removeValue(forKey: question.queue), ahead.question == question else { return nil }
    return ahead
  }
}

extension SyncCall<DeltaRequest, [DeltaAnswer]> {
  /// The answers up to the objects of the first page; nil if that beginning cannot be read alone.
  fileprivate func answersBeforeObjects(_ body: [UInt8]) -> [DeltaAnswer]? {
    let name = Array(#""objects":["#.utf8)
    // Only ids and numbers come before it, some hundred bytes.
    guard let start = body.prefix(4_096).firstRange(of: name)?.upperBound else { return nil }
    return try? answer(body[..<start] + Array("]}}]}}".utf8))
  }
}
