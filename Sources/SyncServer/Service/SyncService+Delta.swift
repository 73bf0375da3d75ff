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
    return try await storage.read { snapshot in
      switch try admit(place, asker, at: now, snapshot) {
      case .admitted(let queue, let membership) where request.history ?? history == history:
        var budget = PageBudget(
          objects: request.limit, bytes: pageBytes, answerBytes: max(room, 0), types: request.types.map(Set.init))
        guard let page = try budget.page(place, queue, membership, snapshot) else {
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

  private func admit(
    _ request: DeltaRequest.Queue, _ asker: Asker, at time: Timestamp, _ snapshot: any QueueSnapshot
  ) throws -> QueueAdmission.Result {
    let keys = [RowKey.queue, .membership(of: asker.user, in: request.queue)]
    return try snapshot.decide(on: request.queue, reading: keys) { work in
      try QueueAdmission(asker).delta(request, at: time, room, work)
    }.result
  }

  /// The answer for one queue; nil if the page has no room left.
  private func delta(
    _ request: DeltaRequest.Queue, by asker: Asker, _ budget: inout PageBudget
  ) async throws -> DeltaAnswer? {
    let now = now
    try await bearHome(request.queue, of: asker)
    let before = budget
    let answer = try await storage.read { snapshot -> (result: DeltaAnswer.Result?, budget: PageBudget) in
      var budget = before
      switch try admit(request, asker, at: now, snapshot) {
      case .refused(let refusal): return (.refused(refusal), budget)
      case .admitted(let queue, let membership):
        return (try budget.page(request, queue, membership, snapshot).map { .page($0) }, budget)
      }
    }
    budget = answer.budget
    return answer.result.map { DeltaAnswer(queue: request.queue, time: now, result: $0) }
  }
}
