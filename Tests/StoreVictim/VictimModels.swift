// The models of the victim. An object names the operations that made it, so that an operation that is lost, torn,
// doubled or out of order is noticed.

import ModelSupport
import SampleIDs

/// The marks that every operation leaves in each object that it touches.
protocol Marked: Model {
  /// The numbers of the operations that touched the object.
  var marks: SortedSet<Int64> { get set }
  /// The number of the last operation that touched it.
  var last: Int64 { get set }
  /// How many operations touched it. As a counter, it shows an operation that was applied twice.
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

  /// The id of the object that the operation with this number creates.
  static func id(_ number: Int64) -> ObjectID<Self> {
    .object(UInt64(number), in: Self.modelName == Page.modelName ? StoreVictim.box : nil)
  }
}

extension ObjectID where Object: Marked {
  var number: Int64 { Int64(rawValue.high >> 16) }
}

/// A shared object, which goes to the server and comes back.
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

/// An object that never leaves the device.
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

/// Marks several pages in one operation: all of them, or none.
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
