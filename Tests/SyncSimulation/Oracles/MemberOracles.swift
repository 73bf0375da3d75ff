// What devices know and say about memberships, at rest.

import ClientStore
import SyncServer
import WireFormat

extension Oracles {
  /// A device knows the role of its user in each queue that it has loaded: so only an owner's device gives birth to a
  /// queue that a restored server has lost.
  func rolesAreKnown(_ device: Device) throws {
    guard let life = device.life else { return }
    let (roles, rows) = (try life.rows.readRoles(), try life.rows.read())
    for (id, queue) in world.server.history.state.queues.sorted(by: { $0.key < $1.key }) {
      guard let member = queue.members[device.user], rows[id]?.load == .loaded else { continue }
      world.count("roles compared")
      let known = roles[id]
      if known != Int64(member.role.number) {
        let words = known.map { "\($0)" } ?? "none"
        report("wrong role: \(device.name) takes it for \(words) in \(id.short), not \(member.role)")
      }
    }
  }

  /// An operation is reported as revoked only where somebody took its user out, where the time is over for which a
  /// membership is awaited, or where the device had never heard of the membership before the server refused it: it may
  /// hear of one later, since who took its user in does so again after a restore.
  func revocationsAreTrue(_ device: Device) {
    guard let store = device.store, !world.serverClockWasSet, !world.hasEndedWaiting else { return }
    for item in store.attention where item.reason.code == .revoked {
      guard let queue = item.queue?.rawValue, !device.record.rejoined.contains(queue) else { continue }
      if device.record.untold.contains(item.id) {
        world.count("revoked without having been told of the membership")
        continue
      }
      report("revoked without need: \(name(item.id)) in \(queue.short), of which nobody took \(device.name) out")
    }
  }
}
