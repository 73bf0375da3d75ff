// Oracles of invitations: nothing is shown of a queue before its user accepts it, and then nobody is asked about it
// again.

import ClientStore
import SyncProtocol
import SyncServer
import WireFormat

extension Oracles {
  /// Asked at each look. Works out from rows and outbox what is accepted. What was shown before by right stays.
  func invitationsAreRight(_ device: Device, _ look: Look) {
    guard world.plan.faults.contains(.invitations) else { return }
    let memberships = look.memberships(of: device)
    var shown: Set<QueueID> = []
    for (id, queue) in look.queues.sorted(by: { $0.key < $1.key }) where id != device.home {
      let membership = memberships[id]
      // These grants stay accepted even if the server has refused the acceptance since: the device then makes it once
      // more.
      device.record.acceptedGrants[id, default: []].formUnion(look.acceptances(of: id, device))
      let accepted = device.record.acceptedGrants[id] ?? []
      // After a salvage the memberships come again, so any acceptance counts until then.
      let isAccepted = membership.map { accepted.contains($0.grant) } ?? !accepted.isEmpty
      guard !look.invited.contains(id), queue.isHere, !queue.rows.isEmpty else { continue }
      // A queue that the home queue does not name has come back with what its user tries again.
      let isOwn = membership.map { $0.by == device.user } ?? true
      let isHeld = device.record.shownQueues.contains(id)
      let isUsed = device.record.usedQueues.contains(id)
      if device.policy != .all, !isOwn, !isAccepted, !isHeld, !isUsed {
        report("shown though nobody accepted it: \(id.short) on \(device.name)")
      }
      shown.insert(id)
    }
    // What its user does in a queue that has gone comes after the loss, and counts.
    let inUse = Set(look.outbox.compactMap(\.queue))
    let gone = look.queues.filter { [.revoked, .ended].contains($0.value.load) }.keys
    device.record.usedQueues.subtract(gone.filter { !inUse.contains($0) })
    // A queue that loads from the beginning after a salvage is still shown by right.
    let kept = device.record.shownQueues.filter { id in
      look.queues[id].map { ![.revoked, .ended].contains($0.load) } ?? false && !look.invited.contains(id)
    }
    device.record.shownQueues = shown.union(kept)
    previewsAreFew(device, look)
  }

  /// Reports too many queues on the disk that were not accepted: others may take a user into as many as they like.
  private func previewsAreFew(_ device: Device, _ look: Look) {
    let previews = look.invited.filter { id in
      guard let queue = look.queues[id], queue.isHere, !queue.rows.isEmpty else { return false }
      // One that its user had accepted was loaded under that membership, before the home queue told of the new one.
      guard device.record.acceptedGrants[id]?.isEmpty ?? true else { return false }
      // To decline a queue is to leave it, for which the device has to read it.
      return !device.record.usedQueues.contains(id) && !device.record.declinedQueues.contains(id)
    }
    if previews.count > Device.maximumPreviews {
      report("too much of what nobody accepted: \(previews.count) queues on \(device.name)")
    }
  }

  /// Reports a membership by others without an acceptance in the device's home queue. At rest everybody has accepted
  /// all.
  func membershipsAreAccepted(_ device: Device) throws {
    guard device.policy != .all, !device.asksLater, let rows = try device.life?.rows.read()[device.home]?.rows else {
      return
    }
    for row in rows.values where row.type == QueueMembership.type && row.createdBy != device.user {
      guard let (queue, grant) = row.membership else { continue }
      let acceptance = UUIDValue(PlainID.acceptance(of: PlainID(queue), in: PlainID(device.home)))
      if rows[acceptance]?.acceptedGrant != grant {
        report("accepted by nobody: \(queue.short), of the user of \(device.name)")
      }
    }
  }
}

extension Look {
  fileprivate struct Membership {
    var grant: GrantID
    var by: UserID?
  }

  fileprivate func memberships(of device: Device) -> [QueueID: Membership] {
    var memberships: [QueueID: Membership] = [:]
    for row in queues[device.home]?.rows.values ?? [:].values where row.type == QueueMembership.type {
      guard let (queue, grant) = row.membership else { continue }
      memberships[queue] = Membership(grant: grant, by: row.createdBy)
    }
    return memberships
  }

  /// The grants that the user has accepted, by the rows of the home queue, by the outbox, and by what the disk had no room
  /// for: that is shown until the next start, which asks again.
  fileprivate func acceptances(of queue: QueueID, _ device: Device) -> Set<GrantID> {
    let id = UUIDValue(PlainID.acceptance(of: PlainID(queue), in: PlainID(device.home)))
    var grants: Set<GrantID> = []
    if let grant = queues[device.home]?.rows[id]?.acceptedGrant { grants.insert(grant) }
    let failed = device.life?.store.failedOperations.map(\.changes) ?? []
    for changes in outbox.map(\.changes) + failed {
      for change in changes.objects where change.object == id {
        if let content = try? change.applied(to: nil), let grant: GrantID = content.id(ofTag: 2) {
          grants.insert(grant)
        }
      }
    }
    return grants
  }
}

extension DeviceRows.Row {
  fileprivate var membership: (queue: QueueID, grant: GrantID)? {
    guard let queue: QueueID = content.id(ofTag: 1), let grant: GrantID = content.id(ofTag: 3) else { return nil }
    return (queue, grant)
  }

  fileprivate var acceptedGrant: GrantID? { type == QueueAcceptance.type ? content.id(ofTag: 2) : nil }
}

extension [UInt8] {
  /// An id with this tag, as "Members and memberships" of sync-protocol.md has it.
  fileprivate func id<Object>(ofTag tag: UInt64) -> ObjectID<Object>? {
    guard let record = try? records().last(where: { $0.tag == tag }) else { return nil }
    return (try? record.id()).map { ObjectID($0) }
  }
}
