// Home queues: the memberships of a user, as objects. Section "Members and home queues" of sync-server.md.

extension PlainServer {
  /// The effects of one duty on a home queue; none if it was done already.
  func effects(of duty: PlainDuty, at time: Int64, _ choices: PlainChoices) -> PlainEffects {
    let owner = PlainAsker(user: duty.user, schema: queues[duty.queue]?.row.schema ?? "")
    var transaction = PlainTransaction(owner.home, in: self, at: time, choices)
    guard duties.contains(duty) else { return transaction.effects }
    transaction.effects.doneDuty = duty
    if transaction.row == nil { transaction.beBorn(of: owner) }
    let object = PlainID.membership(of: duty.queue, in: owner.home)
    let live = queues[duty.queue]?.members[duty.user].map { member in
      PlainLive(
        type: "sync.membership", content: member.content(in: duty.queue), newestBy: member.since, createdBy: member.by)
    }
    transaction.putOwn(live, as: object)
    return transaction.effects
  }

  /// The effects of asking for a home queue, which is created when its owner asks for it.
  func effects(ofAskingFor home: PlainID, by asker: PlainAsker, at time: Int64, _ choices: PlainChoices) -> PlainEffects
  {
    var transaction = PlainTransaction(home, in: self, at: time, choices)
    if transaction.row == nil, home == asker.home { transaction.beBorn(of: asker) }
    return transaction.effects
  }
}

extension PlainMember {
  /// The content of the member's object in the queue.
  func content(of user: PlainID) -> [UInt8] {
    var bytes: [UInt8] = []
    if user != .zero { bytes.append(PlainRecord(tag: 1, wireType: 2, value: user.bytes)) }
    bytes.append(PlainRecord(tag: 2, number: role.rawValue))
    if since != 0 { bytes.append(PlainRecord(tag: 3, number: UInt64(bitPattern: since))) }
    return bytes
  }

  func content(in queue: PlainID) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(PlainRecord(tag: 1, wireType: 2, value: queue.bytes))
    bytes.append(PlainRecord(tag: 2, number: role.rawValue))
    bytes.append(PlainRecord(tag: 3, wireType: 2, value: grant.bytes))
    return bytes
  }
}
