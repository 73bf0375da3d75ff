// Admission to a queue: epoch, membership and grant, read under the lock.

import Determinism
import SyncProtocol
import WireFormat

/// Whether a request is served, in the order of the checks that docs/formats/sync-protocol.md gives.
struct QueueAdmission {
  private let id: UUIDValue
  private let user: UUIDValue
  private let snapshot: any QueueSnapshot
  private(set) var hasChanged = false
  private(set) var duties: [HomeDuty] = []

  init(_ queue: UUIDValue, _ user: UUIDValue, _ snapshot: any QueueSnapshot) {
    id = queue
    self.user = user
    self.snapshot = snapshot
  }

  enum Result {
    case admitted(StoredQueue, StoredMembership)
    case refused(QueueRefusal)
  }

  /// An unknown queue is born with the sender as its owner.
  mutating func commit(
    _ request: CommitRequest, at time: Timestamp, _ environment: RuntimeEnvironment,
    _ transaction: any QueueTransaction
  ) throws -> Result {
    guard isTheirs else { return .refused(.absent) }
    guard var queue = try snapshot.queue(id) else {
      guard request.epoch == nil, SyncID.mayBeBorn(id, of: user) else { return .refused(.absent) }
      let (queue, membership) = try bear(transaction, at: time, environment)
      return .admitted(queue, membership)
    }
    guard let membership = try snapshot.membership(of: user, in: id) else {
      return .refused(try gone(queue, request.mutations.map(\.operation)))
    }
    let isSameEpoch = request.epoch == nil || request.epoch == queue.epoch
    if isSameEpoch, let cursor = request.cursor, cursor > queue.head {
      // The client has read what is not there any more: history was lost, and nobody had noticed. Who names no epoch
      // has read nothing; and who may only read cannot make everybody else load the queue again.
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

  /// Makes the queue, with the user as its owner.
  mutating func bear(
    _ transaction: any QueueTransaction, at time: Timestamp, _ environment: RuntimeEnvironment
  ) throws -> (StoredQueue, StoredMembership) {
    var queue = StoredQueue(epoch: environment.randomID())
    let owner = StoredMembership(role: .owner, grant: environment.randomID(), by: user, since: time)
    try transaction.put(owner, of: user, in: id)
    hasChanged = true
    // A home queue does not list itself, and has one member.
    if id != SyncID.homeQueue(ofUser: user) {
      duties.append(try transaction.addDuty(user, id))
      try queue.put(owner, of: user, in: id, transaction)
    }
    try transaction.put(queue, as: id)
    return (queue, owner)
  }

  /// The part of a queue that a delta may read; nil where the cursor is above the head, which a transaction has to settle.
  func delta(_ request: DeltaRequest.Queue) throws -> Result? {
    guard isTheirs, let queue = try snapshot.queue(id) else { return .refused(.absent) }
    guard let membership = try snapshot.membership(of: user, in: id) else {
      return .refused(try gone(queue, request.awaiting))
    }
    let place = QueueRefusal.Place(epoch: queue.epoch, grant: membership.grant)
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

  /// The id of a home queue can be computed from its user's: for everybody else there is no such queue, and so nobody
  /// learns whether the user was ever here.
  private var isTheirs: Bool { SyncID.mayBeAsked(id, by: user) }

  /// For those who are no members, or none any more.
  private func gone(_ queue: StoredQueue, _ operations: [UUIDValue]) throws -> QueueRefusal {
    let outcomes = try snapshot.outcomes(of: operations, in: id)
    return try queue.isEnded && snapshot.wasMember(user, of: id)
      ? .ended(outcomes: outcomes, retention: queue.retention)
      : .revoked(outcomes: outcomes, retention: queue.retention)
  }
}

extension CommitRequest {
  /// A client that names no grant may have sent this under an earlier membership, and been told since that it did not happen.
  fileprivate func isSince(_ membership: StoredMembership) -> Bool {
    mutations.allSatisfy { $0.firstSent >= membership.since }
  }
}
