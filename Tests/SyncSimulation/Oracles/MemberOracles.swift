// Oracles of what devices know and report about memberships, asked at rest.

import ClientStore
import SyncProtocol
import SyncServer
import WireFormat

extension Oracles {
  /// Reports a loaded queue in which the device does not know the role of its user. It
  /// needs the role to refuse at once what the user may not do.
  func rolesAreKnown(_ device: Device) throws {
    guard let life = device.life else { return }
    let (roles, rows) = (try life.rows.readRoles(), try life.rows.read())
    for (id, queue) in world.server.history.state.queues.sorted(by: { $0.key < $1.key }) {
      guard let member = queue.member(on: device), rows[id]?.load == .loaded else { continue }
      let known = roles[id]
      if known != Int64(member.role.number) {
        let words = known.map { "\($0)" } ?? "none"
        report("wrong role: \(device.name) takes it for \(words) in \(id.short), not \(member.role)")
      }
    }
  }

  /// Reports an operation that failed as revoked although nobody has taken its user out, or because a membership was
  /// lost although the server has lost nothing. Nobody is a member of a queue that was never made.
  func revocationsAreTrue(_ device: Device) {
    guard let store = device.store else { return }
    for item in store.failedOperations {
      guard let queue = item.queue, world.operations[item.id] != nil else { continue }
      switch item.reason.code {
      case .membershipLost:
        world.count("reported as lost memberships")
        if world.losses == 0 { report("a membership lost without a loss: \(name(item.id)) in \(queue.short)") }
      case .revoked where world.losses == 0 && world.born.contains(queue) && !device.record.hasLeft(queue):
        report("revoked without need: \(name(item.id)) in \(queue.short), of which nobody took \(device.name) out")
      default: break
      }
    }
  }
}
