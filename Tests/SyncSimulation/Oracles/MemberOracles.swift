// Oracles of what devices know and report about memberships, asked at rest.

import ClientStore
import SyncServer
import WireFormat

extension Oracles {
  /// Reports a loaded queue in which the device does not know the role of its user. It needs the role because only an
  /// owner's device creates a queue again that a restored server has lost.
  func rolesAreKnown(_ device: Device) throws {
    guard let life = device.life else { return }
    let (roles, rows) = (try life.rows.readRoles(), try life.rows.read())
    for (id, queue) in world.server.history.state.queues.sorted(by: { $0.key < $1.key }) {
      guard let member = queue.member(on: device), rows[id]?.load == .loaded else { continue }
      world.count("roles compared")
      let known = roles[id]
      if known != Int64(member.role.number) {
        let words = known.map { "\($0)" } ?? "none"
        report("wrong role: \(device.name) takes it for \(words) in \(id.short), not \(member.role)")
      }
    }
  }

  /// Reports an operation that failed as revoked without need. There is need if somebody took its user out, or if the
  /// wait for the membership is over. There is need too if the server refused it before the device heard of a
  /// membership: the device may hear of one later, since the member who took its user in does so again after a restore.
  func revocationsAreTrue(_ device: Device) {
    guard let store = device.store, !world.serverClockWasSet, !world.hasEndedWaiting else { return }
    for item in store.failedOperations where item.reason.code == .revoked {
      guard let queue = item.queue, !device.record.rejoined.contains(queue) else { continue }
      if device.record.untold.contains(item.id) {
        world.count("revoked without having been told of the membership")
        continue
      }
      report("revoked without need: \(name(item.id)) in \(queue.short), of which nobody took \(device.name) out")
    }
  }
}
