// The root of the queue of cards. Deleting it ends the queue.

import ModelSupport

struct Box: QueueModel {
  let id: ObjectID<Box>
  var name: String?
  var unknownFields = UnknownFields.none

  static let modelName = "box"
  var queueID: QueueID? { id.queueID }

  init(zeroWithID id: ObjectID<Box>) { self.id = id }

  init(_ queue: QueueID = .box) { id = Self.id(queue) }

  static func id(_ queue: QueueID = .box) -> ID { ObjectID(queue.root) }

  static let fieldTable = FieldTable("box", unknownFields: \Self.unknownFields, Field(1, "name", \Self.name))
}
