// Delta and one-shot reads: pages of a queue, each from one snapshot.

import Determinism
public import SyncProtocol
public import WireFormat

extension SyncService {
  /// One answer a queue, in the order of the request, until the page is full; at least the first is answered.
  public func delta(_ request: DeltaRequest, by user: UUIDValue) async throws -> [DeltaAnswer] {
    var answers: [DeltaAnswer] = []
    var budget = PageBudget(objects: request.limit, bytes: pageBytes)
    for queue in request.queues {
      do {
        guard let answer = try await delta(queue, by: user, &budget) else { break }
        answers.append(answer)
      } catch {
        // A failure of one queue takes nothing from those before it.
        guard !answers.isEmpty else { throw error }
        break
      }
    }
    return answers
  }

  /// Reads one queue without a store. Throws a `RequestError`: `forbidden` for who is no member, `reset` where the place
  /// is of another history.
  public func objects(_ request: ObjectsRequest, by user: UUIDValue) async throws -> ObjectsPage {
    let now = now
    let place = DeltaRequest.Queue(
      queue: request.queue, epoch: request.epoch, cursor: request.cursor, scan: request.scan)
    try await bearHome(request.queue, of: user)
    return try await storage.read { snapshot in
      switch try QueueAdmission(request.queue, user, snapshot).delta(place) {
      case .admitted(let queue, let membership)?:
        var budget = PageBudget(objects: request.limit, bytes: pageBytes, types: request.types.map(Set.init))
        guard let page = try budget.page(place, queue, membership, snapshot) else {
          preconditionFailure("an empty page has room for an object")
        }
        return ObjectsPage(
          time: now, epoch: page.epoch, head: page.head, cursor: page.cursor, scan: page.scan, objects: page.objects)
      case .refused(.revoked)?, .refused(.ended)?, .refused(.absent)?:
        throw RequestError(.forbidden, "You are no member of this queue.")
      case .refused?, nil: throw RequestError(.reset, "The place is of another history; begin again.")
      }
    }
  }

  /// Nil where the page has no room any more.
  private func delta(
    _ request: DeltaRequest.Queue, by user: UUIDValue, _ budget: inout PageBudget
  ) async throws -> DeltaAnswer? {
    let now = now
    try await bearHome(request.queue, of: user)
    let before = budget
    for _ in 1...2 {
      let answer = try await storage.read { snapshot -> (result: DeltaAnswer.Result?, budget: PageBudget)? in
        var budget = before
        switch try QueueAdmission(request.queue, user, snapshot).delta(request) {
        case .refused(let refusal)?: return (.refused(refusal), budget)
        case .admitted(let queue, let membership)?:
          return (try budget.page(request, queue, membership, snapshot).map { .page($0) }, budget)
        case nil: return nil
        }
      }
      if let answer {
        budget = answer.budget
        return answer.result.map { DeltaAnswer(queue: request.queue, time: now, result: $0) }
      }
      // The cursor is above the head: a commit settles that, unless others have, and the second look tells the client.
      let probe = CommitRequest(
        queue: request.queue, epoch: request.epoch, grant: request.grant, cursor: request.cursor, mutations: [])
      _ = try await commit(probe, by: user)
    }
    throw RequestError(.unavailable, "The queue is changing; ask again.")
  }
}

/// How much more an answer may hold.
struct PageBudget: Sendable {
  private var objects: Int
  private var bytes: Int
  private var outcomes = ProtocolLimits.awaiting
  private let types: Set<String>?
  /// The first queue and the first object are always answered.
  private var isUntouched = true

  init(objects: Int?, bytes: Int, types: Set<String>? = nil) {
    self.bytes = bytes
    self.objects = min(objects ?? ProtocolLimits.pageObjects, ProtocolLimits.pageObjects)
    self.types = types
  }

  /// The changes of a queue behind the place of the request; nil where there is no room for any of them.
  mutating func page(
    _ request: DeltaRequest.Queue, _ queue: StoredQueue, _ membership: StoredMembership, _ snapshot: any QueueSnapshot
  ) throws -> DeltaPage? {
    guard isUntouched || request.awaiting.count <= outcomes else { return nil }
    let isScan = request.cursor == nil || request.scan != nil
    var page = DeltaPage(
      epoch: queue.epoch, grant: membership.grant, role: membership.role, head: queue.head,
      cursor: request.cursor ?? queue.head, objects: [])
    var last: ObjectState?
    var isFull = false
    let visit = { (object: ObjectState) -> Bool in
      guard take(object) else {
        isFull = true
        return false
      }
      if types.map({ object.live.map { $0.type }.map($0.contains) ?? true }) ?? true { page.objects.append(object) }
      last = object
      return true
    }
    if isScan {
      try snapshot.forEachLive(in: request.queue, behind: request.scan, visit)
    } else {
      try snapshot.forEachChange(in: request.queue, after: page.cursor, visit)
    }
    if isFull && last == nil { return nil }
    if isScan {
      page.scan = isFull ? last.map { ScanPlace(newestBy: $0.live?.newestBy, id: $0.id) } : nil
    } else {
      page.cursor = isFull ? last?.revision ?? page.cursor : queue.head
    }
    if page.scan == nil && page.cursor == queue.head {
      page.end = DeltaPage.End(
        outcomes: try snapshot.outcomes(of: request.awaiting, in: request.queue), retention: queue.retention,
        digest: queue.digest)
      outcomes -= min(outcomes, request.awaiting.count)
    }
    isUntouched = false
    return page
  }

  private mutating func take(_ object: ObjectState) -> Bool {
    let size = object.live?.content.count ?? 0
    guard isUntouched || objects > 0 && size <= bytes else { return false }
    isUntouched = false
    objects -= 1
    bytes -= min(bytes, size)
    return true
  }
}
