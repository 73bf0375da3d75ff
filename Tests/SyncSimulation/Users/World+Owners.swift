// The owners of queues change: ownership is given, and the owner before leaves or is lowered.

import ClientStore
import ModelTypes
import SyncProtocol
import SyncServer
import TestSupport
import WireFormat

extension World {
  /// Lets an owner of an album do something about owners. If there is none, somebody makes an album.
  func changeOwners() throws {
    let hands = devices.filter { $0.isRunning && !isDiskFailing(of: $0) }.flatMap { device in
      albums.indices.filter { !albums[$0].isCommon && role(of: device, in: albums[$0].queue) == .owner }
        .map { (device, $0) }
    }
    guard let (device, index) = hands.isEmpty ? anyDevice().map({ ($0, $0.app.number) }) : random.pick(hands) else {
      return
    }
    fault(.owners)
    try act(on: device, in: index) { $0.screen.album.isCommon ? $0.makeAlbum() : $0.changeOwner() }
  }

  /// The role of a device's user in a queue of its app.
  func role(of device: Device, in queue: QueueID) -> QueueRole? {
    server.history.state.queues[queue]?.member(on: device)?.role
  }

  /// Notes that a membership was put into a queue, or ended. Only a device on which it was made makes a lost queue again;
  /// of a queue with an identity everybody whom it names does.
  func note(
    _ before: [UserID: StoredMembership], _ membership: StoredMembership?, of user: UserID, in queue: QueueID,
    byLink: Bool
  ) {
    let (was, isOwner) = (before[user]?.role == .owner, membership?.role == .owner)
    if was && !isOwner { count(membership == nil ? "an owner leaves" : "an owner is lowered") }
    guard isOwner, !was else { return }
    guard before.isEmpty, !byLink else { return count("an owner is made") }
    let id = PlainID(queue)
    if born.insert(queue).inserted || id.isReservedForHome || id.isOfIdentity { return }
    count("queues made again")
    let makers = albums.first { $0.queue == queue }?.makers ?? []
    if !devices.contains(where: { makers.contains($0.name) && $0.user == user }) {
      oracles.report("made again by a stranger: \(queue.short) by \(user.short), who did not make it")
    }
  }
}

extension Screen {
  /// Shows one album, whatever else there is.
  init(_ device: Device, album index: Int, _ world: World) throws {
    (album, albumIndex, photos) = (world.albums[index], index, [])
    for id in Set(album.photos.suffix(7)).sorted() {
      if try device.store?.object(ObjectID<Photo>(id)) != nil { photos.append(ObjectID(id)) }
    }
  }
}

extension SimulatedUser {
  /// Gives the album away, leaves it, or lowers another owner or oneself.
  func changeOwner() {
    guard let photo = anyPhoto() else { return create() }
    let members = world.server.history.state.queues[screen.album.queue]?.members ?? [:]
    let (me, heir) = (device.user, world.random.pick(world.users.filter { $0 != device.user }))
    let isNew = members[heir] == nil
    let (way, role) = (world.random.below(100), world.random.pick([QueueRole.writer, .writer, .reader]))
    let give = { (context: inout OperationContext) in
      if isNew { try context.follow(heir, inQueueOf: photo) }
      try context.setRole(of: heir, to: .owner, inQueueOf: photo)
    }
    switch way {
    case 0..<30: perform([], give)
    case 30..<42:
      perform([]) { context in
        try give(&context)
        try context.unfollow(me, inQueueOf: photo)
      }
    case 42..<57:
      perform([], give)
      if world.random.chance(50) { edit() }
      perform([]) { try $0.unfollow(me, inQueueOf: photo) }
    case 57..<70:
      perform([]) { context in
        try give(&context)
        try context.setRole(of: me, to: role, inQueueOf: photo)
      }
    case 70..<85: perform([]) { try $0.setRole(of: heir, to: role, inQueueOf: photo) }
    default:
      if members.count(where: { $0.value.role == .owner }) == 1 { world.count("the last owner wants to go") }
      perform([]) { context in
        if way < 93 {
          try context.unfollow(me, inQueueOf: photo)
        } else {
          try context.setRole(of: me, to: role, inQueueOf: photo)
        }
      }
    }
  }
}
