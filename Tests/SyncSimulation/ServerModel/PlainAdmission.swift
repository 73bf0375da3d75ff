// Admission to a queue: all of it in one place. "Commit" of sync-server.md, "Refusals" of sync-protocol.md.

/// Why a request for a queue is refused, with the values that the answer tells.
enum PlainRefusal {
  case absent
  case revoked
  case ended
  case stale(PlainRow, PlainMember)
  case epoch(PlainRow, PlainMember)
  case reset(PlainRow, PlainMember)
}

extension PlainServer {
  /// The code of the error that refuses a request as a whole, before anything else is looked at; nil if none does.
  func refusal(of request: PlainEnvelope, by user: PlainID) -> String? {
    if let meant = request.user, meant != user { return "UNAUTHENTICATED" }
    if let meant = request.history, meant != history { return "HISTORY_CHANGED" }
    if case .commits? = request.request, let oldest = oldestWriters[request.schema],
      request.version?.lexicographicallyPrecedes(oldest) ?? true
    {
      return "OUTDATED"
    }
    return nil
  }
}

extension PlainTransaction {
  /// Why a commit is refused; nil if it is admitted. Creates an unknown queue, and gives a queue whose history was lost
  /// another epoch.
  mutating func refusal(of commit: PlainCommit, by asker: PlainAsker) -> PlainRefusal? {
    let asked = commit.place
    guard asker.mayAsk(for: asked.queue) else { return .absent }
    guard let row else {
      if asked.epoch != nil { return .absent }
      // Ids of version 8 are those of objects and of home queues.
      if !asked.queue.isVersion4, asked.queue != asker.home { return .absent }
      beBorn(of: asker)
      return nil
    }
    if row.schema != asker.schema { return .absent }
    guard let member = member(asker.user) else { return wasMember(asker.user) ? .ended : .revoked }
    if let epoch = asked.epoch, epoch != row.epoch { return .epoch(row, member) }
    if let cursor = asked.cursor, cursor > row.head {
      // A request without an epoch has read nothing. A reader cannot make everybody load the queue again.
      if asked.epoch != nil, member.role != .reader { giveUpHistory() }
      return .epoch(self.row ?? row, member)
    }
    let isOfThisMembership =
      asked.grant.map { $0 == member.grant } ?? commit.mutations.allSatisfy { $0.firstSent >= member.since }
    return isOfThisMembership ? nil : .stale(row, member)
  }
}

/// Whether a delta is admitted to a queue.
enum PlainEntry {
  case admitted(PlainQueue, PlainMember)
  case refused(PlainRefusal)
  /// The history is lost, and a transaction has to give the queue another epoch first.
  case historyLost
}

extension PlainServer {
  func entry(of asked: PlainAsked, by asker: PlainAsker) -> PlainEntry {
    guard asker.mayAsk(for: asked.queue), let queue = queues[asked.queue], queue.row.schema == asker.schema else {
      return .refused(.absent)
    }
    let row = queue.row
    guard let member = queue.members[asker.user] else {
      return .refused(queue.former.contains(asker.user) ? .ended : .revoked)
    }
    if let epoch = asked.epoch, epoch != row.epoch { return .refused(.epoch(row, member)) }
    guard let cursor = asked.cursor else { return .admitted(queue, member) }
    if cursor > row.head {
      return asked.epoch == nil || member.role == .reader ? .refused(.epoch(row, member)) : .historyLost
    }
    if let grant = asked.grant, grant != member.grant { return .refused(.reset(row, member)) }
    return cursor < row.floor ? .refused(.reset(row, member)) : .admitted(queue, member)
  }
}
