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
    let question = question(of: turn.queues[0], at: store.place(of: turn.queues[0]))
    guard let ahead = takePageAhead(question) else {
      let heard = try await answer([question], bytes: bytes(of: turn.queues))
      async let next = fetchPage(at: isPreview(question.queue) ? nil : question.next(heard), of: question.queue)
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
  private func take(_ heard: Heard<[DeltaAnswer]>, to question: PageQuestion) async throws -> Turn.Results {
    guard case .refused? = heard.answer.first?.result, question.asked != question.awaiting else {
      return try await take(heard, to: [question])
    }
    var whole = question
    whole.asksAll = true
    return try await take(answer([whole], bytes: pageBytes), to: [whole])
  }

  /// Asks questions that were made in one history of the server.
  private func answer(_ questions: [PageQuestion], bytes: Int?) async throws -> Heard<[DeltaAnswer]> {
    try await answer(.delta, questions.request(bytes: bytes), asked: questions.first?.history)
  }

  /// Whether only one page is fetched, because the queue is an invitation without an answer.
  private func isPreview(_ queue: QueueID) -> Bool {
    store.invited.contains(queue) && !store.hasOperations(in: queue)
  }

  /// How large a page of these queues may be. A preview is one page only, so it is not made smaller.
  private func bytes(of queues: [QueueID]) -> Int? { queues.contains { isPreview($0) } ? nil : pageBytes }

  /// The questions about as many of the queues as fit into one request. The others are left for the next one.
  private func questions(of queues: [QueueID]) -> [PageQuestion] {
    var asked = 0
    return queues.map { question(of: $0, at: store.place(of: $0)) }.prefix { question in
      asked += question.asked.count
      return asked <= ProtocolLimits.awaiting
    }
  }

  /// Stores all answers in one transaction. They have to answer the first questions, in their order; else this throws.
  private func take(_ heard: Heard<[DeltaAnswer]>, to questions: [PageQuestion]) async throws -> Turn.Results {
    let (answers, history) = heard
    guard !answers.isEmpty, answers.map(\.queue) == questions.prefix(answers.count).map(\.queue) else {
      throw SyncFailure(.waitWithQueue, .refused, "The answer is about another queue.")
    }
    var results: Turn.Results = [:]
    var arrived: [(queue: QueueID, answer: ArrivedAnswer)] = []
    for (answer, question) in zip(answers, questions) {
      do { arrived.append((question.queue, try ArrivedAnswer(answer, to: question))) } catch {
        results[question.queue] = .failed(error)
      }
    }
    handle(.answered(answers.map(\.time), history))
    try check()
    let hadOperations = Set(questions.map(\.queue).filter(store.hasOperations))
    let lost = try await store.receive(arrived, in: history)
    // Staged rows of the home queue are not shown yet, and name no memberships.
    if questions.contains(where: { $0.queue == home }), results[home] == nil, !store.place(of: home).isStaging {
      handle(.memberships(try await store.memberships()))
    }
    for (answer, question) in zip(answers, questions) where results[question.queue] == nil {
      let queue = question.queue
      // A refusal may end operations that were never sent, and so were not awaited.
      let hasSettled =
        store.awaited(in: queue, limit: ProtocolLimits.awaiting) != question.awaiting
        || hadOperations.contains(queue) && !store.hasOperations(in: queue)
      results[queue] = .pulled(
        PullResult(
          before: question.place, after: store.place(of: queue), hasSettled: hasSettled, hasLost: lost.contains(queue),
          isUnknown: answer.result == .refused(.noQueue)))
    }
    return results
  }
}

extension ArrivedAnswer {
  fileprivate init(_ answer: DeltaAnswer, to question: PageQuestion) throws(SyncFailure) {
    let place = question.place
    switch answer.result {
    case .page(let page) where !page.isOf(question.queue):
      throw SyncFailure(.waitWithQueue, .refused, "The server sent an object whose id is not bound to the queue.")
    case .page(let page) where page.isBehind(place):
      throw SyncFailure(.waitWithQueue, .refused, "The server answered with an older state.")
    case .page(let page):
      self = .page(ArrivedPage(page, at: answer.time, from: place, asked: question.asked))
    case .refused(let refusal):
      self = .refusal(ArrivedRefusal(refusal, at: answer.time, from: place))
    }
  }

  fileprivate var page: DeltaPage? {
    if case .page(let arrived) = self { arrived.page } else { nil }
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
