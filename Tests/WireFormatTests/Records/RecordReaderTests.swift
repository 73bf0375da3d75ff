// The boundaries of records, and every kind of bytes that are no records.

import Testing
import WireFormat

@Suite struct RecordReading {
  @Test(
    arguments: [
      ("value missing", [0x08], .truncated, 1),
      ("number cut off", [0x08, 0x80], .truncated, 1),
      ("number of eleven bytes", [0x08] + [UInt8](repeating: 0xFF, count: 10) + [0], .overlongVarint, 1),
      ("text cut off", [0x0A, 5, 0x61, 0x62], .truncated, 0),
      ("length above Int64", [0x0A] + [UInt8](repeating: 0xFF, count: 9) + [1], .truncated, 0),
      ("fixed32 cut off", [0x0D, 1], .truncated, 0),
      ("fixed64 cut off", [0x09, 1, 2, 3, 4, 5, 6, 7], .truncated, 0),
      ("group", [0x0B], .invalidWireType, 0),
      ("end of group", [0x0C], .invalidWireType, 0),
      ("wire type 6", [0x0E], .invalidWireType, 0),
      ("wire type 7", [0x0F], .invalidWireType, 0),
      ("tag 0", [0x00, 1], .invalidTag, 0),
      ("tag above the last", [0x80, 0x80, 0x80, 0x80, 0x10, 1], .invalidTag, 0),
      ("key of eleven bytes", [UInt8](repeating: 0x80, count: 11), .overlongVarint, 0),
      ("second record", [0x08, 1, 0x00], .invalidTag, 2),
    ] as [(String, [UInt8], WireError.Code, Int)])
  func malformedBytesAreRefused(name: String, bytes: [UInt8], code: WireError.Code, offset: Int) {
    #expect(throws: WireError(code, at: offset), "\(name)") { try records(bytes) }
  }

  @Test func aNumberMayTakeTenBytes() throws {
    let bytes: [UInt8] = [0x08] + [UInt8](repeating: 0xFF, count: 9) + [1]
    #expect(try records(bytes).map(\.number) == [.max])
  }

  @Test func readsRecordWithLargestTag() throws {
    #expect(try records([0xF8, 0xFF, 0xFF, 0xFF, 0x0F, 1]).map(\.tag) == [536_870_911])
  }

  @Test(arguments: [0, 1, 127, 128, 16383, 16384, 1 << 32, .max >> 1, .max] as [UInt64])
  func numbersAreReadBackAsWritten(value: UInt64) throws {
    var writer = RecordWriter()
    writer.varint(1, value)
    writer.zigzag(2, Int64(bitPattern: value))
    #expect(writer.bytes == [0x08] + plainVarint(value) + plainBytes([.number(2, Int64(bitPattern: value))]))
    let read = try records(writer.bytes)
    #expect(read.map(\.number) == [value, Zigzag.encode(Int64(bitPattern: value))])
    #expect(Zigzag.decode(read[1].number) == Int64(bitPattern: value))
    #expect(read.map(\.isShortest) == [true, true])
  }

  @Test func recordGivesRangeOfItsValue() throws {
    var writer = RecordWriter()
    writer.fixed32(1, 0x0403_0201)
    writer.fixed64(2, 0x0807_0605_0403_0201)
    writer.string(3, "é")
    writer.uuid(4, UUIDValue(high: 0x0001_0203_0405_0607, low: 0x0809_0A0B_0C0D_0E0F))
    writer.hash(5, ContentHash(words: (1, 2, 3, 4)))
    let values = try records(writer.bytes).map { Array(writer.bytes[$0.value]) }
    #expect(
      values == [
        [1, 2, 3, 4], [1, 2, 3, 4, 5, 6, 7, 8], [0xC3, 0xA9], Array(0...15),
        [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 4],
      ])
  }

  private struct Read {
    var tag: Int
    var value: Range<Int>
    var number: UInt64
    var isShortest: Bool
  }

  private func records(_ bytes: [UInt8]) throws -> [Read] {
    try bytes.withUnsafeBytes { buffer in
      var reader = RecordReader(buffer)
      var found: [Read] = []
      while let record = try reader.next() {
        let number = record.wireType == .varint ? reader.number(record) : 0
        found.append(Read(tag: record.tag, value: record.value, number: number, isShortest: record.isShortest))
      }
      return found
    }
  }
}
