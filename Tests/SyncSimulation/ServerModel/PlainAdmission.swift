// Admission to a queue: all of it in one place. "Commit" of sync-server.md, "Refusals" of sync-protocol.md.

/// Why a request for a queue is refused, with the values that the answer tells.
enum PlainRefusal {
  case noQueue
  case ended
  case revoked
  /// `revoked`, of a queue with an identity that is not there for the asker.
  case concealed
  /// With the member's grant.
  case stale(PlainID)
  case reset(PlainID)
}

/// The error that refuses a request as a whole.
struct PlainError {
  var code: String
  /// The time back to which the server may have lost what it acknowledged.
  var since: Int64?
}

extension PlainServer {
  /// The error with which a request is refused before anything else is looked at; nil if none is.
  func refusal(of request: PlainEnvelope, by user: PlainID) -> PlainError? {
    if let meant = request.user, meant != user { return PlainError(code: "UNAUTHENTICATED") }
    if let meant = request.history, meant != history {
      return PlainError(code: "HISTORY_CHANGED", since: since(after: meant))
    }
    if case .commits? = request.request, let oldest = oldestWriters[request.schema],
      request.version?.lexicographicallyPrecedes(oldest) ?? true
    {
      return PlainError(code: "OUTDATED")
    }
    return nil
  }

  /// Why a delta is refused; nil if it is admitted.
  func refusal(of asked: PlainAsked, by asker: PlainAsker) -> PlainRefusal? {
    let queue = queues[asked.queue]
    if let refusal = asker.refusal(by: queue, asked.queue) { return refusal }
    guard let queue, let member = queue.members[asker.user], let cursor = asked.cursor else { return nil }
    let isServed = asked.grant ?? member.grant == member.grant && queue.row.floor <= cursor && cursor <= queue.row.head
    return isServed ? nil : .reset(member.grant)
  }
}

extension PlainTransaction {
  /// Why a commit is refused; nil if it is admitted. Creates an unknown queue.
  mutating func refusal(of commit: PlainCommit, by asker: PlainAsker) -> PlainRefusal? {
    let asked = commit.place
    let proof = proof(in: commit, asker)
    if before == nil, proof != nil || asked.queue == asker.home || asked.queue.isVersion4 && commit.makesRoot {
      beBorn(of: asker)
      return nil
    }
    if let proof, before?.row.schema == asker.schema { letIn(asker.user, by: proof) }
    join(by: commit, asker)
    if member(asker.user) == nil || before?.row.schema != asker.schema,
      let refusal = asker.refusal(by: before, asked.queue)
    {
      return refusal
    }
    return member(asker.user).flatMap { $0.grant == asked.grant ? nil : .stale($0.grant) }
  }

  /// The first mutation without a final outcome that creates the root, with content that gives the queue's id and names the
  /// sender. Section "Ids" of sync-protocol.md.
  private func proof(in commit: PlainCommit, _ asker: PlainAsker) -> PlainMutation? {
    guard commit.place.queue.isOfIdentity else { return nil }
    return commit.mutations.first { mutation in
      if outcome(mutation.operation)?.settles(mutation) == true { return false }
      let creation = mutation.changes?.objects.first { $0.object == commit.place.queue && $0.isCreate }
      guard case .create(let type, let patch, _)? = creation?.action, let content = try? patch.merged(into: []),
        let rights = rights(of: type, for: asker),
        let values = rights.identityValues(in: content, isRoot: true)
      else { return false }
      return .queue(schema: asker.schema, type: type, values) == commit.place.queue
        && values.contains { rights.users.contains($0.tag) && $0.wireType == 2 && $0.value == asker.user.bytes }
    }
  }

  /// Decides about the first mutation that joins by a link, if its sender is no member: lets the sender in, or refuses the
  /// mutation for good.
  private mutating func join(by commit: PlainCommit, _ asker: PlainAsker) {
    let queue = commit.place.queue
    guard let before, before.row.schema == asker.schema, asker.mayAsk(for: queue),
      queue.isVersion4, member(asker.user) == nil, let (mutation, secret) = undecidedJoin(in: commit)
    else { return }
    if mutation.firstSent < before.row.retention {
      decide(mutation, .unknown)
      return
    }
    if mutation.isVoid {
      decide(mutation, .voided)
      return
    }
    let hash = PlainLink.hash(of: secret)
    let id = PlainID.link(hash, in: queue)
    guard var live = object(id)?.live, live.type == PlainLink.type, var link = PlainLink(content: live.content),
      link.hash == hash, link.uses > 0, link.until >= time,
      // Its maker could make it now.
      let maker = member(live.createdBy),
      access.allowsLink(
        to: link.role,
        by: PlainSender(user: live.createdBy, role: maker.role, isCreator: maker.by == live.createdBy),
        object(queue)?.live)
    else {
      decide(mutation, .rejected("linkEnded"))
      return
    }
    let grant = newGrant(of: asker.user)
    put(PlainMember(role: link.role, grant: grant, by: live.createdBy, since: time), as: asker.user)
    link.uses -= 1
    live.content = link.content
    put(link.uses == 0 ? nil : live, as: id)
  }

  /// The first mutation that joins and has no final outcome, and the secret of its link.
  private func undecidedJoin(in commit: PlainCommit) -> (PlainMutation, secret: PlainID)? {
    for mutation in commit.mutations {
      if outcome(mutation.operation)?.settles(mutation) == true { continue }
      if let secret = mutation.changes?.join { return (mutation, secret) }
    }
    return nil
  }

  /// Makes a user an owner whom nobody else has taken in: a new member, or one who was less. What is void, or so old that it
  /// may have been done and forgotten, lets nobody in.
  private mutating func letIn(_ user: PlainID, by proof: PlainMutation) {
    let isTooOld = proof.firstSent < row?.retention ?? 0
    guard var member = member(user) else {
      if isTooOld || proof.isVoid {
        decide(proof, isTooOld ? .unknown : .voided)
      } else {
        put(PlainMember(role: .owner, grant: newGrant(of: user), by: user, since: time), as: user)
      }
      return
    }
    if isTooOld || proof.isVoid || member.role == .owner && member.by == user { return }
    (member.role, member.by) = (.owner, user)
    put(member, as: user)
  }
}

extension PlainAsker {
  /// The refusals that commits and deltas have in common; nil for a member.
  fileprivate func refusal(by queue: PlainQueue?, _ id: PlainID) -> PlainRefusal? {
    guard mayAsk(for: id), let queue, queue.row.schema == schema else { return id.isOfIdentity ? .concealed : .noQueue }
    if queue.members[user] != nil { return nil }
    return queue.former.contains(user) ? .ended : .revoked
  }
}

extension PlainCommit {
  /// Whether a mutation creates the root, the object with the queue's id.
  fileprivate var makesRoot: Bool {
    mutations.contains { mutation in
      mutation.changes?.objects.contains { $0.object == place.queue && $0.isCreate } ?? false
    }
  }
}

extension PlainChange {
  fileprivate var isCreate: Bool { if case .create = action { true } else { false } }
}
