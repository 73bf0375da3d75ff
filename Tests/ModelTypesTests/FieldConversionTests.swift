// The conversions that need no function of an app.

import ModelTypes
import Testing
import WireFormat

@Suite struct FieldConversionTests {
  @Test(
    arguments: [
      (0.0, 0), (2.4, 2), (2.5, 3), (-2.5, -3), (1e300, Int32.max), (-1e300, .min), (.infinity, .max),
      (-.infinity, .min), (.nan, 0), (2_147_483_647.4, .max), (2_147_483_648, .max),
    ] as [(Double, Int32)]) func wholeNumbersAreTheNearest(number: Double, whole: Int32)
  {
    #expect(FieldConversion.whole(number) as Int32 == whole)
  }

  @Test func numbersWithoutASignEndAtZero() {
    #expect(FieldConversion.whole(-1) as UInt64 == 0)
    #expect(FieldConversion.whole(1e300) as UInt64 == .max)
    #expect(FieldConversion.whole(7.6) as UInt32 == 8)
  }

  @Test func theOneValueIsTheFirstOfAList() {
    #expect(FieldConversion.list("new", in: ["old", "other"]) == ["new", "other"])
    #expect(FieldConversion.list("other", in: ["old", "other"]) == ["other"], "and at no other place")
    #expect(FieldConversion.list(nil, in: ["old", "other"]) == ["other"])
    #expect(FieldConversion.list("new", in: []) == ["new"])
    #expect(FieldConversion.list(nil, in: [String]()).isEmpty)
  }

  @Test(
    arguments: [
      // The set that is written, what was stored, the older value; what is stored then, the older value then.
      (["a", "b"], ["a", "b"], "a", ["a", "b"], "a"),
      (["a", "b", "c"], ["b"], "a", ["b", "c"], "a"),
      (["b"], ["a", "b"], "a", ["b"], nil),
      (["b"], ["b"], "a", ["b"], nil),
      (["b", "c"], ["b"], "a", ["b", "c"], "c"),
      (["a"], [], nil, ["a"], "a"),
      ([], ["a", "b"], "a", [], nil),
    ] as [(SortedSet<String>, SortedSet<String>, String?, SortedSet<String>, String?)])
  func theOneValueIsInTheSet(
    new: SortedSet<String>, stored: SortedSet<String>, older: String?, then: SortedSet<String>, olderThen: String?
  ) {
    let written = FieldConversion.write(new, over: stored, and: older)
    #expect(written.stored == then && written.older == olderThen)
    #expect(FieldConversion.set(written.stored, with: written.older) == new, "it is read again")
  }
}
