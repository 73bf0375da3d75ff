// Admits a request to a queue or refuses it, by the membership and the grant.

import Determinism
import SyncProtocol
import WireFormat

/// Makes the checks of a request in the order that docs/formats/sync-server.md gives.
struct QueueAdmission {
  let asker: Asker
  /// Whether a queue was born, or the user was let in.
  private(set) var hasChanged = false
  private(set) var duties: [HomeDuty] = []

  var user: UserID { asker.user }

  init(_ asker: Asker) { self.asker = asker }

  enum Result {
    case admitted(StoredQueue, StoredMembership)
    case refused(QueueRefusal)
  }

  /// Admits or refuses a commit. An unknown queue is born with the sender as its owner if the commit makes its root, or
  /// if it is the sender's home queue. A mutation may let the sender into a queue that is there (`QueueAdmission+Doors`).
  mutating func commit(
    _ commit: DecodedCommit, _ access: AccessTable, at time: Timestamp, _ room: RoomLimit,
    _ environment: RuntimeEnvironment, _ work: inout UnitOfWork
  ) throws -> Result {
    guard asker.mayAsk(for: work.queueID) else { return .refused(.noQueue) }
    let operations = commit.request.mutations.map { ($0.operation, $0.attempt) }
    let door = try undecidedDoor(in: commit, access, work)
    guard let before = try work.queue() else {
      guard mayBear(work.queueID, commit, door) else { return .refused(Self.unknown(work.queueID)) }
      guard try room.allowsQueue(of: user, work) else {
        return .refused(try noQueueMore(nil, for: operations, at: time, work))
      }
      let (queue, owner) = try letIn(nil, to: nil, at: time, environment, &work)
      return .admitted(queue, owner)
    }
    if before.schema == asker.schema, let door {
      let isAdmitted = try come(to: before, by: door, access, at: time, room, environment, &work)
      guard isAdmitted else { return .refused(try noQueueMore(before, for: operations, at: time, work)) }
    }
    return try admitted(work.queue() ?? before, operations.map(\.0), work) { membership in
      commit.request.grant == membership.grant ? nil : .stale(membership.grant)
    }
  }

  /// Whether an unknown queue is born by a commit of the user.
  private func mayBear(_ queue: QueueID, _ commit: DecodedCommit, _ door: QueueDoor?) -> Bool {
    queue == asker.home || queue.rawValue.isVersion4 && commit.makesRoot || queue.isDerived && door != nil
  }

  /// Admits or refuses a delta.
  func delta(
    _ request: DeltaRequest.Queue, at time: Timestamp, _ room: RoomLimit, _ work: UnitOfWork
  ) throws -> Result {
    guard asker.mayAsk(for: work.queueID) else { return .refused(.noQueue) }
    let queue = try work.queue()
    if try !request.awaiting.isEmpty && mayComeTo(queue, work) && !room.allowsQueue(of: user, work) {
      // The commit of these operations was refused because its sender has too many queues. A client asks for their
      // outcomes here.
      let operations = request.awaiting.map { ($0, ProtocolLimits.attempts) }
      return .refused(try noQueueMore(queue, for: operations, at: time, work))
    }
    guard let queue else { return .refused(Self.unknown(work.queueID)) }
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
    guard queue.schema == asker.schema else { return .refused(Self.unknown(work.queueID)) }
    guard let membership = try work.membership(of: user) else {
      let outcomes = try operations.compactMap { try work.outcome(of: $0) }
      if try outcomes.isEmpty && isConcealed(from: user, work) { return .refused(Self.unknown(work.queueID)) }
      return try .refused(
        queue.isEnded && work.isThere(.wasMember(user))
          ? .ended(outcomes: outcomes, retention: queue.retention)
          : .revoked(outcomes: outcomes, retention: queue.retention))
    }
    return refusal(membership).map { .refused($0) } ?? .admitted(queue, membership)
  }

  /// The refusal of a queue for which its sender has no room. Nothing of it is stored, so that such queues take none. A
  /// user who was in a queue with an identity before gets the outcomes of that time.
  private func noQueueMore(
    _ queue: StoredQueue?, for operations: [(OperationID, attempt: Int)], at time: Timestamp, _ work: UnitOfWork
  ) throws -> QueueRefusal {
    let outcomes = try operations.map { operation, attempt in
      let known = try queue.flatMap { _ in try work.outcome(of: operation) }
      if let known, known.isFinal(forAttempt: attempt) { return known }
      return OperationOutcome(
        operation: operation, status: .rejected(RejectionCode.quotaExceeded), at: 0, time: time, attempt: attempt)
    }
    return .revoked(outcomes: outcomes, retention: queue?.retention ?? .zero)
  }

  /// Whether a commit of the user could make the queue, or let the user in.
  private func mayComeTo(_ queue: StoredQueue?, _ work: UnitOfWork) throws -> Bool {
    let id = work.queueID
    if queue == nil { return id == asker.home || id.rawValue.isVersion4 || id.isDerived }
    return try id.isDerived && work.membership(of: user) == nil
  }

  /// Whether a queue is concealed from a user who is no member: one with an identity, from all who never were.
  private func isConcealed(from user: UserID, _ work: UnitOfWork) throws -> Bool {
    guard work.queueID.isDerived else { return false }
    return try work.object(SyncID.member(user, inQueue: work.queueID)) == nil
  }

  /// The refusal of a queue that does not exist for the user. Everybody can compute the id of a queue with an identity, so
  /// nobody learns whether it is there.
  private static func unknown(_ queue: QueueID) -> QueueRefusal {
    queue.isDerived ? .revoked(outcomes: [], retention: .zero) : .noQueue
  }

  /// Creates the queue, with the user as its owner.
  mutating func bear(
    _ work: inout UnitOfWork, at time: Timestamp, _ environment: RuntimeEnvironment
  ) throws -> StoredQueue {
    try letIn(nil, to: nil, at: time, environment, &work).0
  }

  /// Makes the user an owner of the queue, whom nobody else has taken in; it is born if there is none. A member keeps the
  /// grant.
  mutating func letIn(
    _ member: StoredMembership?, to before: StoredQueue?, at time: Timestamp, _ environment: RuntimeEnvironment,
    _ work: inout UnitOfWork
  ) throws -> (StoredQueue, StoredMembership) {
    var queue = before ?? StoredQueue(of: asker.schema)
    var owner = member ?? StoredMembership(role: .owner, grant: environment.randomID(), by: user, since: time)
    (owner.role, owner.by) = (.owner, user)
    try put(owner, in: &queue, at: time, &work)
    work.write(.queue(queue))
    return (queue, owner)
  }

  mutating func put(
    _ membership: StoredMembership, in queue: inout StoredQueue, at time: Timestamp, _ work: inout UnitOfWork
  ) throws {
    work.write(.membership(membership, of: user))
    hasChanged = true
    // A home queue does not list itself, and has no objects for members.
    guard work.queueID != asker.home else { return }
    try queue.put(membership, of: user, at: time, &work)
    duties.append(queue.addDuty(user, &work))
  }
}

extension StoredQueue {
  fileprivate func isServed(from cursor: Int64) -> Bool { floor <= cursor && cursor <= head }
}
