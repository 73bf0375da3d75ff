// Numbers of every length at every distance from the end. The codec reads 8 bytes at once if there are as many, and
// must read the same number as byte by byte.

import ModelTypes
import Testing
import WireFormat

private struct Numbers: FieldProjection {
  var first: UInt64 = 0
  var last: UInt64 = 0

  static let fieldTable = FieldTable(
    projection: "numbers", Field(1, "first", \Self.first), Field(3, "last", \Self.last))
}

@Suite struct VarintTests {
  /// The number in `count` bytes, with needless zeros at its end if it is shorter.
  private func varint(_ number: UInt64, count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> UInt64(7 * $0)) & 0x7F | ($0 == count - 1 ? 0 : 0x80) }
  }

  /// Field 1, a skipped field 2 and field 3, with the same bytes each; then a skipped field 4 of `tail` bytes.
  private func blob(_ number: [UInt8], tail: Int) -> [UInt8] {
    let padding = tail < 2 ? [] : [0x22, UInt8(tail - 2)] + [UInt8](repeating: 0xFF, count: tail - 2)
    return [0x08] + number + [0x10] + number + [0x18] + number + padding
  }

  @Test func readsEveryLengthAtEveryDistanceFromEnd() throws {
    for count in 1...10 {
      for bit in 0..<Swift.min(7 * count, 64) {
        let number = UInt64.max >> UInt64(63 - bit)
        for tail in [0] + Array(2...12) {
          let blob = blob(varint(number, count: count), tail: tail)
          let numbers = try Numbers(scanning: blob)
          #expect(numbers.first == number && numbers.last == number, "\(number) in \(count) bytes before \(tail)")
        }
      }
    }
  }

  @Test func bytesBehindNumberDoNotChangeIt() throws {
    for count in 1...10 {
      let blob = [0x10] + varint(0, count: count) + [0x18, 0x7F]
      #expect(try Numbers(scanning: blob).last == 0x7F)
      #expect(try Numbers(scanning: [0x08] + varint(1, count: count) + [0x18, 0x7F]).first == 1)
    }
  }

  @Test func refusesUnterminatedNumberReadOrSkipped() {
    for key: UInt8 in [0x08, 0x10] {
      for count in 0..<10 {
        let blob = [key] + [UInt8](repeating: 0x80, count: count)
        #expect(throws: WireError.self, "\(count) bytes") { try Numbers(scanning: blob) }
      }
      let overlong = [key] + [UInt8](repeating: 0x80, count: 10) + [0, 0, 0]
      #expect { try Numbers(scanning: overlong) } throws: { ($0 as? WireError)?.code == .overlongVarint }
    }
  }
}
