// Which memberships the user is asked about: judged whenever the home queue was read.

package import ModelTypes
import SyncProtocol
import WireFormat

extension ModelStore {
  /// The queues of which nothing is shown before the user has accepted them.
  package var invited: Set<QueueID> { memory.withLock { $0.sync.invited } }

  /// Judges again who is known, since members of queues have come; the home queue says nothing new.
  package func judgeInvitations() async throws {
    guard memory.withLock({ $0.sync.policy == .known && !$0.sync.invited.isEmpty }) else { return }
    _ = try await memberships()
  }

  func judgeInvitations(_ memberships: [HomeMembership], saidBy home: QueuePlace) async throws {
    guard let policy = memory.withLock({ $0.sync.policy }) else { return }
    let own = user.rawValue
    let foreign = policy == .all ? [] : memberships.filter { ($0.by ?? own) != own }
    let accepted = foreign.isEmpty ? [:] : try await acceptances()
    let open = foreign.filter { accepted[$0.queue] != $0.grant }
    let people = policy == .known && !open.isEmpty ? try knownPeople(besides: Set(open.map(\.queue))) : []
    let homeID = QueueID(SyncID.homeQueue(ofUser: own))
    let judgement: Judgement? = memory.withLock { memory in
      // Whoever has read the home queue since judges again.
      guard memory.sync.place(of: homeID) == home else { return nil }
      let named = Set(memberships.map(\.queue))
      return memory.judge(open, people, named: named, isHomeRead: home.load == .loaded, of: own)
    }
    guard let judgement else { return }
    if !judgement.changed.isEmpty {
      try await writer.note(invited: judgement.changed)
      memory.withLock { memory in
        memory.sync.note(invited: judgement.changed)
        memory.didChange(CollectionOfOne(.zero))
      }
    }
    accept(judgement.accepted)
  }

  /// What the home queue has of them; those on their way are in the outbox.
  private func acceptances() async throws -> [QueueID: UUIDValue] {
    let home = QueueID(SyncID.homeQueue(ofUser: user.rawValue))
    let objects = try await writer.objects(of: QueueAcceptance.type, in: home)
    let acceptances = objects.compactMap { try? QueueAcceptance(content: $0.content) }
    return Dictionary(acceptances.map { (QueueID($0.queue), $0.grant) }) { first, _ in first }
  }

  /// The members of the queues that the user has not to be asked about.
  private func knownPeople(besides open: Set<QueueID>) throws -> Set<UUIDValue> {
    let scan = try reader.scan()
    try scan.begin()
    var people: Set<UUIDValue> = []
    try scan.forEachObject(type: QueueMember.type, hiding: open) { _, _, content in
      if let member = try? QueueMember(content: [UInt8](content)) { people.insert(member.user) }
    }
    return people
  }
}

/// What is to be done about invitations.
private struct Judgement {
  /// To be written down: which queues are invitations now, and which are none any more.
  var changed: [QueueID: Bool] = [:]
  /// What nobody has to be asked about, with the grants.
  var accepted: [QueueID: UUIDValue] = [:]
}

extension StoreMemory {
  /// `open`: memberships by others that no confirmed acceptance is of.
  fileprivate func judge(
    _ open: [HomeMembership], _ people: Set<UUIDValue>, named: Set<QueueID>, isHomeRead: Bool,
    of user: UUIDValue
  ) -> Judgement {
    var judgement = Judgement()
    var invited: Set<QueueID> = []
    for membership in open where !isAccepted(membership, by: user) {
      let queue = membership.queue
      if membership.by.map(people.contains) ?? false || !sync.invited.contains(queue) && isHeld(queue) {
        judgement.accepted[queue] = membership.grant
      } else {
        invited.insert(queue)
      }
    }
    // The user has left, and the rows are here until the server says so; or the home queue was not read to its end.
    let unnamed = sync.invited.filter { !named.contains($0) && (!isHomeRead || sync.place(of: $0).hasRows) }
    invited.formUnion(unnamed)
    // The others leave with the operation that accepts them.
    for queue in invited.symmetricDifference(sync.invited) where judgement.accepted[queue] == nil {
      judgement.changed[queue] = invited.contains(queue)
    }
    return judgement
  }

  /// On its way.
  private func isAccepted(_ membership: HomeMembership, by user: UUIDValue) -> Bool {
    let id = SyncID.acceptance(ofUser: user, ofQueue: membership.queue.rawValue)
    return outbox.objects[id]?.view?.acceptedGrant == membership.grant
  }

  /// What the device shows, or what its user has done something in, is not asked about: a restored server may have given
  /// the user another grant.
  private func isHeld(_ queue: QueueID) -> Bool {
    let place = sync.place(of: queue)
    return place.hasRows || place.load == .awaitingMembership || isUsed(queue)
  }

  /// To decline is no use of it.
  private func isUsed(_ queue: QueueID) -> Bool {
    (outbox.queues[queue]?.numbers ?? []).contains { outbox.operations[$0]?.changes.objects.isEmpty == false }
  }
}

extension Outbox.Confirmed {
  fileprivate var acceptedGrant: UUIDValue? {
    type == QueueAcceptance.type ? (try? QueueAcceptance(content: content))?.grant : nil
  }
}

extension QueuePlace {
  /// Whether rows of the queue may be on this device.
  fileprivate var hasRows: Bool {
    switch load {
    case .loading, .loaded, .reloading: true
    case .unread, .revoked, .awaitingMembership, .ended: false
    }
  }
}
