// Fetches the next page of a load while the one before is read and stored.

import ClientStore
import ModelTypes
import SyncProtocol
import WireFormat

/// The question of a delta about one queue, and the history of the server in which it is asked.
struct PageQuestion: Hashable, Sendable {
  var queue: QueueID
  var place: QueuePlace
  /// Operations whose outcomes the queue needs.
  var awaiting: [OperationID]
  /// Whether all of them are asked for, also in the midst of a scan.
  var asksAll = false
  var history: HistoryID?
  /// The grant of the membership that the client knew. A refusal says nothing about a later membership.
  var membership: GrantID?

  /// Operations whose outcomes are asked for. A page that goes on with a scan asks for none, because only the last page
  /// of a load tells outcomes: thousands of ids would go up with each page.
  var asked: [OperationID] { place.scan == nil || asksAll ? awaiting : [] }

  /// The place after the page, if this question was asked alone; nil if the page is the last one, or none came.
  func next(_ heard: SyncClient.Heard<[DeltaAnswer]>) -> QueuePlace? {
    guard case .page(let page)? = heard.answer.first?.result else { return nil }
    return place.next(page)
  }
}

extension [PageQuestion] {
  /// `bytes`: how much of an answer the connection carries; nil for as much as the protocol allows.
  func request(bytes: Int?) -> DeltaRequest {
    DeltaRequest(
      queues: map { question in
        let place = question.place
        return DeltaRequest.Queue(
          queue: question.queue, grant: place.grant, cursor: place.position,
          scan: place.scan, awaiting: question.asked)
      }, bytes: bytes)
  }
}

/// An answer that was fetched before its turn, and is not read yet.
struct PageAhead: Sendable {
  var question: PageQuestion
  var request: DeltaRequest
  var received: SyncClient.Received

  /// The place after the page, read from the fields before its objects; nil if it is the last page, or they cannot be
  /// read, or the page broke off.
  var next: QueuePlace? {
    guard received.isWhole else { return nil }
    return SyncCall.delta.answersBeforeObjects(received.body).flatMap { question.next(($0, received.history)) }
  }
}

extension SyncClient {
  func question(of queue: QueueID, at place: QueuePlace) -> PageQuestion {
    PageQuestion(
      queue: queue, place: place, awaiting: store.awaited(in: queue, limit: ProtocolLimits.awaiting),
      history: store.history, membership: machine.memberships[queue])
  }

  /// Fetches a page before its turn. Nil without a place; if no answer came, and the turn that asks again then sees the
  /// error; and if something is to be sent once this turn has ended.
  nonisolated func fetchPage(at place: QueuePlace?, of queue: QueueID) async -> PageAhead? {
    guard let place, await !isPushWaiting else { return nil }
    let question = await question(of: queue, at: place)
    let request = [question].request(bytes: await pageBytes)
    let received = try? await receive(.delta, request, asked: question.history)
    return received.map { PageAhead(question: question, request: request, received: $0) }
  }

  private var isPushWaiting: Bool {
    handle(.news)
    return machine.isPushWaiting(at: now)
  }

  /// Takes the page that was fetched ahead for the queue. Returns nil, and drops it, if it answers another question.
  func takePageAhead(_ question: PageQuestion) -> PageAhead? {
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
