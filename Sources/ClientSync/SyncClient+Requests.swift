// The three requests of sync, and what their answers do.

import ClientStore
import Determinism
import ModelTypes
import SyncProtocol
import WireFormat

extension SyncClient {
  /// Sends the first operations of a queue.
  func push(_ queue: QueueID) async throws {
    let place = store.place(of: queue)
    let operations = try await store.send(
      in: queue, limit: machine.batch(of: queue), bytes: Self.commitBytes, at: machine.serverTime ?? .zero)
    guard !operations.isEmpty else { return machine.didNothing(queue) }
    let request = CommitRequest(
      queue: queue.rawValue, epoch: place.epoch, grant: place.grant, cursor: place.load == .loaded ? place.cursor : nil,
      mutations: operations.map { operation in
        CommitRequest.Mutation(
          operation: operation.id, firstSent: operation.firstSent ?? .zero, changes: operation.changes,
          isVoid: operation.isVoided)
      })
    guard let answer = try await call(.commit, request, .push, queue) else { return }
    machine.heard(answer.time)
    switch answer.result {
    case .decided(let decided):
      try await store.receive(decided, from: place, in: queue)
      if decided.waiting.isEmpty {
        machine.hasFiles(in: queue)
      } else {
        machine.waitForFiles(in: queue, at: now, chance: chance)
      }
      machine.didPush(queue, refused: false)
    case .refused:
      // Only a delta tells what to do, and what became of what was sent.
      machine.didPush(queue, refused: true)
    }
    try await noteSuccess(queue)
  }

  /// Fetches the next page of a queue.
  func pull(_ queue: QueueID) async throws {
    let place = store.place(of: queue)
    let awaiting = store.awaited(in: queue, limit: ProtocolLimits.awaiting)
    let request = DeltaRequest(queues: [
      DeltaRequest.Queue(
        queue: queue.rawValue, epoch: place.epoch, grant: place.grant, cursor: place.position, scan: place.scan,
        awaiting: awaiting)
    ])
    guard let answers = try await call(.delta, request, .pull, queue) else { return }
    guard let answer = answers.first, answer.queue == queue.rawValue else {
      let failure = SyncFailure(reaction: .waitWithQueue, message: "The answer is about another queue.")
      return try await fail(failure, .pull, queue)
    }
    machine.heard(answer.time)
    switch answer.result {
    case .page(let page) where page.isBehind(place):
      let failure = SyncFailure(reaction: .waitWithQueue, message: "The server answered with an older state.")
      return try await fail(failure, .pull, queue)
    case .page(let page):
      try await store.receive(ArrivedPage(page, at: answer.time, from: place, asked: awaiting), in: queue)
    case .refused(let refusal):
      try await store.receive(refusal, from: place, in: queue)
    }
    if queue.rawValue == SyncID.homeQueue(ofUser: store.user.rawValue) {
      machine.follow(try await store.memberships(), currentFacts)
    }
    let after = store.place(of: queue)
    let isAgain = after.load == .reloading && after.position == nil || after == place && place.load != .loaded
    machine.didPull(queue, isAgain: isAgain, after, at: now, chance: chance)
    try await noteSuccess(queue)
  }

  /// Waits until the server has something new, or somebody interrupts.
  func poll(_ places: [QueueID: QueuePlace], waitSeconds: Int) async throws {
    let request = ChangedRequest(
      queues: places.map { queue, place in
        ChangedRequest.Queue(queue: queue.rawValue, epoch: place.epoch, grant: place.grant, cursor: place.cursor)
      }.sorted { $0.queue < $1.queue }, waitSeconds: waitSeconds)
    let (interrupts, interrupt) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    pollInterrupt = interrupt
    let timeout = Int64(waitSeconds) * 1_000 + Self.pollGraceMilliseconds
    let result = await withTaskGroup(of: Result<ChangedAnswer, SyncFailure>?.self) { group in
      group.addTask { await self.answer(.changed, request, timeoutMilliseconds: timeout) }
      group.addTask {
        for await _ in interrupts { break }
        return nil
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
    pollInterrupt = nil
    switch result {
    case .success(let answer)?:
      machine.heard(answer.time)
      machine.didPoll(answer.queues.map(QueueID.init), currentFacts)
    case .failure(let failure)? where !Task.isCancelled:
      machine.didFailPoll(failure, at: now, chance: chance)
      await refresh(after: failure)
    case .failure?, nil: machine.didFailPoll(nil, at: now, chance: chance)
    }
  }

  /// Leaves room for what JSON adds: 4 bytes for 3, and the ids.
  private static let commitBytes = ProtocolLimits.requestBytes / 3 * 2
  private static let timeoutMilliseconds: Int64 = 60_000
  private static let pollGraceMilliseconds: Int64 = 15_000
}

extension DeltaPage {
  /// A server that reads from a copy of its database may know less than it has told before.
  fileprivate func isBehind(_ place: QueuePlace) -> Bool {
    guard let position = place.position, place.scan == nil else { return false }
    return epoch == place.epoch && cursor < position
  }
}

// How a call ends.
extension SyncClient {
  /// Nil where it has failed, which is noted.
  private func call<Request, Answer>(
    _ call: SyncCall<Request, Answer>, _ request: Request, _ turn: QueuePump.Turn, _ queue: QueueID
  ) async throws -> Answer? {
    switch await answer(call, request, timeoutMilliseconds: Self.timeoutMilliseconds) {
    case .success(let answer): return answer
    case .failure(let failure):
      try await fail(failure, turn, queue)
      return nil
    }
  }

  private nonisolated func answer<Request, Answer>(
    _ call: SyncCall<Request, Answer>, _ request: Request, timeoutMilliseconds: Int64
  ) async -> Result<Answer, SyncFailure> {
    let answer: TransportAnswer
    do {
      answer = try await transport.post(call.body(request), timeoutMilliseconds: timeoutMilliseconds)
    } catch {
      return .failure(SyncFailure(error))
    }
    if let failure = SyncFailure(answer) { return .failure(failure) }
    do {
      return .success(try call.answer(answer.body))
    } catch let error as RequestError {
      return .failure(SyncFailure(error, retryAfterSeconds: answer.retryAfterSeconds))
    } catch {
      return .failure(SyncFailure(error as? MessageError ?? MessageError(.notJSON)))
    }
  }

  private func fail(_ failure: SyncFailure, _ turn: QueuePump.Turn, _ queue: QueueID) async throws {
    guard !Task.isCancelled else { return machine.didNothing(queue) }
    machine.didFail(failure, turn, queue, at: now, chance: chance)
    try await store.note(machine.failure(of: queue), in: queue)
    await refresh(after: failure)
  }

  /// The first time with a new token goes at once.
  private func refresh(after failure: SyncFailure) async {
    guard failure.reaction == .refreshCredentials else { return }
    let isNew = (try? await transport.refreshCredentials()) != nil
    if isNew, machine.connection.attempts == 1 { machine.hurry() }
  }

  private func noteSuccess(_ queue: QueueID) async throws {
    try await store.note(nil, in: queue)
  }
}
