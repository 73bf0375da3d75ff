// The models of the victim. An object says which operations made it what it is, so that one that is lost, torn, doubled
// or out of order is seen.

import ModelRuntime
import SampleIDs

/// What every operation leaves in each object it touches.
protocol Marked: Model {
  /// The numbers of the operations that touched it.
  var marks: SortedSet<Int64> { get set }
  /// The number of the last one.
  var last: Int64 { get set }
  /// How many there were: a counter, which tells one that counts twice.
  var count: Int64 { get set }
}

extension Marked {
  init(_ number: Int64) {
    self.init(zeroWithID: Self.id(number))
    mark(number)
  }

  mutating func mark(_ number: Int64) {
    marks.insert(number)
    last = number
    count += 1
  }

  /// The object that the operation with this number creates.
  static func id(_ number: Int64) -> ObjectID<Self> {
    .object(UInt64(number), in: Self.modelName == Page.modelName ? StoreVictim.box : nil)
  }
}

extension ObjectID where Object: Marked {
  var number: Int64 { Int64(rawValue.high >> 16) }
}

/// Shared: it goes to the server and comes back.
struct Page: Marked {
  let id: ObjectID<Page>
  var box = StoreVictim.box
  var marks: SortedSet<Int64> = []
  var last: Int64 = 0
  var count: Int64 = 0
  var unknownFields = UnknownFields.none

  static let modelName = "page"
  var queueID: QueueID? { box }

  init(zeroWithID id: ObjectID<Page>) { self.id = id }

  static let fieldTable = FieldTable(
    "page", unknownFields: \Self.unknownFields, Field(1, "box", \Self.box), Field(2, "marks", \Self.marks),
    Field(3, "last", \Self.last), Field(4, "count", counter: \Self.count))
}

/// Never leaves the device.
struct Scrap: Marked {
  let id: ObjectID<Scrap>
  var marks: SortedSet<Int64> = []
  var last: Int64 = 0
  var count: Int64 = 0
  var unknownFields = UnknownFields.none

  static let modelName = "scrap"
  var queueID: QueueID? { nil }

  init(zeroWithID id: ObjectID<Scrap>) { self.id = id }

  static let fieldTable = FieldTable(
    "scrap", unknownFields: \Self.unknownFields, Field(2, "marks", \Self.marks), Field(3, "last", \Self.last),
    Field(4, "count", counter: \Self.count))
}

/// One operation on several pages: all of them, or none.
struct MarkPages: ModelOperation {
  var pages: [ObjectID<Page>]
  var number: Int64

  static let operationName = "page.markAll"
  static let fieldTable = FieldTable(
    projection: "page.markAll", Field(1, "pages", \Self.pages), Field(2, "number", \Self.number))

  func evaluate(in context: inout OperationContext) throws {
    for page in pages { try context.update(page) { $0.mark(number) } }
  }
}

enum VictimSchema: SchemaDescription {
  static let name = "Victim"
  static let models: [any Model.Type] = [Page.self, Scrap.self]
  static let operations: [any ModelOperation.Type] = [MarkPages.self]
}
