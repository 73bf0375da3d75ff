// Somebody is taken into many queues at one moment, and goes on editing meanwhile.

import ClientStore
import ModelTypes
import SyncProtocol
import TestSupport
import WireFormat

extension World {
  func joinManyQueues() throws {
    guard server.isRunning, let device = anyDevice() else { return }
    fault(.manyQueues)
    // Only if nothing fails can the oracle say which request must go before which.
    let isCalm = random.chance(50)
    if isCalm { try holdingFaults { try pass(100_000) } }
    guard server.isRunning, device.isRunning else { return }
    let queues = (0..<5 + random.below(26)).map { _ in randomQueue() }
    try holdingFaults {
      for queue in queues { try makeQueue(queue, of: device.app) }
      for queue in queues { try changeMembers(of: queue, OperationChanges(members: [.follow(device.user)])) }
    }
    let joining = Joining(device, Set(queues), isCalm: isCalm)
    device.joining = joining
    defer { device.joining = nil }
    for _ in 0..<40 where joining.isLoading {
      if isCalm { try holdingFaults { try editMeanwhile(device) } } else { try editMeanwhile(device) }
      joining.conclude()
    }
  }

  /// Makes a queue with a few photos, by a person who has no device.
  private func makeQueue(_ queue: QueueID, of app: SimulatedApp) throws {
    let photos = (0..<1 + random.below(4)).map { _ in randomID(in: queue) }
    let objects = try photos.map { id in
      var photo = Photo(zeroWithID: ObjectID(id))
      (photo.album, photo.owner) = (queue, "owner")
      let patch = try PatchBuilder().patch(filling: photo.encoded())
      return ObjectChange(id, .create(type: Photo.modelName, patch), newestBy: photo.newestBy)
    }
    albums.append(Album(queue: queue, app: app.number, photos: photos))
    try changeMembers(of: queue, OperationChanges(objects: [try AlbumRoot.creation(of: queue)] + objects))
  }

  private func editMeanwhile(_ device: Device) throws {
    if device.isRunning, !isDiskFailing(of: device), random.chance(70) {
      device.joining?.sample()
      try act(on: device, in: device.app.number) { $0.edit() }
    }
    device.joining?.sample()
    try pass(Int64(random.below(random.chance(20) ? 900 : 60)))
  }
}

/// Watches the requests of a device while it loads many queues. An edit in a loaded queue must not wait for a first
/// load.
///
/// `@unchecked Sendable`: a world and everything in it runs on one thread.
final class Joining: @unchecked Sendable {
  private unowned let device: Device
  private let queues: Set<QueueID>
  private let isCalm: Bool
  /// The last request of the queue that is edited.
  private var last: Exchange?
  /// The time since which something could be sent there while no request of it was under way.
  private var waitingSince: Int64?
  /// The time at which a first load began although something could have been sent before.
  private var suspect: Int64?

  init(_ device: Device, _ queues: Set<QueueID>, isCalm: Bool) {
    (self.device, self.queues, self.isCalm) = (device, queues, isCalm)
    last = device.underWay.compactMap(\.exchange).last { !$0.isOver && $0.queues.contains(edited) }
  }

  private var world: World { device.world }
  private var edited: QueueID { device.app.photos }

  /// Notes whether something could be sent at this moment.
  func sample() {
    let isFree = last.map { $0.isOver && $0.closedAt ?? 0 < world.time.now } ?? true
    let isSendable =
      device.life.map { life in
        life.store.place(of: edited).load == .loaded && life.store.syncNeeds()[edited]?.canSend == true
          && !world.mayWithhold(device) && (try? life.rows.readFailing().contains(edited)) == false
      } ?? false
    waitingSince = isFree && isSendable ? waitingSince ?? world.time.now : nil
  }

  /// Notes a request that the device begins.
  func note(_ exchange: Exchange) {
    let asked = exchange.queues
    guard !asked.isEmpty else { return }
    conclude()
    if asked.contains(edited) {
      if !exchange.commits.isEmpty, isLoading { world.count("edits sent between first loads") }
      (last, suspect, waitingSince) = (exchange, nil, nil)
      return
    }
    let loads = exchange.deltas.count { queues.contains($0.queue) && isLoading($0.queue) }
    guard loads > 0 else { return }
    world.count("first loads of many", loads)
    sample()
    if let waitingSince, waitingSince < world.time.now { suspect = world.time.now }
  }

  /// Reports a suspect load, unless the edit went at the same moment.
  func conclude() {
    guard isCalm, let suspect, suspect < world.time.now else { return }
    world.oracles.report("an edit waits for a first load: on \(device.name)")
  }

  var isLoading: Bool { queues.contains { isLoading($0) } }

  private func isLoading(_ queue: QueueID) -> Bool {
    guard let load = device.store?.place(of: queue).load else { return false }
    return load == .unread || load == .loading
  }
}

extension Exchange {
  /// The queues of a commit or a delta.
  fileprivate var queues: [QueueID] { commits.map(\.queue) + deltas.map(\.queue) }
}
