// The models of the workload: `Entry` is shared, `Sketch` never leaves the device.

import ModelSupport

struct Entry: Model {
  let id: ObjectID<Entry>
  var box = QueueID.zero
  var text = ""
  var tags: SortedSet<String> = []
  var unknownFields = UnknownFields.none

  static let modelName = "entry"
  var queueID: QueueID? { box }

  init(zeroWithID id: ObjectID<Entry>) { self.id = id }

  static let fieldTable = FieldTable(
    "entry", unknownFields: \Self.unknownFields, Field(1, "box", \Self.box), Field(2, "text", \Self.text),
    Field(3, "tags", \Self.tags))
}

struct Sketch: Model {
  let id: ObjectID<Sketch>
  var text = ""
  var unknownFields = UnknownFields.none

  static let modelName = "sketch"
  var queueID: QueueID? { nil }

  init(zeroWithID id: ObjectID<Sketch>) { self.id = id }

  static let fieldTable = FieldTable("sketch", unknownFields: \Self.unknownFields, Field(1, "text", \Self.text))
}

enum WorkloadSchema: SchemaDescription {
  static let name = "Workload"
  static let models: [any Model.Type] = [Entry.self, Sketch.self]
}
