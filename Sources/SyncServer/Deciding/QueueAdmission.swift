// Admits a request to a queue or refuses it, by the membership and the grant.

import Determinism
import SyncProtocol
import WireFormat

/// Makes the checks of a request in the order that docs/formats/sync-server.md gives.
struct QueueAdmission {
  private let asker: Asker
  /// Whether a queue was born.
  private(set) var hasChanged = false
  private(set) var duties: [HomeDuty] = []

  private var user: UserID { asker.user }

  init(_ asker: Asker) { self.asker = asker }

  enum Result {
    case admitted(StoredQueue, StoredMembership)
    case refused(QueueRefusal)
  }

  /// Admits or refuses a commit. An unknown queue is born with the sender as its owner if the commit makes its root, or
  /// if it is the sender's home queue.
  mutating func commit(
    _ commit: DecodedCommit, at time: Timestamp, _ room: RoomLimit, _ environment: RuntimeEnvironment,
    _ work: inout UnitOfWork
  ) throws -> Result {
    let (id, request) = (work.queueID, commit.request)
    guard asker.mayAsk(for: id) else { return .refused(.noQueue) }
    guard let queue = try work.queue() else {
      guard asker.mayBear(id), id == asker.home || commit.makesRoot else { return .refused(.noQueue) }
      guard try room.allowsQueue(of: user, work) else {
        return .refused(Self.noQueueMore(for: request.mutations.map { ($0.operation, $0.attempt) }, at: time))
      }
      let (queue, membership) = try bear(&work, at: time, environment)
      return .admitted(queue, membership)
    }
    return try admitted(queue, request.mutations.map(\.operation), work) { membership in
      request.grant == membership.grant ? nil : .stale(membership.grant)
    }
  }

  /// Admits or refuses a delta.
  func delta(
    _ request: DeltaRequest.Queue, at time: Timestamp, _ room: RoomLimit, _ work: UnitOfWork
  ) throws -> Result {
    let id = work.queueID
    guard asker.mayAsk(for: id) else { return .refused(.noQueue) }
    guard let queue = try work.queue() else {
      // The commit of these operations was refused because its sender has too many queues. A client asks for their
      // outcomes here.
      guard !request.awaiting.isEmpty, asker.mayBear(id), try !room.allowsQueue(of: user, work) else {
        return .refused(.noQueue)
      }
      return .refused(Self.noQueueMore(for: request.awaiting.map { ($0, ProtocolLimits.attempts) }, at: time))
    }
    return try admitted(queue, request.awaiting, work) { membership in
      guard let cursor = request.cursor else { return nil }
      let isServed = request.grant ?? membership.grant == membership.grant && queue.isServed(from: cursor)
      return isServed ? nil : .reset(membership.grant)
    }
  }

  /// Admits a member unless `refusal` gives a reason against it. `operations` are those that the request names.
  private func admitted(
    _ queue: StoredQueue, _ operations: [OperationID], _ work: UnitOfWork,
    unless refusal: (StoredMembership) -> QueueRefusal?
  ) throws -> Result {
    guard queue.schema == asker.schema else { return .refused(.noQueue) }
    guard let membership = try work.membership(of: user) else {
      let outcomes = try operations.compactMap { try work.outcome(of: $0) }
      return try .refused(
        queue.isEnded && work.isThere(.wasMember(user))
          ? .ended(outcomes: outcomes, retention: queue.retention)
          : .revoked(outcomes: outcomes, retention: queue.retention))
    }
    return refusal(membership).map { .refused($0) } ?? .admitted(queue, membership)
  }

  /// The refusal of a queue for which its sender has no room. Nothing of it is stored, so that such queues take none.
  private static func noQueueMore(
    for operations: [(id: OperationID, attempt: Int)], at time: Timestamp
  ) -> QueueRefusal {
    .revoked(
      outcomes: operations.map { operation in
        OperationOutcome(
          operation: operation.id, status: .rejected(RejectionCode.quotaExceeded), at: 0, time: time,
          attempt: operation.attempt)
      }, retention: .zero)
  }

  /// Creates the queue, with the user as its owner.
  mutating func bear(
    _ work: inout UnitOfWork, at time: Timestamp, _ environment: RuntimeEnvironment
  ) throws -> (StoredQueue, StoredMembership) {
    var queue = StoredQueue(of: asker.schema)
    let owner = StoredMembership(role: .owner, grant: environment.randomID(), by: user, since: time)
    work.write(.membership(owner, of: user))
    hasChanged = true
    // A home queue does not list itself, and has no objects for members.
    if work.queueID != asker.home {
      try queue.put(owner, of: user, at: time, &work)
      duties.append(queue.addDuty(user, &work))
    }
    work.write(.queue(queue))
    return (queue, owner)
  }
}

extension StoredQueue {
  fileprivate func isServed(from cursor: Int64) -> Bool { floor <= cursor && cursor <= head }
}
