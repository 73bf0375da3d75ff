// Admits a request to a queue or refuses it, by the epoch, the membership and the grant.

import Determinism
import SyncProtocol
import WireFormat

/// Makes the checks of a request in the order that docs/formats/sync-server.md gives.
struct QueueAdmission {
  private let id: QueueID
  private let asker: Asker
  private let snapshot: any QueueSnapshot
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

  /// Admits or refuses a commit. An unknown queue is born with the sender as its owner. Gives the queue a new epoch if
  /// the cursor shows that history was lost.
  mutating func commit(
    _ request: CommitRequest, at time: Timestamp, _ room: RoomLimit, _ environment: RuntimeEnvironment,
    _ transaction: any QueueTransaction
  ) throws -> Result {
    guard asker.mayAsk(for: id) else { return .refused(.absent) }
    guard var queue = try snapshot.queue(id) else {
      guard request.epoch == nil, asker.mayBear(id) else { return .refused(.absent) }
      guard try room.allowsQueue(of: user, snapshot) else {
        return .refused(Self.noQueueMore(for: request.mutations.map(\.operation), at: time))
      }
      let (queue, membership) = try bear(transaction, at: time, environment)
      return .admitted(queue, membership)
    }
    guard queue.schema == asker.schema else { return .refused(.absent) }
    guard let membership = try snapshot.membership(of: user, in: id) else {
      return .refused(try gone(queue, request.mutations.map(\.operation)))
    }
    let isSameEpoch = request.epoch == nil || request.epoch == queue.epoch
    if isSameEpoch, let cursor = request.cursor, cursor > queue.head {
      // The client has read beyond the head, so history was lost unnoticed. A client that names no epoch has read
      // nothing. A reader must not be able to make everybody else load the queue again.
      if request.epoch != nil, membership.role != .reader {
        queue.epoch = environment.randomID()
        try transaction.put(queue, as: id)
        hasChanged = true
      }
    } else if isSameEpoch {
      guard request.grant.map({ $0 == membership.grant }) ?? request.isSince(membership) else {
        return .refused(.stale(.init(epoch: queue.epoch, grant: membership.grant)))
      }
      return .admitted(queue, membership)
    }
    return .refused(.epoch(.init(epoch: queue.epoch, grant: membership.grant)))
  }

  /// The refusal of a queue for which its sender has no room. Nothing of it is stored, so that such queues take none.
  private static func noQueueMore(for operations: [OperationID], at time: Timestamp) -> QueueRefusal {
    .revoked(
      outcomes: operations.map { operation in
        OperationOutcome(operation: operation, status: .rejected(RejectionCode.quotaExceeded), at: 0, time: time)
      }, retention: .zero)
  }

  /// Creates the queue, with the user as its owner.
  mutating func bear(
    _ transaction: any QueueTransaction, at time: Timestamp, _ environment: RuntimeEnvironment
  ) throws -> (StoredQueue, StoredMembership) {
    var queue = StoredQueue(of: asker.schema, epoch: environment.randomID())
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

  /// Admits or refuses a delta. Nil if the cursor is above the head, which a transaction has to settle.
  func delta(_ request: DeltaRequest.Queue, at time: Timestamp, _ room: RoomLimit) throws -> Result? {
    guard asker.mayAsk(for: id) else { return .refused(.absent) }
    guard let queue = try snapshot.queue(id) else {
      // The commit of these operations was refused because its sender has too many queues. A client asks for their
      // outcomes here.
      guard request.epoch == nil, !request.awaiting.isEmpty, asker.mayBear(id),
        try !room.allowsQueue(of: user, snapshot)
      else { return .refused(.absent) }
      return .refused(Self.noQueueMore(for: request.awaiting, at: time))
    }
    guard queue.schema == asker.schema else { return .refused(.absent) }
    guard let membership = try snapshot.membership(of: user, in: id) else {
      return .refused(try gone(queue, request.awaiting))
    }
    let place = QueueRefusal.Membership(epoch: queue.epoch, grant: membership.grant)
    guard request.epoch == nil || request.epoch == queue.epoch else { return .refused(.epoch(place)) }
    guard let cursor = request.cursor else { return .admitted(queue, membership) }
    if cursor > queue.head {
      return request.epoch == nil || membership.role == .reader ? .refused(.epoch(place)) : nil
    }
    guard request.grant == nil || request.grant == membership.grant, cursor >= queue.floor else {
      return .refused(.reset(place))
    }
    return .admitted(queue, membership)
  }

  /// The refusal for a user who is no member, or no member any more.
  private func gone(_ queue: StoredQueue, _ operations: [OperationID]) throws -> QueueRefusal {
    let outcomes = try snapshot.outcomes(of: operations, in: id)
    return try queue.isEnded && snapshot.wasMember(user, of: id)
      ? .ended(outcomes: outcomes, retention: queue.retention)
      : .revoked(outcomes: outcomes, retention: queue.retention)
  }
}

extension CommitRequest {
  /// Whether all mutations were first sent under this membership. Without a grant, the commit may be a late copy from
  /// an earlier membership, whose operations were reported as not done since.
  fileprivate func isSince(_ membership: StoredMembership) -> Bool {
    mutations.allSatisfy { $0.firstSent >= membership.since }
  }
}
