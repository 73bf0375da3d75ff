// Makes test values from a seed, for the generated `fixture(seed:)` functions.
import SyncProtocol
public import WireFormat

/// A deterministic source of values of every field type; edges (zero, extremes, empty, not ASCII) are frequent.
///
/// The sequence for a seed may change between versions. Source of the generator: SplitMix64 (Steele et al., 2014).
public struct FixtureGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64
  /// How many lists enclose the next value. A list inside three others is empty, so that recursive structs end.
  private var depth = 0

  public init(seed: UInt64) {
    state = seed
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

  private mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type) -> Value {
    switch below(8) {
    case 0: 0
    case 1: .max
    case 2: .min
    case 3: Value(truncatingIfNeeded: next())
    default: Value(truncatingIfNeeded: Int64(below(2_000)) - 500)
    }
  }
}

extension FixtureGenerator {
  public mutating func bool() -> Bool { below(2) == 0 }
  public mutating func int32() -> Int32 { integer(Int32.self) }
  public mutating func int64() -> Int64 { integer(Int64.self) }
  public mutating func uint32() -> UInt32 { integer(UInt32.self) }
  public mutating func uint64() -> UInt64 { integer(UInt64.self) }

  /// Never NaN, so that a value equals itself.
  public mutating func double() -> Double {
    switch below(8) {
    case 0: 0
    case 1: -0.0
    case 2: .infinity
    case 3: .leastNonzeroMagnitude
    case 4: .greatestFiniteMagnitude
    default: Double(below(1_000_000)) / 64 - 5_000
    }
  }

  /// Never NaN.
  public mutating func float() -> Float { Float(double()) }

  /// At most 345 characters; some are empty, some have an emoji, a combining mark, a zero or a line end.
  public mutating func string() -> String {
    switch below(8) {
    case 0: return ""
    case 1: return "Grüße aus Kopenhagen 🏔️"
    case 2: return "e\u{301} \u{0} \u{202E}\n"
    case 3: return String(repeating: "long ", count: 10 + below(60))
    default:
      let syllables = ["ka", "lo", "mi", "ren", "tu", "sol", "ve", "dar"]
      return (0...below(5)).map { _ in syllables[below(syllables.count)] }.joined()
    }
  }

  /// At most 299 bytes; one in four is empty.
  public mutating func data() -> [UInt8] {
    (0..<(below(4) == 0 ? 0 : below(300))).map { _ in UInt8(truncatingIfNeeded: next()) }
  }

  /// 128 random bits, without a version.
  public mutating func uuid() -> UUIDValue { UUIDValue(high: next(), low: next()) }
  /// 128 random bits, bound to no queue.
  public mutating func id<Object>() -> ObjectID<Object> { ObjectID(uuid()) }

  /// The id of an object that is a queue: a UUID of version 4.
  public mutating func id<Object: QueueModel>() -> ObjectID<Object> { ObjectID(.version4(next(), next())) }

  /// The id of an object in a queue. Pass nil for an object that never leaves the device.
  public mutating func id<Object: Model>(in queue: QueueID?) -> ObjectID<Object> {
    ObjectID(.bound(to: queue ?? .zero, chosen: next()))
  }

  /// Within some 285 years of 1970.
  public mutating func timestamp() -> Timestamp {
    Timestamp(millisecondsSince1970: Int64.random(in: -9_000_000_000_000...9_000_000_000_000, using: &self))
  }

  /// A reference to a file that does not exist, of less than 50,000,000 bytes.
  public mutating func file() -> FileReference {
    FileReference(
      hash: ContentHash(words: (next(), next(), next(), next())), size: Int64(below(50_000_000)),
      mime: bool() ? "image/jpeg" : "", name: string())
  }

  /// A declared case or, one time in eight, any number from 1 to 100.
  public mutating func enumeration<Value: ModelEnum>() -> Value {
    let known = Value.knownCases
    return known.isEmpty || below(8) == 0
      ? Value(rawValue: Int32(1 + below(100))) : known[below(known.count)]
  }

  /// Nil half of the time.
  public mutating func optional<Value>(_ make: (inout Self) -> Value) -> Value? {
    bool() ? make(&self) : nil
  }

  /// At most 5 elements; a list inside three others is empty.
  public mutating func list<Value>(_ make: (inout Self) -> Value) -> [Value] {
    guard depth < 3 else { return [] }
    depth += 1
    defer { depth -= 1 }
    let count = below(4) == 0 ? 0 : below(6)
    return (0..<count).map { _ in make(&self) }
  }

  /// At most 5 elements; equal ones count once.
  public mutating func set<Element>(_ make: (inout Self) -> Element) -> SortedSet<Element> {
    SortedSet(list(make))
  }
}
