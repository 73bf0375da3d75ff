// A sorted set holds what Swift's `Set` holds after the same calls, in the order of the bytes of its elements.

import TestSupport
import Testing
import WireFormat

@Suite struct SortedSetTests {
  @Test(arguments: 0..<40 as Range<UInt64>) func followsSwiftsSet(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var sorted: SortedSet<Int64> = []
    var plain: Set<Int64> = []
    for _ in 0..<300 {
      let element = Self.element(&random)
      let removes = random.below(3) == 0
      let changed = removes ? sorted.remove(element) : sorted.insert(element)
      let expected = removes ? plain.remove(element) != nil : plain.insert(element).inserted
      #expect(changed == expected, "seed \(seed)")
      let probe = Self.element(&random)
      #expect(sorted.contains(probe) == plain.contains(probe), "seed \(seed)")
      Self.check(sorted, plain, seed)
    }
    sorted.removeAll()
    #expect(sorted == SortedSet())
  }

  @Test(arguments: 0..<200 as Range<UInt64>) func setAlgebraEqualsThatOfSwiftsSet(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let left = Set((0..<random.below(12)).map { _ in Self.element(&random) })
    let right = random.below(4) == 0 ? left : Set((0..<random.below(12)).map { _ in Self.element(&random) })
    let (one, two) = (SortedSet(left), SortedSet(right))
    Self.check(one.union(two), left.union(right), seed)
    Self.check(one.intersection(two), left.intersection(right), seed)
    Self.check(one.subtracting(two), left.subtracting(right), seed)
    Self.check(one.symmetricDifference(two), left.symmetricDifference(right), seed)
    #expect(one.isSubset(of: two) == left.isSubset(of: right), "seed \(seed)")
    #expect((one == two) == (left == right), "seed \(seed)")
    if one == two { #expect(one.hashValue == two.hashValue, "seed \(seed)") }
    var changed = one
    changed.formUnion(two)
    #expect(changed == one.union(two), "seed \(seed)")
    changed.subtract(one)
    #expect(changed == two.subtracting(one), "seed \(seed)")
  }

  /// Swift's `==` calls é and e + accent equal. The set compares bytes, as the server does when it merges.
  @Test func textsAreToldApartByTheirBytes() {
    let composed = "\u{E9}"
    let decomposed = "e\u{301}"
    #expect(composed == decomposed)
    var set: SortedSet = [composed]
    #expect(!set.contains(decomposed))
    let isNew = set.insert(decomposed)
    #expect(isNew)
    #expect(set.map { Array($0.utf8) } == [Array("e\u{301}".utf8), Array("\u{E9}".utf8)])
    #expect(SortedSet([composed]) != SortedSet([decomposed]))
  }

  @Test func showsItsElements() {
    let tags: SortedSet = ["b", "a", "b"]
    #expect(tags.description == #"["a", "b"]"#)
  }

  @Test func hashesAndTimestampsAreOrdered() {
    let hashes = [[0, 0, 0, 1], [0, 0, 1, 0], [0, 1, 0, 0], [1, 0, 0, 0], [.max, 0, 0, 0]] as [[UInt64]]
    let values = hashes.map { ContentHash(words: ($0[0], $0[1], $0[2], $0[3])) }
    #expect(values.reversed().sorted() == values)
    #expect(Set(values + values).count == values.count)
    let times = [Int64.min, -1, 0, 1, .max].map(Timestamp.init(millisecondsSince1970:))
    #expect(times.reversed().sorted() == times)
  }

  /// One of few values, so that equal ones are drawn often. Negative ones have the longest varint, ten bytes.
  private static func element(_ random: inout SeededRandom) -> Int64 {
    [.min, .max, Int64(random.below(20)) * 40 - 400].randomElement(using: &random)!
  }

  private static func check(_ sorted: SortedSet<Int64>, _ plain: Set<Int64>, _ seed: UInt64) {
    let expected = plain.sorted { left, right in
      plainVarint(UInt64(bitPattern: left)).lexicographicallyPrecedes(plainVarint(UInt64(bitPattern: right)))
    }
    #expect(Array(sorted) == expected, "seed \(seed)")
  }
}
