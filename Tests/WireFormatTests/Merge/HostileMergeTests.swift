// Damaged and hostile bytes give an error or a result that another merge leaves as it is, and never trap.

import TestSupport
import Testing
import WireFormat

@Suite struct HostileMerges {
  @Test(arguments: 0..<20 as Range<UInt64>)
  func damagedBytesNeverTrap(seed: UInt64) throws {
    var numbers = SeededRandom(seed: seed)
    for _ in 0..<500 {
      let content = damaged(plainBytes(randomFields(&numbers)), &numbers)
      let patchBytes =
        numbers.below(2) == 0 ? damaged(randomPatch(&numbers).bytes, &numbers) : randomPatch(&numbers).bytes
      guard let patch = try? Patch(bytes: patchBytes) else { continue }
      #expect(patch.bytes == patchBytes, "seed \(seed)")
      guard let merged = try? patch.merged(into: content) else { continue }
      let again = try Patch.none.merged(into: merged)
      #expect(again == merged, "seed \(seed): \(patchBytes) into \(content)")
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func noiseNeverTraps(seed: UInt64) {
    var numbers = SeededRandom(seed: seed)
    for _ in 0..<2000 {
      let one = (0..<numbers.below(24)).map { _ in UInt8(numbers.below(256)) }
      let two = (0..<numbers.below(24)).map { _ in UInt8(numbers.below(256)) }
      let patch = (try? Patch(bytes: one)) ?? .none
      let merged = try? patch.merged(into: two)
      let kept = try? Patch.none.merged(into: two)
      #expect((merged == nil) == (kept == nil), "seed \(seed): what is refused depends on the content alone")
      _ = try? Patch.difference(from: one, to: two, kinds: MergeKinds(sets: [1, 2, 3], counters: [4, 5]))
    }
  }

  @Test func refusesContentCutInsideRecord() throws {
    let fields: [PlainField] = [
      .number(1, 300), .text(2, "abc"), PlainField(tag: 3, wireType: 5, raw: [1, 2, 3, 4]),
      PlainField(tag: 2000, wireType: 1, raw: [1, 2, 3, 4, 5, 6, 7, 8]),
    ]
    let whole = plainBytes(fields)
    let borders = (0...fields.count).map { plainBytes(Array(fields.prefix($0))).count }
    for cut in 0...whole.count {
      let expected: WireError.Code? = borders.contains(cut) ? nil : .truncated
      #expect(code { try Patch.none.merged(into: Array(whole.prefix(cut))) } == expected, "cut at \(cut)")
    }
  }

  /// Half a million records out of order take the slow path.
  @Test func mergesHalfAMillionRecordsInWorstOrder() throws {
    var content: [UInt8] = []
    for index in 0..<500_000 {
      content += [UInt8((15 - index % 15) * 8), UInt8(index % 100)]
    }
    let patch = PlainPatch(insert: [PlainField(tag: 1, wireType: 0, raw: [101])])
    let merged = try merge(content, patch)
    // Tag 1 has become a set: each different element once, and the new one.
    #expect(merged.prefix(4) == [0x08, 4, 0x08, 9])
    #expect(merged[38..<44] == [0x08, 99, 0x08, 101, 0x10, 13])
    #expect(try merge(merged, patch) == merged)
  }

  private func damaged(_ bytes: [UInt8], _ numbers: inout SeededRandom) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<1 + numbers.below(3) where !bytes.isEmpty {
      let index = numbers.below(bytes.count)
      switch numbers.below(4) {
      case 0: bytes[index] ^= 1 << UInt8(numbers.below(8))
      case 1: bytes.removeSubrange(index...)
      case 2: bytes.insert(UInt8(numbers.below(256)), at: index)
      default: bytes[index] = [0, 0x7F, 0x80, 0xFF].randomElement(using: &numbers)!
      }
    }
    return bytes
  }
}
