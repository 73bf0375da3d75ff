// The actions of users: create, delete, edit, tell others, make queues and take each other in.

import ClientStore
import Determinism
import ModelTypes
import SyncProtocol
import TestSupport
import WireFormat

extension World {
  /// Lets the user of a device do something, whatever is on the screen.
  func act(on device: Device) throws {
    try act(on: device) { user in
      if plan.isAboutRestores, actForRestore(user) { return }
      switch random.below(100) {
      case 0..<24: user.create()
      case 24..<32: user.delete()
      case 32..<40: user.editTwo()
      case 40..<50 where has(.dependencies): user.tell()
      case 50..<58 where has(.conditions): user.editUnchanged()
      case 58..<66 where has(.batches): user.editMany()
      case 66..<68 where has(.invalid): user.doForbidden()
      case 68 where has(.invalid): try claimID()
      case 69..<72 where has(.queues): user.makeAlbum()
      case 74..<77 where has(.queues): user.changeFollowers()
      case 77..<79 where has(.ends): user.endAlbum()
      case 79..<82 where has(.invalid): user.pin()
      case 82..<85 where has(.invalid): user.takeBack()
      case 85..<89 where has(.files): user.editFile()
      case 89..<96 where has(.files): user.look()
      default: user.edit()
      }
    }
  }

  /// Lets the user of a device do something on a screen, which shows this album, or else any that the user knows. Does
  /// nothing if the device cannot be read.
  func act(on device: Device, in album: Int? = nil, _ body: (SimulatedUser) throws -> Void) throws {
    guard let life = device.life else { return }
    try RuntimeEnvironment.$current.withValue(life.environment) {
      let screen: Screen?
      do {
        screen = try album.map { try Screen(device, album: $0, self) } ?? Screen(device, self)
      } catch  where isDiskFailing(of: device) { return }
      guard let screen else { return }
      try body(SimulatedUser(world: self, device: device, screen: screen))
    }
    device.isTouched = true
  }

  /// Perhaps does something that a restore often takes back: new queues, new members, and messages that depend on
  /// another queue. Returns whether it did.
  private func actForRestore(_ user: SimulatedUser) -> Bool {
    switch random.below(100) {
    case 0..<12: user.tellOfNew()
    case 12..<16 where server.backup != nil: user.makeAlbum()
    case 16..<18 where has(.meetings): user.meet()
    case 18..<21: user.changeFollowers()
    case 21..<31: user.editMany()
    default: return false
    }
    return true
  }

  /// Lets a program that is not ours use ids that are not bound: an object's in another queue, a random one, or an
  /// object's for a queue.
  private func claimID() throws {
    fault(.invalid, "an id is claimed")
    let app = anyApp()
    let photo = random.pick(albums[app.number].photos)
    let (queue, object) =
      switch random.below(3) {
      case 0: (app.inbox, photo)
      case 1: (app.photos, randomID())
      default: (QueueID(photo), randomID(in: QueueID(photo)))
      }
    let content = try PatchBuilder().patch(filling: RecordWriter.photo(in: queue))
    let change = ObjectChange(object, .create(type: Photo.modelName, content))
    try holdingFaults { try commit(OperationChanges(objects: [change]), to: queue, by: owner) }
  }
}

/// The screen of a user: one album, and its photos.
struct Screen {
  var album: World.Album
  var albumIndex: Int
  var photos: [ObjectID<Photo>] = []

  /// Nil if the user knows of no album.
  init?(_ device: Device, _ world: World) throws {
    guard let life = device.life else { return nil }
    let home = try life.rows.read()[device.home]
    let mine = world.albums.indices.filter { index in
      device.knows(world.albums[index], home) && !life.store.invited.contains(world.albums[index].queue)
    }
    guard let first = mine.first else { return nil }
    albumIndex = world.random.chance(world.has(.ends) ? 45 : 65) ? first : world.random.pick(mine)
    album = world.albums[albumIndex]
    // The first three photos, which all devices have in common, and the newest ones.
    for id in Set(album.photos.prefix(3) + album.photos.suffix(7)).sorted() {
      if try life.store.object(ObjectID<Photo>(id)) != nil { photos.append(ObjectID(id)) }
    }
  }
}

extension Device {
  /// Whether its user finds an album on it; `home` is what it has of its user's home queue.
  func knows(_ album: World.Album, _ home: DeviceRows.Queue?) -> Bool {
    guard album.app == app.number else { return false }
    if album.makers.contains(name) && !record.hasLeft(album.queue) { return true }
    guard let home, home.load == .loaded || home.load == .reloading else { return album.isCommon }
    return home.hasMembership(of: album.queue, self)
  }
}

extension DeviceRows.Queue {
  /// Whether the device's copy of the home queue has a membership.
  func hasMembership(of queue: QueueID, _ device: Device) -> Bool {
    rows[SyncID.membership(of: queue, inHome: device.home)] != nil
  }
}
