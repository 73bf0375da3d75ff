// Oracles of links: no more people join by one than it is for, and members see those that are open.

import ClientStore
import SyncProtocol
import SyncServer
import WireFormat

/// How many people may have joined by a link, and how many have. A link that is opened again is for more people.
struct LinkUses {
  var allowed: Int64 = 0
  var joined: Int64 = 0
}

extension Oracles {
  /// Called when the object of a link is put; `isJoin` says whether somebody has joined by it. Reports one by whom the
  /// link is used once too often. A server that goes back to a copy has lost uses.
  func noteLink(_ before: ObjectState?, _ after: ObjectState, isJoin: Bool) {
    guard (after.live ?? before?.live)?.type == LinkRecord.type else { return }
    var uses = world.linkUses[after.id] ?? LinkUses()
    if isJoin {
      uses.joined += 1
      world.count("links joined")
      if uses.joined > uses.allowed, world.losses == 0 {
        report("a link for \(uses.allowed) is used by \(uses.joined): \(after.id.short)")
      }
    } else if let live = after.live {
      uses.allowed += Int64((try? LinkRecord(content: live.content).uses) ?? 0)
      world.count("links opened")
    } else {
      world.count("links closed")
    }
    world.linkUses[after.id] = uses
  }

  /// Asked at rest. Reports a device whose links of a queue are not those of the server.
  func linksAreTheServer(_ device: Device) throws {
    guard let store = device.store else { return }
    for (id, queue) in world.server.history.state.queues.sorted(by: { $0.key < $1.key })
    where queue.member(on: device) != nil && id != device.home {
      let shown = try store.links(of: id)
        .map { LinkRecord($0.id, role: $0.role, uses: Int32($0.uses), until: $0.until) }
      let open = try queue.objects.values.compactMap(\.live).filter { $0.type == LinkRecord.type }
        .map { try LinkRecord(content: $0.content) }
      if shown.count != open.count || Set(shown) != Set(open) {
        report("wrong links: \(device.name) shows \(shown.count) of \(open.count) of \(id.short)")
      }
    }
  }
}
