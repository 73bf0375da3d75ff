// Fetches the deltas of queues, checks and stores them.

import ClientStore
import SyncProtocol
import WireFormat

extension SyncClient {
  /// Fetches the next page of a queue, or of each of several in one answer.
  func pull(_ turn: Turn) async throws -> Turn.Results {
    do { return try await pullOnce(turn) } catch let failure as SyncFailure where failure == .historyChanged {
      // More operations may be awaited in the new history, so the questions are made anew.
      return try await pullOnce(turn)
    }
  }

  private func pullOnce(_ turn: Turn) async throws -> Turn.Results {
    guard turn.queues.count == 1 else {
      // Queues that share a request begin to read, so no page that was fetched ahead fits.
      for queue in turn.queues { pagesAhead[queue] = nil }
      let questions = questions(of: turn.queues)
      return try await take(answer(questions, bytes: bytes(of: turn.queues)), to: questions)
    }
    let question = question(of: turn.queues[0])
    guard let ahead = takePageAhead(question) else {
      let heard = try await answer([question], bytes: bytes(of: turn.queues))
      async let next = fetchPage(at: isPreview(question.queue) ? nil : question.next(heard.answer), of: question.queue)
      let results = try await take(heard, to: question)
      pagesAhead[question.queue] = await next
      return results
    }
    async let next = fetchPage(at: ahead.next, of: question.queue)
    let results = try await take(ahead.received.answer(to: .delta, ahead.request), to: question)
    pagesAhead[question.queue] = await next
    return results
  }

  /// Stores the answer to one question. A refusal tells the outcomes of what it was asked for, and those that it does not
  /// tell count as not known: so after one in the midst of a scan all are asked for.
  private func take(_ heard: Heard<[DeltaAnswer]>, to question: DeltaQuestion) async throws -> Turn.Results {
    guard case .refused? = heard.answer.first?.result, question.asked != question.awaiting else {
      return try await take(heard, to: [question])
    }
    var whole = question
    whole.asksAll = true
    return try await take(answer([whole], bytes: pageBytes), to: [whole])
  }

  /// Asks questions that were made in one history of the server.
  private func answer(_ questions: [DeltaQuestion], bytes: Int?) async throws -> Heard<[DeltaAnswer]> {
    let request = DeltaRequest(queues: questions.map(\.request), bytes: bytes)
    return try await answer(.delta, request, asked: questions.first?.history)
  }

  /// Whether only one page is fetched, because the queue is an invitation without an answer.
  private func isPreview(_ queue: QueueID) -> Bool {
    store.invited.contains(queue) && !store.hasOperations(in: queue)
  }

  /// How large a page of these queues may be. A preview is one page only, so it is not made smaller.
  private func bytes(of queues: [QueueID]) -> Int? { queues.contains { isPreview($0) } ? nil : pageBytes }

  /// The questions about as many of the queues as fit into one request. The others are left for the next one.
  private func questions(of queues: [QueueID]) -> [DeltaQuestion] {
    var asked = 0
    return queues.map { question(of: $0) }.prefix { question in
      asked += question.asked.count
      return asked <= ProtocolLimits.awaiting
    }
  }

  /// Stores all answers in one transaction. They have to answer the first questions, in their order; else this throws.
  private func take(_ heard: Heard<[DeltaAnswer]>, to questions: [DeltaQuestion]) async throws -> Turn.Results {
    let (answers, history) = heard
    guard !answers.isEmpty, answers.map(\.queue) == questions.prefix(answers.count).map(\.queue) else {
      throw SyncFailure(.waitWithQueue, .refused, "The answer is about another queue.")
    }
    var results: Turn.Results = [:]
    var answered: [AnsweredDelta] = []
    for (answer, question) in zip(answers, questions) {
      if let failure = answer.result.failure(to: question) {
        results[question.queue] = .failed(failure)
      } else {
        answered.append(AnsweredDelta(question, at: answer.time, answer.result))
      }
    }
    handle(.answered(answers.map(\.time), history))
    try check()
    let pulled = try await store.receive(answered, in: history)
    // Staged rows of the home queue are not shown yet, and name no memberships.
    if let result = pulled[home], !result.after.isStaging {
      handle(.memberships(try await store.memberships()))
    }
    return results.merging(pulled.mapValues(Turn.Result.pulled)) { $1 }
  }
}

extension DeltaAnswer.Result {
  /// The reason not to use the answer to a question; nil if there is none.
  fileprivate func failure(to question: DeltaQuestion) -> SyncFailure? {
    guard case .page(let page) = self else { return nil }
    if !page.isOf(question.queue) {
      return SyncFailure(.waitWithQueue, .refused, "The server sent an object whose id is not bound to the queue.")
    }
    if page.isBehind(question.place) {
      return SyncFailure(.waitWithQueue, .refused, "The server answered with an older state.")
    }
    return nil
  }
}

extension DeltaPage {
  /// Whether all ids prove their queue, those of deleted objects too. If one does not, the server has made a mistake,
  /// and the whole page is refused: without that row the device would never come to the server's digest.
  fileprivate func isOf(_ queue: QueueID) -> Bool {
    objects.allSatisfy { $0.id == queue.root || $0.id.isBound(to: queue) }
  }

  /// Whether the page is older than the place. A server that reads from a copy of its database may know less than
  /// before.
  fileprivate func isBehind(_ place: QueuePlace) -> Bool {
    guard let position = place.position, place.scan == nil else { return false }
    return grant == place.grant && cursor < position
  }
}
