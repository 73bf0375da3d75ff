// Decides about the mutations of a commit, one after the other. Pure.

package import Determinism
import SyncProtocol
package import WireFormat

/// One commit, and what it has decided so far.
struct QueueCommit {
  private let commit: DecodedCommit
  private let asker: Asker
  private let time: Timestamp
  private let history: HistoryID
  private let access: AccessTable
  private let environment: RuntimeEnvironment
  var work: UnitOfWork
  private var queue: StoredQueue
  /// The sender's membership; nil once a mutation has ended it.
  private var membership: StoredMembership?
  /// The sender's role; the last one if the sender has left.
  private var role: QueueRole
  private var outcomes: [OperationOutcome] = []
  private var waiting: [CommitAnswer.Waiting] = []
  /// Objects of mutations that were not done. Later mutations of these objects are skipped.
  private var blocked: Set<UUIDValue> = []
  private var duties: [HomeDuty]
  private var budget = CommitBudget()
  private var invitations: InvitationCount
  private let room: RoomLimit

  private var user: UserID { asker.user }
  private var request: CommitRequest { commit.request }

  struct Done: Sendable {
    var result: CommitAnswer.Result
    var hasChanged = true
    /// Whether the commit has ended the queue, whose objects are to be removed now.
    var hasEnded = false
    var duties: [HomeDuty] = []
  }

  /// Decides about a commit; `work` has what it reads, and gets what it writes.
  static func decide(
    _ commit: DecodedCommit, by asker: Asker, at time: Timestamp, in history: HistoryID, _ access: AccessTable,
    _ limit: InvitationLimit, _ room: RoomLimit, _ environment: RuntimeEnvironment, _ turn: CommitTurn,
    _ work: inout UnitOfWork
  ) throws -> Done {
    var admission = QueueAdmission(asker)
    switch try admission.commit(commit, access, at: time, room, environment, &work) {
    case .refused(let refusal):
      return Done(result: .refused(refusal), hasChanged: admission.hasChanged, duties: admission.duties)
    case .admitted(let queue, let membership):
      try room.checkOutcomes(of: asker.user, work)
      var commit = Self(
        commit: commit, asker: asker, time: time, history: history, access: access, environment: environment,
        work: work.taken(), queue: queue, membership: membership, role: membership.role,
        duties: admission.duties, invitations: InvitationCount(of: asker.user, limit, at: time), room: room)
      try commit.decide(within: turn)
      commit.work.write(.queue(commit.queue))
      work = commit.work
      let decided = CommitAnswer.Decided(
        grant: membership.grant, role: commit.role, outcomes: commit.outcomes, waiting: commit.waiting)
      let hasChanged = admission.hasChanged || commit.queue != queue || !commit.duties.isEmpty
      return Done(
        result: .decided(decided), hasChanged: hasChanged, hasEnded: commit.queue.isEnded, duties: commit.duties)
    }
  }

  /// Decides about the mutations in order. If others wait, skips the rest of a large commit: the client sends it again.
  private mutating func decide(within turn: CommitTurn) throws {
    var looked = 0
    for (mutation, changes) in zip(request.mutations, commit.changes) {
      if budget.work - looked >= turn.work {
        looked = budget.work
        if turn.isAwaited() { return }
      }
      budget.add(work: 1)
      let objects = changes?.orderedObjects ?? []
      let known = try work.outcome(of: mutation.operation)
      var outcome = known.flatMap { $0.isFinal(forAttempt: mutation.attempt) ? $0 : nil }
      // After the sender has left, the rest is skipped, as if it had come in a request of its own.
      if outcome == nil && membership != nil && !objects.contains(where: blocked.contains) {
        outcome = try decide(mutation, changes)
      }
      if let outcome { outcomes.append(outcome) }
      if outcome?.isDone != true { blocked.formUnion(objects) }
    }
  }

  /// Decides about a mutation and stores the outcome. Nil if files are missing, or if the commit has no room left for
  /// it.
  private mutating func decide(
    _ mutation: CommitRequest.Mutation, _ changes: OperationChanges?
  ) throws -> OperationOutcome? {
    guard let status = try status(of: mutation, changes) else { return nil }
    let outcome = Self.outcome(of: mutation, status, at: queue.head, time)
    work.write(.outcome(outcome, of: user))
    return outcome
  }

  /// An outcome as it is stored. Its time is never before `firstSent`, even if the clock is behind a time that this server
  /// has told. If upkeep forgot the outcome while the operation may still come, it would be decided again. No server tells
  /// a time further ahead than that: an outcome that a client dates there must not stay for ever.
  static func outcome(
    of mutation: CommitRequest.Mutation, _ status: OperationOutcome.Status, at head: Int64, _ time: Timestamp
  ) -> OperationOutcome {
    let furthest = Timestamp(millisecondsSince1970: time.millisecondsSince1970 + Self.furthestAhead)
    return OperationOutcome(
      operation: mutation.operation, status: status, at: head, time: max(time, min(mutation.firstSent, furthest)),
      attempt: mutation.attempt)
  }

  private static let furthestAhead = 400 * UpkeepRules.day

  private mutating func status(
    of mutation: CommitRequest.Mutation, _ changes: OperationChanges?
  ) throws -> OperationOutcome.Status? {
    // It may have been applied and its outcome forgotten. Nothing is ever applied twice.
    if mutation.firstSent < queue.retention { return .unknown }
    if mutation.isVoid { return .voided }
    guard let changes else { return .rejected(RejectionCode.invalid) }
    return try apply(changes, of: mutation.operation)
  }

  /// Everything is worked out before anything is written, so that a rejected mutation leaves nothing.
  private mutating func apply(
    _ changes: OperationChanges, of operation: OperationID
  ) throws -> OperationOutcome.Status? {
    guard let role = membership?.role else { return nil }
    do throws(Rejection) {
      guard changes.isWithinFileLimits, changes.links.count + changes.members.count <= ProtocolLimits.memberChanges
      else {
        throw .code(RejectionCode.tooLarge)
      }
      budget.add(work: changes.members.count + changes.links.count)
      if !changes.files.isEmpty, !access.letsUpload(role) { throw .code(RejectionCode.forbidden) }
      let sender = ChangeSender(user: user, schema: asker.schema, role: role, access: access)
      let objects = try ObjectChanges(
        changes.objects, waitingFor: changes.files.count, history, by: sender, work, &budget)
      try room.check(objects, by: sender, work)
      if objects.endsQueue, !changes.members.isEmpty { throw .code(RejectionCode.invalid) }
      let members = try MemberChanges(changes.members, by: user, access, work, room, &budget, &invitations)
      let links = try linkChanges(changes.links, after: members)
      try room.check(links, by: sender, work)
      let missing = try Rejection.reading { try changes.files.filter { try !work.isThere(.file($0)) } }
      guard missing.isEmpty else {
        waiting.append(CommitAnswer.Waiting(operation: operation, files: missing))
        return nil
      }
      if objects.endsQueue {
        try end()
        return .applied
      }
      write(objects, changes.files)
      try write(members)
      try write(links)
      let isDone = objects.hasFound || members.hasEffect || !links.changed.isEmpty || changes.join != nil
      return isDone ? .applied : .noEffect
    } catch {
      switch error {
      case .code(let code): return .rejected(code)
      // Skipped: the client sends it again.
      case .noRoom: return nil
      case .notRead(let error): throw error
      }
    }
  }

  private mutating func linkChanges(_ changes: [LinkChange], after members: MemberChanges) throws(Rejection)
    -> LinkChanges
  {
    guard changes.isEmpty || budget.take(memberChanges: changes.count) else { throw .noRoom }
    let own = members.changed.first { $0.user == user }
    return try LinkChanges(
      changes, as: own == nil ? membership?.role : own?.role, isFounder: membership?.by == user, access, work)
  }

  private mutating func write(_ changes: LinkChanges) throws(Rejection) {
    for change in changes.changed {
      try Rejection.reading {
        let live = try change.record.map { try ObjectState.Live($0, by: user, at: time) }
        try queue.put(live, as: change.object, &work)
      }
    }
  }

  private mutating func write(_ changes: ObjectChanges, _ files: [ContentHash]) {
    for change in changes.changed {
      queue.head += 1
      if let before = change.before { queue.digest.remove(before) }
      let live = change.after.map { after in
        ObjectState.Live(
          type: after.type, content: after.content, newestBy: after.newestBy,
          system: .changed(change.before?.live?.system, by: user, at: queue.next(time)))
      }
      let after = ObjectState(id: change.id, revision: queue.head, live: live)
      queue.digest.add(after)
      work.write(.object(after))
    }
    // Also for objects that the operation has left unchanged.
    for object in changes.live { write(object, files) }
  }

  /// Ends the queue for good. Nobody is a member any more, so nobody is served its objects, which are removed after the
  /// commit. Adds a duty for the home queue of each member.
  private mutating func end() throws(Rejection) {
    let members = try Rejection.reading { try work.members() }
    queue.head += 1
    for user in members.keys.sorted() { duties.append(queue.addDuty(user, &work)) }
    work.write(.noMembers)
    queue.digest = .empty
    queue.isEnded = true
    membership = nil
  }

  private mutating func write(_ changes: MemberChanges) throws(Rejection) {
    invitations.add(changes.given, to: changes.people, &work)
    for change in changes.changed {
      let member = change.user
      let new = change.role.map { role in
        // A member who gets another role keeps the grant, because that member has not left.
        var membership =
          change.before ?? StoredMembership(role: role, grant: environment.randomID(), by: user, since: time)
        membership.role = role
        return membership
      }
      work.write(.membership(new, of: member))
      try Rejection.reading { try queue.put(new, of: member, at: time, &work) }
      duties.append(queue.addDuty(member, &work))
      guard member == user else { continue }
      membership = new
      role = new?.role ?? role
    }
  }
}

extension OperationOutcome {
  /// Whether later operations on the same objects may follow.
  var isDone: Bool { status == .applied || status == .noEffect }
}

extension RuntimeEnvironment {
  /// A random id, as of a history or a grant.
  package func randomID<Object>() -> ObjectID<Object> { ObjectID(randomID()) }
  package func randomID() -> UUIDValue { UUIDValue(high: randomBits(), low: randomBits()) }
}

/// Why a mutation is not applied: it is rejected, skipped, or the whole request fails.
enum Rejection: Error {
  case code(String)
  /// The commit has read or changed enough already.
  case noRoom
  /// A row could not be read. The operators `??` and `||` lose it in Swift 6.3, if their right side throws it.
  case notRead(any Error)

  static func reading<Result>(_ body: () throws -> Result) throws(Rejection) -> Result {
    do { return try body() } catch { throw .notRead(error) }
  }
}
