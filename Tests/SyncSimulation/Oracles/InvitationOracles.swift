// Nothing is shown of what a user has not accepted, and what was accepted is asked about no more.

import ClientStore
import SyncProtocol
import SyncServer
import WireFormat

extension Oracles {
  /// After each step. What is accepted is worked out from rows and outbox; what was shown before by right stays.
  func invitationsAreRight(_ device: Device, _ look: Look) {
    guard world.plan.faults.contains(.invitations) else { return }
    let memberships = look.memberships(of: device)
    var shown: Set<UUIDValue> = []
    for (id, queue) in look.queues.sorted(by: { $0.key < $1.key }) where id != device.home {
      let membership = memberships[id]
      // Also by what the server has refused to decide since: then it is accepted once more.
      device.record.acceptedGrants[id, default: []].formUnion(look.acceptances(of: id, device))
      let accepted = device.record.acceptedGrants[id] ?? []
      // After a salvage the memberships come again.
      let isAccepted = membership.map { accepted.contains($0.grant) } ?? !accepted.isEmpty
      if look.invited.contains(id) {
        world.count("looks at invitations")
        if isAccepted, queue.isHere { world.count("looks at invitations that were accepted elsewhere") }
        continue
      }
      guard queue.isHere, !queue.rows.isEmpty else { continue }
      let isOwn = membership.map { $0.by == device.user } ?? world.isMade(id, by: device.user)
      let isHeld = device.record.shownQueues.contains(id)
      // What a restored server gives back is here before the home queue names it.
      let isUsed = (membership == nil ? device.record.everUsed : device.record.usedQueues).contains(id)
      if device.policy != .all, !isOwn, !isAccepted, !isHeld, !isUsed {
        report("shown though nobody accepted it: \(id.short) on \(device.name)")
      }
      shown.insert(id)
    }
    let gone = Set(look.queues.filter { [.revoked, .ended].contains($0.value.load) }.keys)
    device.record.usedQueues.subtract(gone.subtracting(device.record.goneQueues))
    device.record.goneQueues = gone
    // A queue that is loaded from the beginning after a salvage is still the user's.
    let kept = device.record.shownQueues.filter { look.queues[$0]?.isKept ?? false && !look.invited.contains($0) }
    device.record.shownQueues = shown.union(kept)
    previewsAreFew(device, look)
  }

  /// Others may take a user into as many queues as they like: few of them are on the disk before they are accepted.
  private func previewsAreFew(_ device: Device, _ look: Look) {
    let previews = look.invited.filter { id in
      guard let queue = look.queues[id], queue.isHere, !queue.rows.isEmpty else { return false }
      // To leave it the device has to read it.
      return !device.record.usedQueues.contains(id) && !device.record.declinedQueues.contains(id)
    }
    if previews.count > Device.maximumPreviews {
      report("too much of what nobody accepted: \(previews.count) queues on \(device.name)")
    }
  }

  /// At rest every invitation was accepted, and each of a user's devices knows that.
  func membershipsAreAccepted(_ device: Device) throws {
    guard device.policy != .all, !device.asksLater, let rows = try device.life?.rows.read()[device.home]?.rows else {
      return
    }
    for row in rows.values where row.type == QueueMembership.type && row.createdBy != device.user {
      guard let (queue, grant) = row.membership else { continue }
      let acceptance = UUIDValue(PlainID.acceptance(of: PlainID(device.user), of: PlainID(queue)))
      if rows[acceptance]?.acceptedGrant != grant {
        report("accepted by nobody: \(queue.short), of the user of \(device.name)")
      }
    }
  }
}

extension World {
  /// The queue was born by something that its user has done.
  fileprivate func isMade(_ queue: UUIDValue, by user: UUIDValue) -> Bool {
    albums.contains { $0.queue == queue && $0.creator == user }
  }
}

extension Look {
  fileprivate struct Membership {
    var grant: UUIDValue
    var by: UUIDValue?
  }

  fileprivate func memberships(of device: Device) -> [UUIDValue: Membership] {
    var memberships: [UUIDValue: Membership] = [:]
    for row in queues[device.home]?.rows.values ?? [:].values where row.type == QueueMembership.type {
      guard let (queue, grant) = row.membership else { continue }
      memberships[queue] = Membership(grant: grant, by: row.createdBy)
    }
    return memberships
  }

  /// The grants that the user has accepted: as the home queue says, and by what is on its way.
  fileprivate func acceptances(of queue: UUIDValue, _ device: Device) -> Set<UUIDValue> {
    let id = UUIDValue(PlainID.acceptance(of: PlainID(device.user), of: PlainID(queue)))
    var grants: Set<UUIDValue> = []
    if let grant = queues[device.home]?.rows[id]?.acceptedGrant { grants.insert(grant) }
    for item in outbox {
      for change in item.changes.objects where change.object == id {
        if let content = try? change.applied(to: nil), let grant = content.id(ofTag: 2) { grants.insert(grant) }
      }
    }
    return grants
  }
}

extension DeviceRows.Queue {
  /// Rows of it may be shown.
  fileprivate var isHere: Bool { [.loading, .loaded, .reloading].contains(load) }
  /// Nobody has told the device that the user is a member no more.
  fileprivate var isKept: Bool { isHere || load == .awaitingMembership }
}

extension DeviceRows.Row {
  fileprivate var membership: (queue: UUIDValue, grant: UUIDValue)? {
    guard let queue = content.id(ofTag: 1), let grant = content.id(ofTag: 3) else { return nil }
    return (queue, grant)
  }

  fileprivate var acceptedGrant: UUIDValue? { type == QueueAcceptance.type ? content.id(ofTag: 2) : nil }
}

extension [UInt8] {
  /// As section "Invitations" of docs/formats/sync-protocol.md has it.
  fileprivate func id(ofTag tag: UInt64) -> UUIDValue? {
    guard let record = try? records().last(where: { $0.tag == tag }) else { return nil }
    return (try? record.id()).map { UUIDValue($0) }
  }
}
