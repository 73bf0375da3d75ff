// Owners end albums for everybody, while others are at work in them, and sometimes take the end back.

import ClientStore
import ClientSync
import ModelTypes
import SyncProtocol
import SyncServer
import TestSupport
import WireFormat

extension World {
  /// Lets an owner end an album. If there is none to end, or few, somebody makes one first and takes others in.
  func endAnAlbum() throws {
    let running = devices.filter { $0.isRunning && !isDiskFailing(of: $0) }
    let ready = running.flatMap { device in
      albums.indices.filter { !albums[$0].isCommon && isEndable(albums[$0].queue, on: device) }.map { (device, $0) }
    }
    if ready.isEmpty || ready.count < 3 && random.chance(30) {
      guard let device = running.isEmpty ? nil : random.pick(running) else { return }
      return try act(on: device, in: device.app.number) { $0.makeAlbum() }
    }
    let (device, index) = random.pick(ready)
    let queue = albums[index].queue
    let others = try running.filter { other in
      guard other !== device, role(of: other, in: queue) != nil else { return false }
      return other.knows(albums[index], try other.life?.rows.read()[other.home])
    }
    let losesConnection = random.chance(30)
    if losesConnection { device.isOffline = true }
    for other in others where random.chance(50) { try act(on: other, in: index) { $0.workInAlbum() } }
    if random.chance(40) { try act(on: device, in: index) { $0.workInAlbum() } }
    if random.chance(50) { try passSome() }
    let end = try end(index, on: device)
    for other in others where random.chance(40) {
      let isOwner = random.chance(30) && isEndable(queue, on: other)
      if isOwner { _ = try self.end(index, on: other) } else { try act(on: other, in: index) { $0.workInAlbum() } }
    }
    if let end, random.chance(45) { try takeBack(end, of: index, on: device) }
    if losesConnection { time.after(Int64(random.below(random.chance(50) ? 200 : 20_000))) { device.reconnect() } }
  }

  private func isEndable(_ queue: QueueID, on device: Device) -> Bool {
    guard role(of: device, in: queue) == .owner else { return false }
    return (try? device.store?.object(ObjectID<AlbumRoot>(queue.root))) != nil
  }

  /// Ends an album. Returns the id of the operation; nil if the store did not take it.
  private func end(_ index: Int, on device: Device) throws -> OperationID? {
    let queue = albums[index].queue
    let isBehindWork = device.store?.pendingOperations.contains { $0.queue == queue } ?? false
    var end: OperationID?
    try act(on: device, in: index) { end = $0.end(ObjectID(queue.root)) }
    guard end != nil else { return nil }
    if device.isOffline { count("ends performed offline") }
    if isBehindWork { count("ends performed behind other work") }
    return end
  }

  /// Takes an end back before it is sent, while it is under way, or too late.
  private func takeBack(_ end: OperationID, of index: Int, on device: Device) throws {
    let item = { device.store?.pendingOperations.first { $0.id == end } }
    if random.chance(65) {
      for _ in 0..<12 where item()?.isSent == false { try pass(Int64(random.below(20)), jobs: 1 + random.below(60)) }
    } else {
      try pass(Int64(random.below(100)))
    }
    guard let pending = item(), !pending.isVoided, let handle = device.record.handle(end) else { return }
    count(pending.isSent ? "ends taken back under way" : "ends taken back before they are sent")
    cancel(handle, on: device)
    // An album that is shown again is used again.
    if random.chance(50) { try act(on: device, in: index) { $0.workInAlbum() } }
  }
}

extension SimulatedUser {
  /// Does something that the end of the album will take along.
  func workInAlbum() {
    switch world.random.below(100) {
    case 0..<25: create()
    case 25..<35: takePhoto()
    case 35..<45: delete()
    case 45..<60 where world.has(.dependencies): tellOfNew()
    case 60..<70 where world.has(.batches): editMany()
    default: edit()
    }
  }

  /// Ends the album with everything in it, for everybody. Returns the id of the operation; nil if the store did not
  /// take it.
  @discardableResult
  func end(_ root: ObjectID<AlbumRoot>) -> OperationID? {
    world.fault(.ends, "an album is to end")
    return perform([.init(object: root.rawValue, kind: .delete)], in: root.queueID) { try $0.delete(root) }
  }
}

extension PendingOperation {
  /// Whether it may have left the device.
  fileprivate var isSent: Bool { if case .sent = state { true } else { false } }
}

extension Device {
  func reconnect() {
    isOffline = false
    guard let life else { return }
    life.process.executor.spawn { [client = life.client] in await client.retry() }
  }
}
