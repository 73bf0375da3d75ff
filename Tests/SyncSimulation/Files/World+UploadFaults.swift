// Faults that come between while a file is on its way to the server.

import ClientStore
import Determinism
import ModelTypes
import StoreTestSupport
import SyncProtocol
import SyncServer
import TestSupport
import WireFormat

extension World {
  /// Lets somebody take a photo, and injects a fault before its file has arrived.
  func disturbUpload() throws {
    guard let device = anyDevice(), !isDiskFailing(of: device) else { return }
    try use(device) { $0.takePhoto() }
    var tries = 0
    while device.filesUnderWay.allSatisfy({ !$0.isOpen }), tries < 30 {
      tries += 1
      try pass(Int64(random.below(60)))
    }
    guard device.isRunning, let place = device.filesUnderWay.first(where: \.isOpen)?.place else { return }
    let kinds: [(String, () throws -> Void)] = [
      ("a file is brought by two", { try self.bringElsewhere(place) }),
      ("a membership ends while a file comes", { try self.endMembership(of: device.user, place.queue) }),
      ("a role is lowered while a file comes", { try self.lowerRole(of: device.user, place.queue) }),
      ("the server is killed while a file comes", { self.stopServer() }),
      ("the power goes while a file comes", { self.cutServer() }),
      ("upkeep while a file comes", { self.server.performUpkeep(.filesAtOnce) }),
      ("a device is killed while it brings a file", { self.stop(device, .kill) }),
    ]
    let (name, body) = random.pick(kinds)
    fault(.uploads, name)
    try body()
  }

  /// Lets upkeep take the files that nothing names, at the end of a run. All others are read afterwards.
  func forgetFiles() throws {
    server.performUpkeep(.filesAtOnce)
    try pass(1_000)
  }

  /// Lets members take photos with the same file.
  private func bringElsewhere(_ place: FileKey) throws {
    guard let index = albums.firstIndex(where: { $0.queue == place.queue }) else { return }
    for device in devices where device.closing == nil && !isDiskFailing(of: device) {
      guard let life = device.life, device.knows(albums[index], try life.rows.read()[device.home]) else {
        continue
      }
      try act(on: device, in: index) { $0.takePhoto(with: place.hash) }
    }
  }

  /// Ends a membership, if there is one.
  func endMembership(of user: UserID, _ queue: QueueID) throws {
    guard server.history.isMember(user, of: queue) else { return }
    try changeMembers(of: queue, .unfollow(user), by: otherOwner(than: user, of: queue) ?? user)
  }

  func lowerRole(of user: UserID, _ queue: QueueID) throws {
    guard let owner = otherOwner(than: user, of: queue) else { return }
    try changeMembers(of: queue, .role(user, .reader), by: owner)
    if random.chance(50) { try changeMembers(of: queue, .role(user, .writer), by: owner) }
  }

  private func otherOwner(than user: UserID, of queue: QueueID) -> UserID? {
    server.history.state.queues[queue]?.members.filter { $0.key != user && $0.value.role == .owner }.keys.min()
  }

  private func changeMembers(of queue: QueueID, _ change: MemberChange, by user: UserID) throws {
    try holdingFaults { try commit(OperationChanges(members: [change]), to: queue, by: user) }
  }

  func cutServer() {
    guard server.isRunning else { return }
    server.losesPower = true
    server.disk.cut(seed: random.next())
    stopServer()
  }
}

extension UpkeepRules {
  /// Rules by which unnamed files and parts go at once, and all else stays for a hundred years.
  static var filesAtOnce: Self {
    var rules = Self()
    (rules.tombstones, rules.outcomes, rules.files) = (36_500 * day, 36_500 * day, 0)
    return rules
  }
}
