// Written values are read back equal, whatever the type, the position, the order and the packing.

import ModelTypes
import SampleIDs
import TestSupport
import Testing
import WireFormat

@Suite struct CodecRoundTripTests {
  @Test(arguments: 0..<500 as Range<UInt64>) func randomValuesAreReadBackEqual(seed: UInt64) throws {
    var generator = SeededRandom(seed: seed)
    let value = generator.everything()
    let blob = try value.encoded()
    let read = try Everything(id: .zero, blob: blob)
    #expect(read == value, "seed \(seed)")
    #expect(try read.encoded() == blob, "seed \(seed)")
    let keys = try ListKeys(scanning: blob)
    #expect(keys.time == value.time && keys.flag == value.flag, "seed \(seed)")
  }

  @Test(arguments: 0..<100 as Range<UInt64>) func olderSchemaKeepsUnknownFields(seed: UInt64) throws {
    var generator = SeededRandom(seed: seed)
    let value = generator.everything()
    let blob = try value.encoded()
    var older = try Older(id: .zero, blob: blob)
    #expect(try older.encoded() == blob, "seed \(seed)")
    older.views &+= 1
    var expected = value
    expected.views &+= 1
    #expect(try Everything(id: .zero, blob: older.encoded()) == expected, "seed \(seed)")
  }

  private func check<Element: WireElement & WireField>(_ values: [Element], zero: Element, absent: Bool = false) throws
  {
    for value in values + [zero] {
      let message = Positions(single: value, optional: value, list: [value] + values, unknownFields: .none)
      let blob = try message.encoded()
      var read = Positions(single: values[0], optional: nil, list: [], unknownFields: .none)
      if absent { read.single = zero }
      try read.merge(blob)
      #expect(read == message)
    }
    let empty = Positions(single: zero, optional: nil, list: [], unknownFields: .none)
    #expect(try empty.encoded().isEmpty == absent)
  }

  /// Checks a set of the values too, which is read into a set that has one of them already.
  private func checkWithSet<Element: WireSetElement & WireField>(
    _ values: [Element], zero: Element, absent: Bool = false
  ) throws {
    try check(values, zero: zero, absent: absent)
    let elements = values + [zero]
    let message = SetPosition<Element>(set: SortedSet(elements), unknownFields: .none)
    var read = SetPosition<Element>(set: SortedSet(values.prefix(1)), unknownFields: .none)
    try read.merge(message.encoded())
    #expect(read == message)
    #expect(Set(read.set) == Set(elements))
  }

  @Test func everyTypeAtEveryPosition() throws {
    try checkWithSet([true, false], zero: false)
    try checkWithSet([1, -1, .min, .max], zero: Int32(0))
    try checkWithSet([1, -1, .min, .max], zero: Int64(0))
    try checkWithSet([1, 128, .max], zero: UInt32(0))
    try checkWithSet([1, 128, .max], zero: UInt64(0))
    try check([1.5, -0.0, .infinity, .greatestFiniteMagnitude], zero: Float(0))
    try check([1.5, -0.0, .infinity, .leastNonzeroMagnitude], zero: Double(0))
    try checkWithSet(["é", "\0", "日本"], zero: "")
    try checkWithSet([[1, 2], [0, 0xFF]], zero: [UInt8]())
    try checkWithSet([UUIDValue(high: 1, low: 2)], zero: .zero)
    try checkWithSet([UserID(high: 1, low: 2)], zero: .zero, absent: true)
    try checkWithSet([Timestamp(millisecondsSince1970: -1)], zero: .zero)
    try checkWithSet([Mood.calm, .wild, .unknown(9)], zero: .unknown(0), absent: true)
    try check([ContentHash(words: (1, 2, 3, 4))], zero: .zero)
    try check([FileReference(hash: .zero, size: 5, mime: "a/b", name: "n")], zero: .zero)
  }

  @Test func valueIsWrittenAsKnownBytes() throws {
    var older = Older(zeroWithID: .zero)
    #expect(try older.encoded() == [0x42, 0, 0x68, 0])
    older.text = "hi"
    older.views = -2
    #expect(try older.encoded() == [0x42, 2, 0x68, 0x69, 0x68, 3])
  }

  @Test func readsRecordsInAnyOrderAndPacking() throws {
    // Tag 28, a set: packed with an element twice, then unpacked; tag 22, a list: unpacked, then packed; tag 8 twice.
    let blob: [UInt8] = [
      0xE2, 1, 3, 5, 1, 5, 0xE0, 1, 3, 0xB0, 1, 7, 0xB2, 1, 2, 8, 9, 0x42, 1, 0x61, 0x42, 1, 0x62,
    ]
    let value = try Everything(id: .zero, blob: blob)
    #expect(value.lucky.elementsEqual([1, 3, 5]))
    #expect(value.numbers == [7, 8, 9])
    #expect(value.text == "b")
  }

  @Test func mergesTwoRecordsOfOneStruct() throws {
    // Tag 18, an optional struct, in two records: one with the name "a", one with a mark only. The name stays.
    let value = try Everything(id: .zero, blob: [0x92, 1, 3, 0x0A, 1, 0x61, 0x92, 1, 2, 0x20, 4])
    #expect(value.maybeLeaf?.name == "a")
    #expect(value.maybeLeaf?.marks == [4])
  }

  @Test func unexpectedWireTypesAreUnknownFields() throws {
    // Tag 1000, then tag 8, a string, as a varint with a needless byte. Both are kept, canonical and in order.
    let value = try Older(id: .zero, blob: [0xC0, 0x3E, 1, 0x40, 0x85, 0x00, 0x42, 1, 0x61])
    #expect(value.text == "a")
    #expect(value.unknownFields.records == [0x40, 5, 0xC0, 0x3E, 1])
    #expect(try value.encoded() == [0x42, 1, 0x61, 0x40, 5, 0x68, 0, 0xC0, 0x3E, 1])
  }

  @Test func batchesEqualSingleBlobs() throws {
    var generator = SeededRandom(seed: 7)
    let values = (0..<20).map { _ in generator.everything() }
    var buffer = BlobBuffer()
    var ranges: [Range<Int>] = []
    try buffer.append(contentsOf: values) { ranges.append($0) }
    #expect(try ranges.map { buffer[$0] } == values.map { try $0.encoded() })
    buffer.removeAll()
    #expect(buffer.count == 0)
    #expect(try buffer.append(values[3]).count == values[3].encoded().count)
  }

  @Test func enumsAreEqualByNumber() {
    #expect(Mood.unknown(1) == .calm)
    #expect(Set([Mood.unknown(1), .calm]).count == 1)
  }
}
