// Fetching: a page is stored while the next one is on its way.

import ClientStore
import ModelTypes
import SyncProtocol
import WireFormat

extension SyncClient {
  /// An answer that has come, or why none has.
  private struct Arrival: Sendable {
    /// Where the request was made.
    var place: QueuePlace
    var asked: [UUIDValue]
    var result: Result<[DeltaAnswer], SyncFailure>
  }

  /// Fetches the next page of a queue, and those behind it as long as nothing else wants its turn. One request is under
  /// way at a time: the next one leaves when an answer has come.
  func pull(_ queue: QueueID) async throws {
    var arrival = await fetch(queue, from: store.place(of: queue))
    while let next = try await take(arrival, of: queue) { arrival = next }
  }

  private func fetch(_ queue: QueueID, from place: QueuePlace) async -> Arrival {
    let awaiting = store.awaited(in: queue, limit: ProtocolLimits.awaiting)
    let request = DeltaRequest(queues: [
      DeltaRequest.Queue(
        queue: queue.rawValue, epoch: place.epoch, grant: place.grant, cursor: place.position, scan: place.scan,
        awaiting: awaiting)
    ])
    let result = await answer(.delta, request, timeoutMilliseconds: Self.timeoutMilliseconds)
    return Arrival(place: place, asked: awaiting, result: result)
  }

  /// Stores what has come. Returns the next page where it was fetched meanwhile; otherwise the turn is over.
  private func take(_ arrival: Arrival, of queue: QueueID) async throws -> Arrival? {
    let place = arrival.place
    guard let answers = try await value(of: arrival.result, .pull, queue) else { return nil }
    guard let answer = answers.first, answer.queue == queue.rawValue else {
      let failure = SyncFailure(reaction: .waitWithQueue, message: "The answer is about another queue.")
      try await fail(failure, .pull, queue)
      return nil
    }
    machine.heard(answer.time)
    switch answer.result {
    case .page(let page) where page.isBehind(place):
      let failure = SyncFailure(reaction: .waitWithQueue, message: "The server answered with an older state.")
      try await fail(failure, .pull, queue)
      return nil
    case .page(let page):
      async let following = fetchAhead(queue, behind: page, from: place)
      try await store.receive(ArrivedPage(page, at: answer.time, from: place, asked: arrival.asked), in: queue)
      try await noteMemberships(queue)
      // What is on disk decides: what was asked for from elsewhere is of no use.
      if let next = await following, next.place == store.place(of: queue) { return next }
    case .refused(let refusal):
      try await store.receive(refusal, from: place, in: queue)
      try await noteMemberships(queue)
    }
    let after = store.place(of: queue)
    let isAgain = after.load == .reloading && after.position == nil || after == place && place.load != .loaded
    machine.didPull(queue, isAgain: isAgain, after, at: now, chance: chance)
    try await noteSuccess(queue)
    return nil
  }

  /// The page behind one that is being stored; nil where that was the last one, or something else comes first.
  private func fetchAhead(_ queue: QueueID, behind page: DeltaPage, from place: QueuePlace) async -> Arrival? {
    guard page.end == nil, machine.mayReadAhead(queue, currentFacts) else { return nil }
    return await fetch(queue, from: place.after(page, isWhole: false))
  }

  private func noteMemberships(_ queue: QueueID) async throws {
    guard queue.rawValue == SyncID.homeQueue(ofUser: store.user.rawValue) else { return }
    machine.follow(try await store.memberships(), currentFacts)
  }
}

extension DeltaPage {
  /// A server that reads from a copy of its database may know less than it has told before.
  fileprivate func isBehind(_ place: QueuePlace) -> Bool {
    guard let position = place.position, place.scan == nil else { return false }
    return epoch == place.epoch && cursor < position
  }
}
