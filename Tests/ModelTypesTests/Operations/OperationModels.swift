// Models as the generator would write them, and a view of them in memory, for operations.

import ModelTypes
import WireFormat

/// The root of a queue.
struct Album: QueueModel {
  typealias ID = ObjectID<Album>
  let id: ID
  var title = ""
  var unknownFields = UnknownFields.none

  init(zeroWithID id: ID) { self.id = id }

  static let modelName = "album"
  static let fieldTable = FieldTable("album", unknownFields: \Self.unknownFields, Field(1, "title", \Self.title))
  var queueID: QueueID? { id.queueID }
}

/// An object in the queue of its album. Its number says how new it is.
struct Page: Model {
  typealias ID = ObjectID<Page>
  let id: ID
  var album: Album.ID = .zero
  var text = ""
  var number: Int32 = 0
  var tags: SortedSet<String> = []
  var unknownFields = UnknownFields.none

  init(zeroWithID id: ID) { self.id = id }

  init(id: ID? = nil, album: Album.ID, text: String, number: Int32) {
    self.id = id ?? .new(in: album.queueID)
    self.album = album
    self.text = text
    self.number = number
  }

  static let modelName = "page"
  static let fieldTable = FieldTable(
    "page", unknownFields: \Self.unknownFields, Field(1, "album", \Self.album), Field(2, "text", \Self.text),
    Field(3, "number", \Self.number), Field(4, "tags", \Self.tags))
  var queueID: QueueID? { album.queueID }
  static var newestByTag: Int? { 3 }
  var newestBy: Int64? { Int64(number) }
}

/// Never leaves the device.
struct Draft: Model {
  typealias ID = ObjectID<Draft>
  let id: ID
  var text = ""
  var unknownFields = UnknownFields.none

  init(zeroWithID id: ID) { self.id = id }

  static let modelName = "draft"
  static let fieldTable = FieldTable("draft", unknownFields: \Self.unknownFields, Field(1, "text", \Self.text))
  var queueID: QueueID? { nil }
}

/// The objects that exist, in memory.
struct MemoryView: ObjectView {
  private var objects: [UUIDValue: (type: String, object: ViewedObject)] = [:]

  mutating func put<Object: Model>(_ object: Object) throws {
    objects[object.id.rawValue] = (
      Object.modelName, ViewedObject(queue: object.queueID, content: try object.encoded())
    )
  }

  func object(_ id: UUIDValue, type: String) throws -> ViewedObject? {
    objects[id].flatMap { $0.type == type ? $0.object : nil }
  }
}
