// A sorted set is a set, whatever is done to it: Swift's own says what it holds, the bytes of elements in which order.

import TestSupport
import Testing
import WireFormat

@Suite struct SortedSets {
  @Test(arguments: 0..<40 as Range<UInt64>) func followsSwiftsSet(seed: UInt64) {
    var numbers = SeededRandom(seed: seed)
    var sorted: SortedSet<Int64> = []
    var plain: Set<Int64> = []
    for _ in 0..<300 {
      let element = Self.element(&numbers)
      let isRemoved = numbers.below(3) == 0
      let changed = isRemoved ? sorted.remove(element) : sorted.insert(element)
      let expected = isRemoved ? plain.remove(element) != nil : plain.insert(element).inserted
      #expect(changed == expected, "seed \(seed)")
      let asked = Self.element(&numbers)
      #expect(sorted.contains(asked) == plain.contains(asked), "seed \(seed)")
      Self.check(sorted, plain, seed)
    }
    sorted.removeAll()
    #expect(sorted == SortedSet())
  }

  @Test(arguments: 0..<200 as Range<UInt64>) func algebra(seed: UInt64) {
    var numbers = SeededRandom(seed: seed)
    let left = Set((0..<numbers.below(12)).map { _ in Self.element(&numbers) })
    let right = numbers.below(4) == 0 ? left : Set((0..<numbers.below(12)).map { _ in Self.element(&numbers) })
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

  /// `==` of strings takes both for one text; their bytes differ, and so does what a merge sees.
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

  @Test func hashesAndMomentsAreOrderedLikeTheirBytes() {
    let hashes = [[0, 0, 0, 1], [0, 0, 1, 0], [0, 1, 0, 0], [1, 0, 0, 0], [.max, 0, 0, 0]] as [[UInt64]]
    let values = hashes.map { ContentHash(words: ($0[0], $0[1], $0[2], $0[3])) }
    #expect(values.reversed().sorted() == values)
    #expect(Set(values + values).count == values.count)
    let moments = [Int64.min, -1, 0, 1, .max].map(Timestamp.init(millisecondsSince1970:))
    #expect(moments.reversed().sorted() == moments)
  }

  /// Few values, so that equal ones meet; those below zero take ten bytes.
  private static func element(_ numbers: inout SeededRandom) -> Int64 {
    [.min, .max, Int64(numbers.below(20)) * 40 - 400].randomElement(using: &numbers)!
  }

  private static func check(_ sorted: SortedSet<Int64>, _ plain: Set<Int64>, _ seed: UInt64) {
    let expected = plain.sorted { left, right in
      plainVarint(UInt64(bitPattern: left)).lexicographicallyPrecedes(plainVarint(UInt64(bitPattern: right)))
    }
    #expect(Array(sorted) == expected, "seed \(seed)")
  }
}
