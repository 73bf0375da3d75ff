// Decides which memberships are invitations, each time the home queue was read.

import SyncProtocol
package import WireFormat

extension ModelStore {
  /// The queues that stay hidden until the user accepts them.
  package var invited: Set<QueueID> { memory.withLock { $0.sync.invited } }

  func judgeInvitations(_ memberships: [HomeMembership], saidBy home: QueuePlace) async throws {
    let (policy, invited) = memory.withLock { ($0.holder.policy, $0.sync.invited) }
    // With the policy `all`, and no invitation left from an earlier policy, nothing is to be judged.
    guard let policy, policy != .all || !invited.isEmpty else { return }
    let foreign = policy == .all ? [] : memberships.filter { ($0.by ?? user) != user }
    let answers = foreign.isEmpty ? [:] : try await acceptances()
    let open = foreign.filter { answers[$0.queue]?.grant != $0.grant }
    let homeID = homeQueueID
    let judging = Judging(
      open: open, answers: answers, named: Set(memberships.map(\.queue)), homeID: homeID, home: home)
    // If the home queue was read again meanwhile, that reading is judged by a call of its own.
    let judgement = memory.withLock { memory in
      memory.sync.place(of: homeID) == home ? memory.ledger.judge(judging) : nil
    }
    guard let judgement else { return }
    if !judgement.changed.isEmpty { try await writer.store(invited: judgement.changed) }
    memory.withLock { memory in
      guard memory.sync.place(of: homeID) == home else { return }
      memory.setInvited(judgement.changed)
    }
    accept(judgement.accepted)
  }

  /// The confirmed acceptances of the home queue; pending ones are in the outbox.
  private func acceptances() async throws -> [QueueID: QueueAcceptance] {
    let objects = try await writer.objects(of: QueueAcceptance.type, in: homeQueueID)
    let acceptances = objects.compactMap { try? QueueAcceptance(content: $0.content) }
    return Dictionary(acceptances.map { ($0.queue, $0) }) { first, _ in first }
  }
}

/// The input of a judgement: memberships and answers of the home queue.
private struct Judging {
  /// Memberships that another user has given, and whose grant no confirmed acceptance names.
  var open: [HomeMembership]
  var answers: [QueueID: QueueAcceptance]
  /// All queues that the home queue names.
  var named: Set<QueueID>
  var homeID: QueueID
  var home: QueuePlace
}

/// The result of a judgement, which is not stored yet.
private struct Judgement {
  /// Changes to store: true for a queue that is an invitation now, false for one that is none any more.
  var changed: [QueueID: Bool] = [:]
  /// Queues to accept without asking the user, with the grants of their memberships.
  var accepted: [QueueID: GrantID] = [:]
}

extension SyncLedger {
  fileprivate func judge(_ judging: Judging) -> Judgement {
    var judgement = Judgement()
    // Invitations that the home queue does not name, any more or yet, stay hidden: rows may be here or may arrive.
    var invited = sync.invited.filter { !judging.named.contains($0) }
    for membership in judging.open where !isAccepted(membership, in: judging.homeID) {
      let queue = membership.queue
      if isHeld(queue, judging) {
        judgement.accepted[queue] = membership.grant
      } else if judging.home.load == .loaded || !isShown(queue) {
        // A queue that is shown stays so while the home queue is loaded: its acceptance may come with the next page.
        invited.insert(queue)
      }
    }
    // The queues in `accepted` stop being invitations with the operation that accepts them.
    for queue in invited.symmetricDifference(sync.invited) where judgement.accepted[queue] == nil {
      judgement.changed[queue] = invited.contains(queue)
    }
    return judgement
  }

  /// Whether a pending operation accepts this membership.
  private func isAccepted(_ membership: HomeMembership, in home: QueueID) -> Bool {
    let id = SyncID.acceptance(of: membership.queue, inHome: home)
    return outbox.overlay[id]?.view?.acceptance?.grant == membership.grant
  }

  /// Whether to accept a queue without asking the user. An answer for another grant counts if it was given in another
  /// history of the server, since a restored server may give new grants. Without any answer, the queue is accepted if
  /// this device shows it already, or if the user has changed something in it.
  private func isHeld(_ queue: QueueID, _ judging: Judging) -> Bool {
    if let answer = judging.answers[queue] { return judging.home.history.map { $0 != answer.history } ?? false }
    return isShown(queue) || !sync.invited.contains(queue) && isUsed(queue)
  }

  private func isShown(_ queue: QueueID) -> Bool { !sync.invited.contains(queue) && sync.place(of: queue).hasRows }

  /// Whether a pending operation changes an object of the queue, or lets the user in. Declining does not: it changes
  /// members only.
  private func isUsed(_ queue: QueueID) -> Bool {
    (outbox.queues[queue]?.numbers ?? []).contains { number in
      outbox.operations[number].map { !$0.changes.objects.isEmpty || $0.isDoor } ?? false
    }
  }
}

extension ObjectVersion {
  fileprivate var acceptance: QueueAcceptance? {
    type == QueueAcceptance.type ? try? QueueAcceptance(content: content) : nil
  }
}

extension QueuePlace {
  /// Whether rows of the queue may be on this device.
  fileprivate var hasRows: Bool {
    switch load {
    case .loading, .loaded, .reloading: true
    case .unread, .revoked, .ended: false
    }
  }
}
