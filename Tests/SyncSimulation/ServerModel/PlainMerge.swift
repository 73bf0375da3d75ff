// A patch, and its merge into a content. Sections "Patch" and "Merge" of docs/formats/blob-format.md.

struct PlainPatch {
  var set: [PlainRecord] = []
  var clear: Set<UInt64> = []
  var insert: [PlainRecord] = []
  var remove: [PlainRecord] = []
  var increment: [PlainRecord] = []
  var fill: [PlainRecord] = []
  var raise: [PlainRecord] = []
  var lower: [PlainRecord] = []

  init(_ bytes: [UInt8]) throws(PlainMalformed) {
    var last: UInt64 = 0
    for part in try bytes.records() {
      // Parts are in ascending order, each is there once, and none is empty.
      guard part.tag > last, !part.value.isEmpty else { throw PlainMalformed() }
      last = part.tag
      switch part.tag {
      case 1: set = try Self.part(part)
      case 2: clear = try Self.tags(part)
      case 3: insert = try Self.part(part)
      case 4: remove = try Self.part(part)
      case 5:
        increment = try Self.part(part)
        for record in increment { _ = try record.number() }
      case 6: fill = try Self.part(part)
      case 7: raise = try Self.numbers(part)
      case 8: lower = try Self.numbers(part)
      default: throw PlainMalformed()
      }
    }
    try checkTags()
  }

  private static func part(_ part: PlainRecord) throws(PlainMalformed) -> [PlainRecord] {
    let records = try part.bytes().records()
    guard zip(records, records.dropFirst()).allSatisfy({ $0.tag <= $1.tag }) else { throw PlainMalformed() }
    return records
  }

  /// One number for each tag.
  private static func numbers(_ part: PlainRecord) throws(PlainMalformed) -> [PlainRecord] {
    let records = try Self.part(part)
    guard records.allSatisfy({ $0.wireType != 2 }), Set(records.map(\.tag)).count == records.count else {
      throw PlainMalformed()
    }
    return records
  }

  private static func tags(_ part: PlainRecord) throws(PlainMalformed) -> Set<UInt64> {
    var (rest, last, tags): (ArraySlice<UInt8>, UInt64, Set<UInt64>) = (try part.bytes()[...], 0, [])
    while !rest.isEmpty {
      let tag = try rest.takeVarint()
      guard tag > last else { throw PlainMalformed() }
      last = tag
      tags.insert(tag)
    }
    return tags
  }

  /// Throws unless each tag is in one part only. `insert` and `remove` count as one part, and `fill` may share tags
  /// with others.
  private func checkTags() throws(PlainMalformed) {
    let parts = [
      Set(set.map(\.tag)), clear, Set((insert + remove).map(\.tag)), Set(increment.map(\.tag)), Set(raise.map(\.tag)),
      Set(lower.map(\.tag)),
    ]
    let named = parts.reduce(into: Set<UInt64>()) { $0.formUnion($1) }
    guard parts.reduce(0, { $0 + $1.count }) == named.count, Set(insert).isDisjoint(with: remove) else {
      throw PlainMalformed()
    }
  }

  func merged(into content: [UInt8]) throws(PlainMalformed) -> [UInt8] {
    var fields: [UInt64: [PlainRecord]] = [:]
    for record in try content.records() { fields[record.tag, default: []].append(record) }
    let present = Set(fields.keys)
    for record in fill where !present.contains(record.tag) { fields[record.tag, default: []].append(record) }
    for tag in Set(set.map(\.tag)).union(clear) { fields[tag] = nil }
    for record in set { fields[record.tag, default: []].append(record) }
    for tag in Set((insert + remove).map(\.tag)) {
      var elements = Set(fields[tag] ?? [])
      elements.subtract(remove.filter { $0.tag == tag })
      elements.formUnion(insert.filter { $0.tag == tag })
      fields[tag] = elements.sorted(by: Self.isBefore)
    }
    for record in increment {
      let amount = Int64(zigzag: try record.number())
      let before = try fields[record.tag]?.last { $0.wireType == 0 }.map { record throws(PlainMalformed) in
        Int64(zigzag: try record.number())
      }
      fields[record.tag] = [PlainRecord(tag: record.tag, number: ((before ?? 0) &+ amount).zigzag)]
    }
    for (record, isLarger) in raise.map({ ($0, true) }) + lower.map({ ($0, false) }) {
      let before = fields[record.tag]?.last { $0.wireType == record.wireType }
      let keeps = try before.map { before throws(PlainMalformed) in
        let (old, new) = (try before.rank(), try record.rank())
        return isLarger ? old >= new : old <= new
      }
      fields[record.tag] = [keeps == true ? before ?? record : record]
    }
    var bytes: [UInt8] = []
    for tag in fields.keys.sorted() { for record in fields[tag] ?? [] { bytes.append(record) } }
    return bytes
  }

  /// Orders records by wire type, then by bytes.
  private static func isBefore(_ left: PlainRecord, _ right: PlainRecord) -> Bool {
    left.wireType != right.wireType ? left.wireType < right.wireType : left.value < right.value
  }
}

extension PlainRecord {
  /// A whole number that orders the numbers of a wire type; those with a fraction by IEEE 754's total order.
  fileprivate func rank() throws(PlainMalformed) -> Int64 {
    if wireType == 0 { return Int64(bitPattern: try number()) }
    let bits = value.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let sign = UInt64(1) << (wireType == 1 ? 63 : 31)
    return bits < sign ? Int64(bits) : -1 - Int64(bits - sign)
  }
}
