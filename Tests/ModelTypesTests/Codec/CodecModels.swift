// Models as the generator would write them, with every type at every position, and seeded random values of them.

import ModelTypes
import SampleIDs
import TestSupport
import WireFormat

enum Mood: ModelEnum {
  case calm
  case wild
  case unknown(Int32)

  static let knownCases: [Self] = [.calm, .wild]

  init(rawValue: Int32) {
    switch rawValue {
    case 1: self = .calm
    case -7: self = .wild
    default: self = .unknown(rawValue)
    }
  }

  var rawValue: Int32 {
    switch self {
    case .calm: 1
    case .wild: -7
    case .unknown(let number): number
    }
  }
}

struct Leaf: ModelStruct {
  var name: String?
  var weights: [Double]
  var children: [Leaf]
  var marks: SortedSet<Int32>
  var unknownFields: UnknownFields

  static var zero: Self { Self(name: nil, weights: [], children: [], marks: [], unknownFields: .none) }

  static let fieldTable = FieldTable(
    "leaf", unknownFields: \Self.unknownFields,
    Field(1, "name", \Self.name),
    Field(2, "weights", \Self.weights),
    Field(3, "children", \Self.children),
    Field(4, "marks", \Self.marks)
  )
}

/// All positions that one element type can stand in.
struct Positions<Element: WireElement & WireField>: ModelStruct {
  var single: Element
  var optional: Element?
  var list: [Element]
  var unknownFields: UnknownFields

  static var zero: Self { preconditionFailure("never nested") }

  static var fieldTable: FieldTable {
    FieldTable(
      "positions", unknownFields: \Self.unknownFields,
      Field(1, "single", \Self.single), Field(16, "optional", \Self.optional), Field(2048, "list", \Self.list))
  }
}

/// A set of one element type.
struct SetPosition<Element: WireSetElement>: ModelStruct {
  var set: SortedSet<Element>
  var unknownFields: UnknownFields

  static var zero: Self { preconditionFailure("never nested") }

  static var fieldTable: FieldTable {
    FieldTable("setPosition", unknownFields: \Self.unknownFields, Field(16, "set", \Self.set))
  }
}

struct Everything: Model {
  let id: ObjectID<Everything>
  var flag = false
  var small: Int32 = 0
  var big: Int64 = 0
  var natural: UInt32 = 0
  var huge: UInt64 = 0
  var half: Float = 0
  var real: Double = 0
  var text = ""
  var bytes: [UInt8] = []
  var uuid = UUIDValue.zero
  var time = Timestamp.zero
  var file = FileReference.zero
  var views: Int64 = 0
  var owner = UserID.zero
  var mood = Mood(rawValue: 0)
  var leaf = Leaf.zero
  var maybeMood: Mood?
  var maybeLeaf: Leaf?
  var maybeText: String?
  var maybeOwner: UserID?
  var moods: [Mood] = []
  var numbers: [Int64] = []
  var owners: [UserID] = []
  var blobs: [[UInt8]] = []
  var texts: [String] = []
  var tags: SortedSet<String> = []
  var fans: SortedSet<UserID> = []
  var lucky: SortedSet<UInt64> = []
  var moodSet: SortedSet<Mood> = []
  var byteSet: SortedSet<[UInt8]> = []
  var times: SortedSet<Timestamp> = []
  var unknownFields = UnknownFields.none

  static let modelName = "everything"
  var queueID: QueueID? { nil }

  init(zeroWithID id: ObjectID<Everything>) {
    self.id = id
  }

  static let fieldTable = FieldTable(
    "everything", unknownFields: \Self.unknownFields,
    Field(1, "flag", \Self.flag), Field(2, "small", \Self.small), Field(3, "big", \Self.big),
    Field(4, "natural", \Self.natural), Field(5, "huge", \Self.huge), Field(6, "half", \Self.half),
    Field(7, "real", \Self.real), Field(8, "text", \Self.text), Field(9, "bytes", \Self.bytes),
    Field(10, "uuid", \Self.uuid), Field(11, "time", \Self.time), Field(12, "file", \Self.file),
    Field(13, "views", counter: \Self.views), Field(14, "owner", \Self.owner), Field(15, "mood", \Self.mood),
    Field(16, "leaf", \Self.leaf), Field(17, "maybeMood", \Self.maybeMood), Field(18, "maybeLeaf", \Self.maybeLeaf),
    Field(19, "maybeText", \Self.maybeText), Field(20, "maybeOwner", \Self.maybeOwner),
    Field(21, "moods", \Self.moods), Field(22, "numbers", \Self.numbers), Field(23, "owners", \Self.owners),
    Field(24, "blobs", \Self.blobs), Field(25, "texts", \Self.texts), Field(26, "tags", \Self.tags),
    Field(27, "fans", \Self.fans), Field(28, "lucky", \Self.lucky), Field(29, "moodSet", \Self.moodSet),
    Field(300, "byteSet", \Self.byteSet), Field(536_870_911, "times", \Self.times)
  )
}

/// `Everything` as an older version of the app knows it.
struct Older: Model {
  let id: ObjectID<Older>
  var text = ""
  var views: Int64 = 0
  var unknownFields = UnknownFields.none

  static let modelName = "everything"
  var queueID: QueueID? { nil }
  init(zeroWithID id: ObjectID<Older>) { self.id = id }

  static let fieldTable = FieldTable(
    "everything", unknownFields: \Self.unknownFields,
    Field(8, "text", \Self.text), Field(13, "views", counter: \Self.views))
}

struct ListKeys: FieldProjection {
  var time = Timestamp.zero
  var flag = false

  static let fieldTable = FieldTable(
    projection: "everything", Field(11, "time", \Self.time), Field(1, "flag", \Self.flag))
}

extension SeededRandom {
  /// A random number, which is often at an edge, where mistakes are likely.
  mutating func word() -> UInt64 {
    let edges: [UInt64] = [0, 1, 127, 128, 255, 16383, 16384, 1 << 31, 1 << 32, 1 << 63, .max, .max >> 1]
    return Bool.random(using: &self) ? edges.randomElement(using: &self)! : next() >> (next() % 64)
  }

  mutating func text() -> String {
    let pieces = ["", "a", "é", "e\u{301}", "日本", "👩‍👩‍👧", "\0", String(repeating: "x", count: 200)]
    return many { $0.next() }.map { pieces[Int($0 % 8)] }.joined()
  }

  mutating func many<Element>(_ make: (inout Self) -> Element) -> [Element] {
    (0..<(next() % 5)).map { _ in make(&self) }
  }

  mutating func maybe<Element>(_ make: (inout Self) -> Element) -> Element? {
    Bool.random(using: &self) ? make(&self) : nil
  }

  mutating func owner() -> UserID { UserID(high: word(), low: word()) }
  mutating func mood() -> Mood { Mood(rawValue: Int32(truncatingIfNeeded: word())) }

  mutating func leaf(depth: Int) -> Leaf {
    var leaf = Leaf.zero
    leaf.name = maybe { $0.text() }
    leaf.weights = many { Double($0.word()) }
    leaf.marks = SortedSet(many { Int32(truncatingIfNeeded: $0.word()) })
    if depth > 0 { leaf.children = many { $0.leaf(depth: depth - 1) } }
    return leaf
  }

  mutating func everything() -> Everything {
    var value = Everything(zeroWithID: .zero)
    value.flag = Bool.random(using: &self)
    value.small = Int32(truncatingIfNeeded: word())
    value.big = Int64(bitPattern: word())
    value.natural = UInt32(truncatingIfNeeded: word())
    value.huge = word()
    value.half = Float(word())
    value.real = Double(word())
    value.text = text()
    value.bytes = many { UInt8(truncatingIfNeeded: $0.word()) }
    value.uuid = UUIDValue(high: word(), low: word())
    value.time = Timestamp(millisecondsSince1970: Int64(bitPattern: word()))
    value.file = FileReference(
      hash: ContentHash(words: (word(), word(), word(), word())), size: Int64(bitPattern: word()), mime: text(),
      name: text())
    value.views = Int64(bitPattern: word())
    value.owner = owner()
    value.mood = mood()
    value.leaf = leaf(depth: 2)
    fillCollections(of: &value)
    return value
  }

  private mutating func fillCollections(of value: inout Everything) {
    value.maybeMood = maybe { $0.mood() }
    value.maybeLeaf = maybe { $0.leaf(depth: 1) }
    value.maybeText = maybe { $0.text() }
    value.maybeOwner = maybe { $0.owner() }
    value.moods = many { $0.mood() }
    value.numbers = many { Int64(bitPattern: $0.word()) }
    value.owners = many { $0.owner() }
    value.blobs = many { $0.many { UInt8(truncatingIfNeeded: $0.word()) } }
    value.texts = many { $0.text() }
    value.tags = SortedSet(many { $0.text() })
    value.fans = SortedSet(many { $0.owner() })
    value.lucky = SortedSet(many { $0.word() })
    value.moodSet = SortedSet(many { $0.mood() })
    value.byteSet = SortedSet(many { $0.many { UInt8(truncatingIfNeeded: $0.word()) } })
    value.times = SortedSet(many { Timestamp(millisecondsSince1970: Int64(bitPattern: $0.word())) })
  }
}
