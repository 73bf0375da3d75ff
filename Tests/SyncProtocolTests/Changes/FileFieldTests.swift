// The files that fields of an object name: the bytes that are accepted, and those that are refused.

import SyncProtocol
import Testing
import WireFormat

@Suite struct FileFieldTests {
  private static let create: [UInt8] = [0x12, 1, 0x61]
  private static let clear: [UInt8] = [0x1A, 3, 0x12, 1, 1]
  private static let delete: [UInt8] = [0x20, 1]

  private static func hash(_ number: UInt8) -> [UInt8] { [0x12, 32] + [UInt8](repeating: number, count: 32) }

  private static func field(_ bytes: [UInt8]) -> [UInt8] { [0x52, UInt8(bytes.count)] + bytes }

  private static func named(_ number: UInt8) -> ContentHash? {
    ContentHash(bytes: [UInt8](repeating: number, count: 32))
  }

  @Test(
    arguments: [
      ("none", create, []), ("of a create", create + field([0x08, 2] + hash(7)), [2]),
      ("of a patch", clear + field([0x08, 2] + hash(7)), [2]),
      ("two hashes", create + field([0x08, 2] + hash(7) + hash(8)), [2]),
      ("two fields", create + field([0x08, 2] + hash(7)) + field([0x08, 3] + hash(7)), [2, 3]),
      ("a field that names none any more", clear + field([0x08, 2]), [2]),
      ("of a delete", delete + field([0x08, 2] + hash(7)), nil),
      ("of a delete, without hashes", delete + field([0x08, 2]), nil),
      ("no tag", create + field(hash(7)), nil), ("the tag zero", create + field([0x08, 0] + hash(7)), nil),
      ("a negative tag", create + field([0x08] + [UInt8](repeating: 0xFF, count: 9) + [1]), nil),
      ("descending tags", create + field([0x08, 3]) + field([0x08, 2]), nil),
      ("one tag twice", create + field([0x08, 2] + hash(7)) + field([0x08, 2] + hash(8)), nil),
      ("descending hashes", create + field([0x08, 2] + hash(8) + hash(7)), nil),
      ("one hash twice", create + field([0x08, 2] + hash(7) + hash(7)), nil),
      ("an unknown field", create + field([0x08, 2, 0x18, 1]), nil),
    ] as [(String, [UInt8], [Int]?)])
  func readsOnlyCanonicalFileFields(name: String, change: [UInt8], tags: [Int]?) {
    let bytes = [0x0A, UInt8(change.count)] + change
    #expect((try? OperationChanges(bytes: bytes))?.objects.first?.files.map(\.tag) == tags, "\(name)")
    if tags == nil { #expect(code { try OperationChanges(bytes: bytes) } == .invalidPatch, "\(name)") }
  }

  @Test func refusesFileHashThatIsNot32Bytes() {
    let change = Self.create + Self.field([0x08, 2, 0x12, 31] + [UInt8](repeating: 7, count: 31))
    #expect(code { try OperationChanges(bytes: [0x0A, UInt8(change.count)] + change) } == .invalidLength)
  }

  @Test func namedFilesAreTheUnionOverAllObjects() throws {
    let (one, two) = (try #require(Self.named(1)), try #require(Self.named(2)))
    let waited = try #require(Self.named(3))
    let fields = [FileField(tag: 2, of: [two, one, two]), FileField(tag: 5, hashes: [])]
    #expect(fields[0].hashes == [one, two])
    let changes = OperationChanges(
      objects: [
        ObjectChange(.zero, .create(type: "a", .none), files: fields),
        ObjectChange(UUIDValue(high: 1, low: 1), .patch(.none), files: [FileField(tag: 2, hashes: [two])]),
      ], files: [waited])
    #expect(changes.namedFiles == [one, two])
    #expect(changes.files == [waited])
  }
}
