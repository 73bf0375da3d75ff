// A store with something of everything in it, the same in every run.
import Foundation
import GRDB
import ModelSupport
import MomentsModels
import SampleIDs
import StoreTestSupport
import TestSupport
import TypeMatrix

/// The models of Moments, and one that never leaves the device.
enum ShownSchema: SchemaDescription {
  static let name = "Moments"
  static let models = MomentsSchema.models + [Defaults.self]
  static let operations = MomentsSchema.operations
}

final class ShownStore {
  static let path = "Store"
  let folder: TemporaryFolder
  /// Nil once the app has closed it.
  private(set) var store: ModelStore?
  private let server = HandServer()

  static let user = UserID(high: 1, low: 1)
  static let friend = UserID(high: 1, low: 2)
  let moment = Moment(id: .queue(2), title: "Hut to hut")
  let photos: [Photo]

  private init(_ folder: TemporaryFolder) throws {
    self.folder = folder
    photos = (1...4).map { [moment] number in
      Photo(
        moment: moment.id, owner: Member.id(in: moment.id.queueID, user: Self.user),
        file: FileReference(
          hash: ContentHash(words: (number, 0, 0, 0)), size: 2_048, mime: "image/jpeg", name: "\(number).jpg"),
        takenAt: Timestamp(millisecondsSince1970: 1_600_000_000_000))
    }
    store = try ModelStore(at: folder.url(Self.path).path, schema: ShownSchema.self, user: Self.user)
  }

  /// A store as an app and a client leave it, with a seeded clock and seeded ids.
  static func filled() async throws -> ShownStore {
    try await RuntimeEnvironment.$current.withValue(.seeded(1)) {
      let shown = try ShownStore(TemporaryFolder())
      guard let store = shown.store else { return shown }
      // As a client does with the first answer.
      _ = try await store.isHistory(HistoryID(high: 5, low: 5))
      try await shown.reveal(in: store)
      try await shown.perform(in: store)
      // A client leaves this behind.
      try await store.takeSync()
      _ = try await store.isServer(ServerID(high: 4, low: 4))
      return shown
    }
  }

  /// Closes the store, as the end of the app does. Nothing is left beside the database.
  func close() { store = nil }

  /// Changes the closed database as no app would do.
  func damage(_ sql: String) throws {
    close()
    try Self.execute(sql, in: folder.url(Self.path + "/store.sqlite"))
  }

  static func execute(_ sql: String, in file: URL) throws {
    try DatabaseQueue(path: file.path).writeWithoutTransaction { try $0.execute(sql: sql) }
  }

  /// Runs `body` while another program's transaction, in a journal mode of its own, holds the whole database.
  static func lock<Result>(_ file: URL, _ body: () throws -> Result) throws -> Result {
    try DatabaseQueue(path: file.path).writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE; UPDATE queue SET cursor = 9")
      defer { try? database.execute(sql: "ROLLBACK") }
      return try body()
    }
  }

  private func reveal(in store: ModelStore) async throws {
    var first = photos[0]
    first.caption = "Summit, \"at last\""
    first.tags = ["hut", "snow"]
    first.place = .init(latitude: 46.5, longitude: 8, name: nil)
    first.likedBy = [Self.friend]
    var extra = RecordWriter()
    extra.string(40, "later")
    var objects = [
      try state(moment, 1, Self.user), try state(first, 2, Self.user), try state(photos[1], 3, Self.friend),
      try state(photos[2], 3, Self.friend),
    ]
    objects[1].live?.content += extra.bytes
    try await server.reveal(objects, upTo: 3, to: store, in: moment.id.queueID)
    store.create(Defaults(id: .object(3, in: QueueID?.none), shade: .red, farTag: 7, old: "draft"))
    try await store.waitUntilSaved()
  }

  private func perform(in store: ModelStore) async throws {
    let queue = moment.id.queueID
    // Refused at once, because there is no such photo.
    store.update(photos[3].id) { $0.hidden = true }
    // The server refuses the create, and the edit that depends on it fails too.
    store.create(photos[3])
    store.update(photos[3].id) { $0.caption = "Nobody will see this" }
    try await store.waitUntilSaved()
    let refused = try await store.send(in: queue, limit: 1)[0].operation
    try await server.answer(.rejected("forbidden"), to: refused, at: 3, to: store, in: queue)

    let applied = store.perform(Photo.Like(photos[0].id))
    store.perform(Photo.Label(photos[0].id, tag: "summer"))
    let taken = store.delete(photos[1].id)
    try await store.waitUntilSaved()
    _ = try await store.send(in: queue)
    try await server.answer(.applied, to: applied.id, at: 4, to: store, in: queue)
    taken.cancel()
    store.update(photos[0].id) {
      $0.caption = nil
      $0.tags.remove("snow")
      $0.place = .init(latitude: -1.5, longitude: 0, name: "Elsewhere")
    }
    store.perform(Moment.Share(moment.id, photos: [photos[0].id, photos[2].id], recipient: Self.friend))
    store.delete(photos[2].id)
    try await store.waitUntilSaved()
  }

  private func state<Object: Model>(_ object: Object, _ revision: Int64, _ creator: UserID) throws -> ObjectState {
    ObjectState(
      id: object.id.rawValue, revision: revision,
      live: .init(
        type: Object.modelName, content: try object.encoded(), newestBy: object.newestBy,
        system: SystemFields(createdBy: creator, at: .zero)))
  }
}
