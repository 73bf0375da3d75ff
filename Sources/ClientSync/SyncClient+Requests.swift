// Sends commits and polls, and reads the answers of all calls.

import ClientStore
import Determinism
import JSON
import ModelTypes
import SyncProtocol
import WireFormat

extension SyncClient {
  /// Sends the first operations of a queue, or of each of several in one request.
  func push(_ turn: Turn) async throws -> Turn.Results {
    // A page that was fetched ahead is dropped, since no commit may overtake a delta.
    for queue in turn.queues { pagesAhead[queue] = nil }
    try check()
    // The operations are chosen for this history. Under another one the server refuses the commit, and it is made anew.
    let asked = store.history
    let places = Dictionary(uniqueKeysWithValues: turn.queues.map { ($0, store.place(of: $0)) })
    // Copied, because capturing the machine would copy all of it while the store writes.
    let batches = Dictionary(uniqueKeysWithValues: turn.queues.map { ($0, machine.batch(of: $0)) })
    let sent = try await store.send(
      in: turn.queues, limit: { batches[$0] ?? 0 }, bytes: link.up.bytes(atMost: Self.commitBytes),
      at: machine.serverTime ?? .zero)
    // Queues that get no room go with the next request.
    var results = turn.all(.nothing)
    let commits = turn.queues.compactMap { queue in
      sent[queue].map { CommitRequest(queue: queue, grant: places[queue]?.grant, mutations: $0) }
    }
    guard !commits.isEmpty else { return results }
    do {
      results.merge(try await take(answers(to: commits, asked: asked), to: commits, from: places)) { $1 }
    } catch let failure as SyncFailure where failure == .historyChanged {
      for commit in commits { results[commit.queue] = .pushedInVain }
    } catch let failure as SyncFailure where failure.mayBeOfOneOperation && commits.count == 1 && !Task.isCancelled {
      results[commits[0].queue] = result(of: commits[0], failure)
    }
    return results
  }

  /// The result of a commit that failed. An operation that has failed alone often enough steps aside.
  private func result(of commit: CommitRequest, _ failure: SyncFailure) -> Turn.Result {
    let sent = commit.mutations.count
    guard sent == 1, let operation = commit.mutations.first?.operation else {
      return .refusedCommit(failure, sent: sent)
    }
    failedAlone[operation, default: 0] += 1
    guard failedAlone[operation, default: 0] >= Self.attemptsAlone,
      store.stepAside(operation, in: commit.queue, by: holder)
    else { return .refusedCommit(failure, sent: sent) }
    var aside = failure
    aside.error.message =
      "One change does not get through and is tried again after the others. \(failure.error.message)"
    return .steppedAside(aside)
  }

  /// How often an operation fails alone before it steps aside.
  private static let attemptsAlone = 3

  /// Stores the decisions of all answers in one transaction. `places`: of the queues when the operations left.
  private func take(
    _ heard: Heard<[CommitAnswer]>, to commits: [CommitRequest], from places: [QueueID: QueuePlace]
  ) async throws -> Turn.Results {
    let (answers, history) = heard
    handle(.answered(answers.map(\.time), history))
    let answered = zip(commits, answers).compactMap { commit, answer -> AnsweredCommit? in
      guard case .decided(let decided) = answer.result else { return nil }
      return AnsweredCommit(of: commit.queue, at: places[commit.queue] ?? QueuePlace(), decided)
    }
    try check()
    try await store.receiveCommits(answered, in: history)
    var results: Turn.Results = [:]
    for (commit, answer) in zip(commits, answers) {
      guard case .decided(let decided) = answer.result else {
        results[commit.queue] = .pushedInVain
        continue
      }
      for outcome in decided.outcomes { failedAlone[outcome.operation] = nil }
      results[commit.queue] = .pushed(decided, of: commit.mutations.count, asksAgain: commit.queue == home)
    }
    // The unknown operation may be an acceptance; `memberships` makes that again. What the other queues were told holds
    // even if that cannot be read now.
    let isUnknown = answered.contains { $0.queue == home && $0.decided.outcomes.contains { $0.status == .unknown } }
    if isUnknown {
      do { _ = try await store.memberships() } catch let error as StoreError where error.isPassing {
        results[home] = .failed(SyncFailure(passing: error))
      }
    }
    return results
  }

  private func answers(to commits: [CommitRequest], asked: HistoryID?) async throws -> Heard<[CommitAnswer]> {
    if commits.count == 1 {
      let heard: Heard<CommitAnswer> = try await answer(.commit, commits[0], asked: asked)
      return ([heard.answer], heard.history)
    }
    let heard: Heard<[CommitAnswer]> = try await answer(.commits, CommitsRequest(commits: commits), asked: asked)
    guard heard.answer.count == commits.count else {
      throw SyncFailure(.waitWithQueue, .refused, "The answer is about other queues.")
    }
    return heard
  }

  /// Polls, and returns what has come of it. Ends when the server has something new, the wait is over, or
  /// `interrupts` has an element.
  func poll(_ request: ChangedRequest, _ interrupts: AsyncStream<Void>) async throws -> SyncMachine.Event {
    do {
      let heard = try await withThrowingTaskGroup(of: Heard<ChangedAnswer>?.self) { group in
        group.addTask {
          try await self.answer(.changed, request, waitSeconds: request.waitSeconds)
        }
        group.addTask {
          for await _ in interrupts { break }
          return nil
        }
        defer { group.cancelAll() }
        return try await group.next() ?? nil
      }
      guard let heard else { return .pollInterrupted }
      store.hear(heard.answer.signals)
      return .polled(heard.answer, heard.history)
    } catch let failure as SyncFailure {
      return Task.isCancelled ? .pollInterrupted : .pollFailed(failure)
    } catch let error as StoreError where error.isPassing {
      return .pollFailed(SyncFailure(passing: error))
    }
  }

  /// Leaves room for the document and for the fields of queues.
  private static let commitBytes = ProtocolLimits.requestBytes / 8 * 7
}

// How a call ends: with an answer, or a `SyncFailure`.
extension SyncClient {
  /// An answer, and the server's history that it belongs to.
  typealias Heard<Answer> = (answer: Answer, history: HistoryID)

  nonisolated func answer<Request, Answer>(
    _ call: SyncCall<Request, Answer>, _ request: Request, waitSeconds: Int = 0
  ) async throws -> Heard<Answer> {
    do {
      return try await answer(call, request, asked: store.history, waitSeconds: waitSeconds)
    } catch let failure as SyncFailure where failure == .historyChanged {
      return try await answer(call, request, asked: store.history, waitSeconds: waitSeconds)
    }
  }

  /// `asked`: the server's history that the request names.
  nonisolated func answer<Request, Answer>(
    _ call: SyncCall<Request, Answer>, _ request: Request, asked: HistoryID?, waitSeconds: Int = 0
  ) async throws -> Heard<Answer> {
    do {
      return try await answerOnce(call, request, asked, waitSeconds)
    } catch let failure as SyncFailure where failure.reaction == .refreshCredentials {
      // Tokens expire: that is no failure, unless the next one is refused as well.
      do { try await transport.refreshCredentials() } catch { throw SyncFailure(error) }
      return try await answerOnce(call, request, asked, waitSeconds)
    }
  }

  private nonisolated func answerOnce<Request, Answer>(
    _ call: SyncCall<Request, Answer>, _ request: Request, _ asked: HistoryID?, _ waitSeconds: Int
  ) async throws -> Heard<Answer> {
    try await receive(call, request, asked: asked, waitSeconds: waitSeconds).answer(to: call, request)
  }

  /// Sends a request and returns its answer unread. Throws a `SyncFailure` unless the answer comes from the store's
  /// server, in the history that the request named. The store notes the server and its history. `waitSeconds`: how long
  /// the server may let it wait.
  nonisolated func receive<Request, Answer>(
    _ call: SyncCall<Request, Answer>, _ request: Request, asked: HistoryID?, waitSeconds: Int = 0
  ) async throws -> Received {
    let (schema, version) = (store.schema.name, store.schema.schemaVersion)
    let body = call.body(request, schema: schema, version: version, of: store.user, history: asked)
    let answer = try await post(body, waitSeconds: waitSeconds)
    if let failure = SyncFailure(answer) { throw failure }
    if let server = answer.server, try await !store.isServer(server) { throw SyncFailure.otherServer }
    if let history = answer.history { try await check(history, asked: asked, answer) }
    // An answer that refuses the whole request need not know the app.
    if answer.status == 200 { await hear(oldestWriter: answer.oldestWriter) }
    return Received(
      body: answer.body, isWhole: answer.isWhole, history: answer.history, retryAfterSeconds: answer.retryAfterSeconds)
  }

  /// Throws `historyChanged` unless an answer is of the history that its request named and the store knows. If the
  /// server says why, the store takes in what it may have lost.
  private nonisolated func check(_ history: HistoryID, asked: HistoryID?, _ answer: TransportAnswer) async throws {
    if history == asked || asked == nil, try await store.isHistory(history) { return }
    let error = (try? JSONValue(body: answer.body, atMost: ProtocolLimits.answerBytes)).flatMap {
      RequestError(answer: $0)
    }
    if let asked, let error, error.code == .historyChanged {
      try await store.hear(history, since: error.since ?? Timestamp(millisecondsSince1970: .min), after: asked)
    }
    throw SyncFailure.historyChanged
  }

  /// Notes whether this app may send changes.
  private func hear(oldestWriter: String?) {
    let outdated = oldestWriter.flatMap { SchemaVersion($0) }.flatMap { oldest in
      store.schema.schemaVersion?.stands(on: oldest) == true
        ? nil : SyncError.outdated("Changes are taken from version \(oldest) on.")
    }
    if outdated != machine.outdated { handle(.outdated(outdated)) }
  }

  /// An answer that is not read yet.
  struct Received: Sendable {
    var body: [UInt8]
    /// Whether all of the body has come.
    var isWhole = true
    var history: HistoryID?
    var retryAfterSeconds: Int64?

    /// Of an answer that broke off, what can be used of it. Throws a `SyncFailure` if that is nothing, or if the answer
    /// does not say to which history it belongs.
    func answer<Request, Answer>(
      to call: SyncCall<Request, Answer>, _ request: Request
    ) throws -> Heard<Answer> {
      let answer = try read(call, request)
      guard let history else { throw SyncFailure.noHistory }
      return (answer, history)
    }

    private func read<Request, Answer>(_ call: SyncCall<Request, Answer>, _ request: Request) throws -> Answer {
      guard isWhole else {
        guard let beginning = call.beginning(of: body, to: request) else { throw SyncFailure.brokenOff }
        return beginning
      }
      do { return try call.answer(body) } catch let error as RequestError {
        throw SyncFailure(error, retryAfterSeconds: retryAfterSeconds)
      } catch {
        throw SyncFailure(error as? MessageError ?? MessageError(.notJSON))
      }
    }
  }
}
