// Admits a request to a queue or refuses it, by the membership and the grant.

import Determinism
import SyncProtocol
import WireFormat

/// Makes the checks of a request in the order that docs/formats/sync-server.md gives.
struct QueueAdmission {
  private let id: QueueID
  private let asker: Asker
  private let snapshot: any QueueSnapshot
  /// Whether a queue was born.
  private(set) var hasChanged = false
  private(set) var duties: [HomeDuty] = []

  private var user: UserID { asker.user }

  init(_ queue: QueueID, _ asker: Asker, _ snapshot: any QueueSnapshot) {
    id = queue
    self.asker = asker
    self.snapshot = snapshot
  }

  enum Result {
    case admitted(StoredQueue, StoredMembership)
    case refused(QueueRefusal)
  }

  /// Admits or refuses a commit. An unknown queue is born with the sender as its owner if the commit makes its root, or
  /// if it is the sender's home queue.
  mutating func commit(
    _ request: CommitRequest, at time: Timestamp, _ room: RoomLimit, _ environment: RuntimeEnvironment,
    _ transaction: any QueueTransaction
  ) throws -> Result {
    guard asker.mayAsk(for: id) else { return .refused(.noQueue) }
    guard let queue = try snapshot.queue(id) else {
      guard asker.mayBear(id), id == asker.home || request.makesRoot else { return .refused(.noQueue) }
      guard try room.allowsQueue(of: user, snapshot) else {
        return .refused(Self.noQueueMore(for: request.mutations.map { ($0.operation, $0.attempt) }, at: time))
      }
      let (queue, membership) = try bear(transaction, at: time, environment)
      return .admitted(queue, membership)
    }
    return try admitted(queue, request.mutations.map(\.operation)) { membership in
      request.grant == membership.grant ? nil : .stale(membership.grant)
    }
  }

  /// Admits or refuses a delta.
  func delta(_ request: DeltaRequest.Queue, at time: Timestamp, _ room: RoomLimit) throws -> Result {
    guard asker.mayAsk(for: id) else { return .refused(.noQueue) }
    guard let queue = try snapshot.queue(id) else {
      // The commit of these operations was refused because its sender has too many queues. A client asks for their
      // outcomes here.
      guard !request.awaiting.isEmpty, asker.mayBear(id), try !room.allowsQueue(of: user, snapshot) else {
        return .refused(.noQueue)
      }
      return .refused(Self.noQueueMore(for: request.awaiting.map { ($0, ProtocolLimits.attempts) }, at: time))
    }
    return try admitted(queue, request.awaiting) { membership in
      guard let cursor = request.cursor else { return nil }
      let isServed = request.grant ?? membership.grant == membership.grant && queue.isServed(from: cursor)
      return isServed ? nil : .reset(membership.grant)
    }
  }

  /// Admits a member unless `refusal` gives a reason against it. `operations` are those that the request names.
  private func admitted(
    _ queue: StoredQueue, _ operations: [OperationID], unless refusal: (StoredMembership) -> QueueRefusal?
  ) throws -> Result {
    guard queue.schema == asker.schema else { return .refused(.noQueue) }
    guard let membership = try snapshot.membership(of: user, in: id) else {
      let outcomes = try snapshot.outcomes(of: operations, in: id)
      return try .refused(
        queue.isEnded && snapshot.wasMember(user, of: id)
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
    _ transaction: any QueueTransaction, at time: Timestamp, _ environment: RuntimeEnvironment
  ) throws -> (StoredQueue, StoredMembership) {
    var queue = StoredQueue(of: asker.schema)
    let owner = StoredMembership(role: .owner, grant: environment.randomID(), by: user, since: time)
    try transaction.put(owner, of: user, in: id)
    hasChanged = true
    // A home queue does not list itself, and has no objects for members.
    if id != asker.home {
      duties.append(try transaction.addDuty(user, id, of: queue.schema))
      try queue.put(owner, of: user, in: id, transaction)
    }
    try transaction.put(queue, as: id)
    return (queue, owner)
  }
}

extension CommitRequest {
  /// Whether a mutation creates the object that is the queue, also if it is void.
  fileprivate var makesRoot: Bool {
    mutations.contains { mutation in
      guard let changes = try? OperationChanges(bytes: mutation.changes) else { return false }
      return changes.objects.contains { $0.object == queue.root && $0.createdType != nil }
    }
  }
}

extension StoredQueue {
  fileprivate func isServed(from cursor: Int64) -> Bool { floor <= cursor && cursor <= head }
}
