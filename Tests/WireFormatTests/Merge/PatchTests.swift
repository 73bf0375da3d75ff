// Patches that are refused, a line each, and patches that are read and keep their bytes.

import Testing
import WireFormat

@Suite struct Patches {
  static let a = PlainField.text(4, "a")
  static let b = PlainField.text(4, "b")
  static let one = PlainField.number(5, 1)

  @Test(arguments: [
    ("set and clear", PlainPatch(set: [a], clear: [4])),
    ("set and insert", PlainPatch(set: [a], insert: [b])),
    ("set and remove", PlainPatch(set: [a], remove: [b])),
    ("set and increment", PlainPatch(set: [one], increment: [5: 1])),
    ("clear and insert", PlainPatch(clear: [4], insert: [a])),
    ("clear and remove", PlainPatch(clear: [4], remove: [a])),
    ("clear and increment", PlainPatch(clear: [5], increment: [5: 1])),
    ("insert and increment", PlainPatch(insert: [one], increment: [5: 1])),
    ("remove and increment", PlainPatch(remove: [one], increment: [5: 1])),
    ("one element in insert and remove", PlainPatch(insert: [a], remove: [a])),
    ("one of many elements in insert and remove", PlainPatch(insert: [a, b], remove: [b])),
    ("an element inserted twice", PlainPatch(insert: [a, a])),
    ("a tag cleared twice", PlainPatch(clear: [4, 4])),
  ])
  func contradictionsAreRefused(name: String, patch: PlainPatch) {
    #expect(code { try Patch(bytes: patch.bytes) } == .invalidPatch, "\(name)")
  }

  @Test(
    arguments: [
      ("unknown part", [0x4A, 1, 0x08], .invalidPatch),
      ("part that is a number", [0x08, 1], .invalidPatch),
      ("empty part", [0x0A, 0], .invalidPatch),
      ("part twice", [0x0A, 2, 0x08, 1, 0x0A, 2, 0x08, 1], .invalidPatch),
      ("parts out of order", [0x12, 1, 4, 0x0A, 2, 0x08, 1], .invalidPatch),
      ("records out of order", [0x0A, 4, 0x10, 1, 0x08, 1], .invalidPatch),
      ("elements out of order", [0x1A, 6, 0x0A, 1, 0x62, 0x0A, 1, 0x61], .invalidPatch),
      ("increment of a text", [0x2A, 3, 0x0A, 1, 0x61], .invalidPatch),
      ("two increments of one counter", [0x2A, 4, 0x08, 2, 0x08, 2], .invalidPatch),
      ("raise of a text", [0x3A, 3, 0x0A, 1, 0x61], .invalidPatch),
      ("two numbers to raise one field to", [0x3A, 4, 0x08, 2, 0x08, 3], .invalidPatch),
      ("raise and lower", [0x3A, 2, 0x08, 2, 0x42, 2, 0x08, 2], .invalidPatch),
      ("long key", [0x0A, 3, 0x88, 0, 1], .invalidPatch),
      ("long number", [0x0A, 3, 0x08, 0x81, 0], .invalidPatch),
      ("long length", [0x0A, 4, 0x0A, 0x81, 0, 0x61], .invalidPatch),
      ("long length of a part", [0x0A, 0x82, 0, 0x08, 1], .invalidPatch),
      ("cleared tags out of order", [0x12, 2, 5, 4], .invalidPatch),
      ("cleared tag with a long number", [0x12, 2, 0x84, 0], .invalidPatch),
      ("cleared tag 0", [0x12, 1, 0], .invalidTag),
      ("cleared tag above the last", [0x12, 5, 0x80, 0x80, 0x80, 0x80, 2], .invalidTag),
      ("cleared tags cut off", [0x12, 1, 0x84], .truncated),
      ("record cut off by its part", [0x0A, 2, 0x0A, 1, 0x12, 1, 4], .truncated),
      ("part cut off", [0x0A, 3, 0x08, 1], .truncated),
    ] as [(String, [UInt8], WireError.Code)])
  func malformedPatchesAreRefused(name: String, bytes: [UInt8], expected: WireError.Code) {
    #expect(code { try Patch(bytes: bytes) } == expected, "\(name)")
  }

  @Test func fillMayStandBesideAnyOtherPart() throws {
    let fill = [Self.a, Self.one]
    for patch in [
      PlainPatch(fill: fill, set: [Self.b]), PlainPatch(fill: fill, clear: [4, 5]),
      PlainPatch(fill: fill, insert: [Self.b], remove: [Self.a]), PlainPatch(fill: fill, increment: [5: 2]),
    ] {
      #expect(try merge([], patch) == plainBytes(patch.merged(into: [])))
      #expect(try Patch(bytes: patch.bytes).bytes == patch.bytes)
    }
  }

  @Test func patchFromPartsEqualsPlainEncoding() throws {
    let patch = try Patch(
      set: plainBytes([.text(1, "x")]), clear: [2], insert: plainBytes([Self.a]), remove: plainBytes([Self.b]),
      increment: plainBytes([Self.one]), fill: plainBytes([.text(1, "y")]))
    let plain = PlainPatch(
      fill: [.text(1, "y")], set: [.text(1, "x")], clear: [2], insert: [Self.a], remove: [Self.b], increment: [5: 1])
    #expect(patch.bytes == plain.bytes)
    #expect(patch.tags == [1, 2, 4, 5])
    #expect(code { try Patch(clear: [0]) } == .invalidTag)
    #expect(code { try Patch(clear: [.max]) } == .invalidTag)
  }

  @Test func emptyPatchOnlyMakesContentCanonical() throws {
    #expect(Patch.none.isEmpty)
    #expect(try Patch.none.merged(into: [0x10, 1, 0x88, 0, 2]) == [0x08, 2, 0x10, 1])
  }

  @Test func sizesAreLimited() throws {
    let largest = [UInt8](repeating: 0, count: WireLimits.maximumBytes - 5)
    let content = plainBytes([PlainField(tag: 1, wireType: 2, raw: largest)])
    #expect(content.count == WireLimits.maximumBytes)
    #expect(try Patch.none.merged(into: content) == content)
    #expect(code { try Patch.none.merged(into: content + [0]) } == .tooLarge)
    #expect(code { try Patch(bytes: content + [0]) } == .tooLarge)
    #expect(code { try merge(content, PlainPatch(set: [Self.a])) } == .tooLarge)
  }
}

/// The code of the `WireError` that `body` throws; nil if it throws none.
func code(_ body: () throws -> some Any) -> WireError.Code? {
  do {
    _ = try body()
    return nil
  } catch {
    return (error as? WireError)?.code
  }
}
