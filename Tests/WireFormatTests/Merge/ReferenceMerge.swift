// The merge once more, as plainly as possible: fields in arrays, no offsets, no code of Sources.

struct PlainField: Hashable, Comparable {
  var tag: Int
  var wireType: UInt8
  var raw: [UInt8]

  static func < (left: Self, right: Self) -> Bool {
    if left.tag != right.tag { return left.tag < right.tag }
    if left.wireType != right.wireType { return left.wireType < right.wireType }
    return left.raw.lexicographicallyPrecedes(right.raw)
  }

  static func text(_ tag: Int, _ value: String) -> Self { Self(tag: tag, wireType: 2, raw: Array(value.utf8)) }

  /// A sint64 field.
  static func number(_ tag: Int, _ value: Int64) -> Self {
    let zigzag = value < 0 ? UInt64(-(value + 1)) * 2 + 1 : UInt64(value) * 2
    return Self(tag: tag, wireType: 0, raw: plainVarint(zigzag))
  }
}

struct PlainPatch: Hashable {
  var fill: [PlainField] = []
  var set: [PlainField] = []
  var clear: [Int] = []
  var insert: [PlainField] = []
  var remove: [PlainField] = []
  var increment: [Int: Int64] = [:]
  var raise: [PlainField] = []
  var lower: [PlainField] = []

  func merged(into content: [PlainField]) -> [PlainField] {
    let present = Set(content.map(\.tag))
    var fields = content + fill.filter { !present.contains($0.tag) }
    let replaced = Set(set.map(\.tag)).union(clear)
    fields = fields.filter { !replaced.contains($0.tag) } + set
    let touched = Set((insert + remove).map(\.tag))
    let elements = Set(fields.filter { touched.contains($0.tag) }).subtracting(remove).union(insert)
    fields = fields.filter { !touched.contains($0.tag) } + elements.sorted()
    for (tag, amount) in increment {
      let last = fields.last { $0.tag == tag && $0.wireType == 0 }
      fields.removeAll { $0.tag == tag }
      fields.append(.number(tag, plainCounter(last?.raw ?? [0]) &+ amount))
    }
    for (new, sign) in raise.map({ ($0, 1) }) + lower.map({ ($0, -1) }) {
      let last = fields.last { $0.tag == new.tag && $0.wireType == new.wireType }
      fields.removeAll { $0.tag == new.tag }
      let isBeyond = last.map { plainComparison(new, $0) == sign } ?? true
      fields.append(isBeyond ? new : last.map(plainShortest) ?? new)
    }
    return fields
  }

  /// The bytes of the patch in the blob format.
  var bytes: [UInt8] {
    let parts: [(Int, [UInt8])] = [
      (1, plainBytes(set)), (2, clear.sorted().flatMap { plainVarint(UInt64($0)) }), (3, plainBytes(insert.sorted())),
      (4, plainBytes(remove.sorted())), (5, plainBytes(increment.map { PlainField.number($0.key, $0.value) })),
      (6, plainBytes(fill)), (7, plainBytes(raise)), (8, plainBytes(lower)),
    ]
    return plainBytes(parts.filter { !$0.1.isEmpty }.map { PlainField(tag: $0.0, wireType: 2, raw: $0.1) })
  }
}

func plainVarint(_ value: UInt64) -> [UInt8] {
  value < 128 ? [UInt8(value)] : [UInt8(value % 128) + 128] + plainVarint(value / 128)
}

func plainCounter(_ raw: [UInt8]) -> Int64 {
  var encoded: UInt64 = 0
  for byte in raw.reversed() { encoded = encoded &* 128 &+ UInt64(byte % 128) }
  return encoded % 2 == 0 ? Int64(encoded / 2) : -Int64(encoded / 2) - 1
}

/// Canonical bytes: ascending tags; inside a tag the order is kept.
func plainBytes(_ fields: [PlainField]) -> [UInt8] {
  let order = fields.indices.sorted { (fields[$0].tag, $0) < (fields[$1].tag, $1) }
  var bytes: [UInt8] = []
  for field in order.map({ fields[$0] }) {
    bytes += plainVarint(UInt64(field.tag) * 8 + UInt64(field.wireType))
    if field.wireType == 2 { bytes += plainVarint(UInt64(field.raw.count)) }
    bytes += field.raw
  }
  return bytes
}

/// The fields of valid bytes.
func plainFields(_ bytes: [UInt8]) -> [PlainField] {
  var rest = bytes[...]
  func varint() -> [UInt8] {
    var raw: [UInt8] = []
    repeat { raw.append(rest.removeFirst()) } while raw.last! >= 128
    return raw
  }
  func number(_ raw: [UInt8]) -> Int { raw.reversed().reduce(0) { $0 * 128 + Int($1 % 128) } }
  var fields: [PlainField] = []
  while !rest.isEmpty {
    let key = number(varint())
    var field = PlainField(tag: key / 8, wireType: UInt8(key % 8), raw: [])
    switch field.wireType {
    case 0: field.raw = varint()
    case 1: field.raw = Array(rest.prefix(8))
    case 5: field.raw = Array(rest.prefix(4))
    default:
      let count = number(varint())
      field.raw = Array(rest.prefix(count))
    }
    if field.wireType != 0 { rest = rest.dropFirst(field.raw.count) }
    fields.append(field)
  }
  return fields
}

/// -1, 0 or 1: whether one number is below, at or above another one of its wire type. Floating-point numbers compare by
/// IEEE 754's total order: as their bits do, but for the sign.
func plainComparison(_ left: PlainField, _ right: PlainField) -> Int {
  func value(_ field: PlainField) -> Int64 {
    if field.wireType == 0 { return Int64(bitPattern: plainNumber(field.raw)) }
    let bits = field.raw.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    if field.wireType == 1 { return bits >> 63 == 0 ? Int64(bits) : -1 - Int64(bits & (1 << 63 - 1)) }
    return bits >> 31 == 0 ? Int64(bits) : -1 - Int64(bits & 0x7FFF_FFFF)
  }
  return (value(left) > value(right) ? 1 : 0) - (value(left) < value(right) ? 1 : 0)
}

/// The field with its number in as few bytes as it takes.
func plainShortest(_ field: PlainField) -> PlainField {
  guard field.wireType == 0 else { return field }
  return PlainField(tag: field.tag, wireType: 0, raw: plainVarint(plainNumber(field.raw)))
}

func plainNumber(_ raw: [UInt8]) -> UInt64 {
  raw.enumerated().reduce(UInt64(0)) { $0 | UInt64($1.element & 127) << UInt64(7 * $1.offset) }
}
