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
    #expect(FieldConversion.list(nil, in: ["old", "other"]) == ["other"])
    #expect(FieldConversion.list("new", in: []) == ["new"])
    #expect(FieldConversion.list(nil, in: [String]()).isEmpty)
  }

  @Test func theOneValueIsInTheSet() {
    #expect(FieldConversion.set(["a", "b"], with: "c") == ["a", "b", "c"])
    #expect(FieldConversion.set(["a", "b"], with: nil) == ["a", "b"])
    #expect(FieldConversion.element("b", of: ["a", "b"]) == "b")
    #expect(FieldConversion.element("c", of: ["a", "b"]) == "a")
    #expect(FieldConversion.element("c", of: []) == nil)
  }
}
