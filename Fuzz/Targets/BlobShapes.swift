// The shapes for the fuzz target of the blob reader: every type at every position, as in the tests' type matrix.

import WireFormat

enum FuzzEnum: WireEnum {
  case first
  case unknown(Int32)

  init(rawValue: Int32) { self = rawValue == 1 ? .first : .unknown(rawValue) }

  var rawValue: Int32 {
    switch self {
    case .first: 1
    case .unknown(let number): number
    }
  }

  static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }
  func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

/// A field for each way in which the engine reads, tags beyond the dense table, and recursion.
struct FuzzMixture: WireStruct {
  var flag = false
  var number: Int64?
  var text = ""
  var id = ObjectID<Int>.zero
  var numbers: [Int32] = []
  var texts: [String] = []
  var tags: SortedSet<String> = []
  var ids: SortedSet<ObjectID<Int>> = []
  var children: [FuzzMixture] = []
  var bytes: [UInt8]?
  var counter: Int64 = 0
  var fraction: Double = 0
  var far: FuzzSingles?
  var unknownFields = UnknownFields.none

  static var zero: Self { Self() }
  static let fieldTable = FieldTable(
    "mixture", unknownFields: \Self.unknownFields,
    Field(1, "flag", \Self.flag), Field(2, "number", \Self.number), Field(3, "text", \Self.text),
    Field(4, "id", \Self.id), Field(5, "numbers", \Self.numbers), Field(6, "texts", \Self.texts),
    Field(7, "tags", \Self.tags), Field(8, "ids", \Self.ids), Field(9, "children", \Self.children),
    Field(10, "bytes", \Self.bytes), Field(11, "counter", counter: \Self.counter),
    Field(500, "fraction", \Self.fraction), Field(WireLimits.maximumTag, "far", \Self.far)
  )
}

struct FuzzSingles: WireStruct {
  var bool = false
  var int32: Int32 = 0
  var int64: Int64 = 0
  var uint32: UInt32 = 0
  var uint64: UInt64 = 0
  var float: Float = 0
  var double: Double = 0
  var string = ""
  var data: [UInt8] = []
  var uuid = UUIDValue.zero
  var time = Timestamp.zero
  var hash = ContentHash.zero
  var id = ObjectID<Int>.zero
  var mood = FuzzEnum.unknown(0)
  var counter: Int64 = 0
  var unknownFields = UnknownFields.none

  static var zero: Self { Self() }
  static let fieldTable = FieldTable(
    "singles", unknownFields: \Self.unknownFields,
    Field(1, "bool", \Self.bool), Field(2, "int32", \Self.int32), Field(3, "int64", \Self.int64),
    Field(4, "uint32", \Self.uint32), Field(5, "uint64", \Self.uint64), Field(6, "float", \Self.float),
    Field(7, "double", \Self.double), Field(8, "string", \Self.string), Field(9, "data", \Self.data),
    Field(10, "uuid", \Self.uuid), Field(11, "time", \Self.time), Field(12, "hash", \Self.hash),
    Field(13, "id", \Self.id), Field(14, "mood", \Self.mood), Field(15, "counter", counter: \Self.counter)
  )
}

struct FuzzOptionals: WireStruct {
  var bool: Bool?
  var int32: Int32?
  var int64: Int64?
  var uint32: UInt32?
  var uint64: UInt64?
  var float: Float?
  var double: Double?
  var string: String?
  var data: [UInt8]?
  var uuid: UUIDValue?
  var time: Timestamp?
  var hash: ContentHash?
  var id: ObjectID<Int>?
  var mood: FuzzEnum?
  var inner: FuzzSingles?
  var unknownFields = UnknownFields.none

  static var zero: Self { Self() }
  static let fieldTable = FieldTable(
    "optionals", unknownFields: \Self.unknownFields,
    Field(1, "bool", \Self.bool), Field(2, "int32", \Self.int32), Field(3, "int64", \Self.int64),
    Field(4, "uint32", \Self.uint32), Field(5, "uint64", \Self.uint64), Field(6, "float", \Self.float),
    Field(7, "double", \Self.double), Field(8, "string", \Self.string), Field(9, "data", \Self.data),
    Field(10, "uuid", \Self.uuid), Field(11, "time", \Self.time), Field(12, "hash", \Self.hash),
    Field(13, "id", \Self.id), Field(14, "mood", \Self.mood), Field(15, "inner", \Self.inner)
  )
}

struct FuzzLists: WireStruct {
  var bool: [Bool] = []
  var int32: [Int32] = []
  var int64: [Int64] = []
  var uint32: [UInt32] = []
  var uint64: [UInt64] = []
  var float: [Float] = []
  var double: [Double] = []
  var string: [String] = []
  var data: [[UInt8]] = []
  var uuid: [UUIDValue] = []
  var time: [Timestamp] = []
  var hash: [ContentHash] = []
  var id: [ObjectID<Int>] = []
  var mood: [FuzzEnum] = []
  var inner: [FuzzSingles] = []
  var unknownFields = UnknownFields.none

  static var zero: Self { Self() }
  static let fieldTable = FieldTable(
    "lists", unknownFields: \Self.unknownFields,
    Field(1, "bool", \Self.bool), Field(2, "int32", \Self.int32), Field(3, "int64", \Self.int64),
    Field(4, "uint32", \Self.uint32), Field(5, "uint64", \Self.uint64), Field(6, "float", \Self.float),
    Field(7, "double", \Self.double), Field(8, "string", \Self.string), Field(9, "data", \Self.data),
    Field(10, "uuid", \Self.uuid), Field(11, "time", \Self.time), Field(12, "hash", \Self.hash),
    Field(13, "id", \Self.id), Field(14, "mood", \Self.mood), Field(15, "inner", \Self.inner)
  )
}

struct FuzzSets: WireStruct {
  var int32: SortedSet<Int32> = []
  var int64: SortedSet<Int64> = []
  var uint32: SortedSet<UInt32> = []
  var uint64: SortedSet<UInt64> = []
  var string: SortedSet<String> = []
  var data: SortedSet<[UInt8]> = []
  var uuid: SortedSet<UUIDValue> = []
  var time: SortedSet<Timestamp> = []
  var id: SortedSet<ObjectID<Int>> = []
  var mood: SortedSet<FuzzEnum> = []
  var unknownFields = UnknownFields.none

  static var zero: Self { Self() }
  static let fieldTable = FieldTable(
    "sets", unknownFields: \Self.unknownFields,
    Field(1, "int32", \Self.int32), Field(2, "int64", \Self.int64), Field(3, "uint32", \Self.uint32),
    Field(4, "uint64", \Self.uint64), Field(8, "string", \Self.string), Field(9, "data", \Self.data),
    Field(10, "uuid", \Self.uuid), Field(11, "time", \Self.time), Field(13, "id", \Self.id),
    Field(14, "mood", \Self.mood)
  )
}

/// An older schema, which knows none of these fields.
struct FuzzNothing: WireStruct {
  var unknownFields = UnknownFields.none

  static var zero: Self { Self() }
  static let fieldTable = FieldTable("nothing", unknownFields: \Self.unknownFields)
}

/// A few fields of `FuzzSingles`, read without the others.
struct FuzzKeys: FieldProjection {
  var int64: Int64 = 0
  var time = Timestamp.zero
  var string = ""

  static let fieldTable = FieldTable(
    projection: "singles", Field(3, "int64", \Self.int64), Field(11, "time", \Self.time),
    Field(8, "string", \Self.string))
}
