// The apps that a server serves. What one of them has is not there for the others.

import ModelTypes
import SampleIDs
import SyncProtocol
import SyncServer
import TestSupport
import WireFormat

/// An app: its schema, and the queues that all of its users share from the beginning.
struct SimulatedApp {
  /// Its place in the world's apps, and that of its common album among the albums.
  let number: Int
  let schema: any SchemaDescription.Type
  /// The schema of devices whose app is older than the table of access.
  let older: any SchemaDescription.Type
  /// The schema of devices whose app is newer: it has a conversion.
  let newer: any SchemaDescription.Type
  let photos: QueueID
  let inbox: QueueID

  var name: String { schema.name }

  static let albums = Self(
    number: 0, schema: AlbumSchema.self, older: OlderAlbumSchema.self, newer: NewerAlbumSchema.self,
    photos: .queue(0xF070), inbox: .queue(0x1B0))
  static let wallet = Self(
    number: 1, schema: WalletSchema.self, older: WalletSchema.self, newer: WalletSchema.self, photos: .queue(0xF071),
    inbox: .queue(0x1B1))
}

extension World {
  /// One of the apps. In a world of one app nothing is drawn.
  func anyApp() -> SimulatedApp { apps.count == 1 ? apps[0] : random.pick(apps) }

  /// The app to which a queue belongs; that of an unknown queue is the first.
  func app(of queue: QueueID) -> SimulatedApp {
    if let schema = server.history.state.queues[queue]?.row?.schema, let app = apps.first(where: { $0.name == schema })
    {
      return app
    }
    let album = albums.first { $0.queue == queue }
    return apps.first { [$0.photos, $0.inbox].contains(queue) || $0.number == album?.app } ?? apps[0]
  }

  /// The users who have a device with this app.
  func users(of app: SimulatedApp) -> [UserID] {
    Set(devices.filter { $0.app.number == app.number }.map(\.user)).sorted()
  }
}

extension World {
  /// A member asks for a queue by another app than the queue's. The referee knows that it is not there.
  func askByAnotherApp() throws {
    let queues = server.history.state.queues
    let queue = random.pick(queues.keys.sorted())
    guard let found = queues[queue], let member = found.members.keys.min() else { return }
    fault(.forgery, "another app asks")
    let schema = random.pick((apps.map(\.name) + ["Nobody"]).filter { $0 != found.row?.schema })
    trace("\(schema) asks for \(queue.short) of \(found.row?.schema ?? "nobody")")
    let photo = try PatchBuilder().patch(filling: RecordWriter.photo(in: queue))
    let change = ObjectChange(randomID(in: queue), .create(type: Photo.modelName, photo))
    try holdingFaults { try commit(OperationChanges(objects: [change]), to: queue, by: member, schema: schema) }
  }
}

extension QueueHistory {
  /// The membership of a device's user, if the queue is one of the device's app.
  func member(on device: Device) -> StoredMembership? {
    row?.schema == device.app.name ? members[device.user] : nil
  }
}
