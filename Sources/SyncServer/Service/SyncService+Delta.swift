// Delta and one-shot reads: pages of a queue, each from one snapshot.

import Determinism
package import SyncProtocol
import WireFormat

extension SyncService {
  /// One answer for each queue, in the order of the request, until the page is full. The first queue is always
  /// answered. Throws only if that fails. `room` is how many bytes of objects the answer may have, but for the first.
  package func delta(_ request: DeltaRequest, by asker: Asker, room: Int = .max) async throws -> [DeltaAnswer] {
    var answers: [DeltaAnswer] = []
    var budget = PageBudget(
      objects: request.limit, bytes: pageBytes, answerBytes: min(request.bytes ?? .max, max(room, 0)))
    for queue in request.queues {
      do {
        guard let answer = try await delta(queue, by: asker, &budget) else { break }
        answers.append(answer)
      } catch {
        // A failure of one queue must not take away the answers before it.
        guard !answers.isEmpty else { throw error }
        break
      }
    }
    return answers
  }

  /// Reads one queue for a client without a store. Throws a `RequestError`: `forbidden` if the user is no member,
  /// `reset` if the history is another one, or the cursor too old or above the head.
  package func objects(_ request: ObjectsRequest, by asker: Asker, room: Int = .max) async throws -> ObjectsPage {
    let (now, history) = (now, history.current)
    let place = DeltaRequest.Queue(queue: request.queue, cursor: request.cursor, scan: request.scan)
    try await bearHome(request.queue, of: asker)
    let empty = PageBudget(
      objects: request.limit, bytes: pageBytes, answerBytes: max(room, 0), types: request.types.map(Set.init))
    return try await read(place, empty, asker) { work in
      switch try QueueAdmission(asker).delta(place, at: now, self.room, work) {
      case .admitted(let queue, let membership) where request.history ?? history == history:
        var budget = empty
        guard let page = try budget.page(place, queue, membership, asker, work) else {
          preconditionFailure("an empty page has room for an object")
        }
        return ObjectsPage(
          time: now, history: history, head: page.head, cursor: page.cursor, scan: page.scan, objects: page.objects)
      case .refused(.noQueue), .refused(.ended), .refused(.revoked):
        throw RequestError(
          .forbidden, "You are not a member of this queue, or its schema is not `extensions.syncSchema`.")
      case .admitted, .refused: throw RequestError(.reset, "The place is of another history; begin again.")
      }
    }
  }

  /// Decides about a request on one snapshot: with the page that there is room for, and the outcomes once they are
  /// asked for.
  private func read<Result: Sendable>(
    _ request: DeltaRequest.Queue, _ budget: PageBudget, _ asker: Asker,
    _ decision: @Sendable (UnitOfWork) throws -> Result
  ) async throws -> Result {
    let keys = [
      RowKey.queue, .membership(of: asker.user, in: request.queue), .page(budget.range(of: request, for: asker.user)),
    ]
    return try await storage.read { snapshot in
      try snapshot.decide(on: request.queue, reading: keys, then: request.awaiting.map { .outcome($0) }) {
        try decision($0)
      }.result
    }
  }

  /// The answer for one queue; nil if the page has no room left.
  private func delta(
    _ request: DeltaRequest.Queue, by asker: Asker, _ budget: inout PageBudget
  ) async throws -> DeltaAnswer? {
    let now = now
    try await bearHome(request.queue, of: asker)
    let before = budget
    let answer = try await read(request, before, asker) { work -> (result: DeltaAnswer.Result?, budget: PageBudget) in
      var budget = before
      switch try QueueAdmission(asker).delta(request, at: now, room, work) {
      case .refused(let refusal): return (.refused(refusal), budget)
      case .admitted(let queue, let membership):
        return (try budget.page(request, queue, membership, asker, work).map { .page($0) }, budget)
      }
    }
    budget = answer.budget
    return answer.result.map { DeltaAnswer(queue: request.queue, time: now, result: $0) }
  }
}
