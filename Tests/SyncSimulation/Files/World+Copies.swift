// A device has the server copy a file from one queue into another, and something interferes.

import SyncProtocol
import SyncServer
import TestSupport
import WireFormat

extension World {
  func copyFile() throws {
    let places = server.referee.filePlaces
    guard let device = anyDevice(), !places.isEmpty else { return }
    let found = random.pick(places)
    let queues = albums.map(\.queue) + apps.map(\.inbox)
    // Sometimes the file is not in the source, or the target is a queue that does not exist.
    let source = random.chance(90) ? found.queue : random.pick(queues)
    let target = random.chance(95) ? random.pick(queues) : randomQueue()
    let place = FileKey(queue: target, hash: found.hash)
    trace("\(device.name) copies \(found.hash.description.prefix(8)) from \(source.short) to \(target.short)")
    fault(.copies)
    for device in random.chance(20) ? devices : [device] {
      network.send(FileExchange(place, .copy(from: source)) { _ in }, of: device)
    }
    guard random.chance(70) else { return }
    try pass(Int64(random.below(150)))
    let kinds: [(String, () throws -> Void)] = [
      ("a membership ends where a copy comes from", { try self.endMembership(of: device.user, source) }),
      ("a membership ends where a copy goes", { try self.endMembership(of: device.user, target) }),
      ("a role is lowered where a copy goes", { try self.lowerRole(of: device.user, target) }),
      ("upkeep beside a copy", { self.server.performUpkeep(.filesAtOnce) }),
      ("the server is killed at a copy", { self.stopServer() }),
      ("the power goes at a copy", { self.cutServer() }),
    ]
    let (name, body) = random.pick(kinds)
    fault(.copies, name)
    try body()
  }
}
