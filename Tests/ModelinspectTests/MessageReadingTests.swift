// Reads bytes by stored field tables: every type at every position, and damaged bytes.
import Foundation
import ModelSupport
import MomentsModels
import TestSupport
import Testing
import TypeMatrix

@testable import ClientStore
@testable import modelinspect

@Suite struct MessageReadingTests {
  /// Takes a table through the text that the store keeps, as the command gets it.
  private static func stored(_ table: FieldTable) throws -> [StoredField] {
    try JSONDecoder().decode([StoredField].self, from: JSONEncoder().encode(StoredField.all(of: table)))
  }

  /// The parts of a report that have no name, or that fit no type.
  private func problems(_ value: ReportValue) -> [String] {
    switch value {
    case .object(let members): members.flatMap { ($0.name.hasPrefix("#") ? [$0.name] : []) + problems($0.value) }
    case .list(let values): values.flatMap(problems)
    case .worded(let words, .object): [words]
    default: []
    }
  }

  private func check<Object: Model>(_: Object.Type, _ make: (UInt64) -> Object) throws {
    let fields = try Self.stored(Object.fieldTable)
    for seed in 0..<UInt64(50) {
      let object = make(seed)
      let reading = MessageReading(try object.encoded(), as: fields)
      #expect(reading.problems == [])
      #expect(problems(reading.entries.object) == [], "\(Object.modelName), seed \(seed)")
      let names = Set(fields.map(\.name))
      #expect(reading.entries.allSatisfy { names.contains($0.name) })
    }
  }

  @Test func everyTypeAtEveryPosition() throws {
    try check(EverySingle.self, EverySingle.fixture)
    try check(EveryOptional.self, EveryOptional.fixture)
    try check(EveryList.self, EveryList.fixture)
    try check(EverySet.self, EverySet.fixture)
    try check(InStruct.self, InStruct.fixture)
    try check(Defaults.self, Defaults.fixture)
    try check(Photo.self, Photo.fixture)
  }

  @Test func readsValuesThatWereWritten() throws {
    var photo = Photo.fixture(seed: 1)
    photo.caption = "Summit"
    photo.place = .init(latitude: 46.5, longitude: -8, name: nil)
    photo.tags = ["a", "b"]
    let reading = MessageReading(try photo.encoded(), as: try Self.stored(Photo.fieldTable))
    let values = Dictionary(uniqueKeysWithValues: reading.entries.map { ($0.name, $0.value) })
    #expect(values["moment"] == .string("\(photo.moment)"))
    #expect(values["takenAt"] == .string("\(photo.takenAt)"))
    #expect(values["caption"] == .quoted("Summit"))
    #expect(values["tags"] == .list([.quoted("a"), .quoted("b")]))
    #expect(values["place"] == ["latitude": .number("46.5"), "longitude": .number("-8.0")])
    #expect(values["file"] != nil)
  }

  @Test func storedTypesAreWordsOfTheSchema() throws {
    let words = Dictionary(
      uniqueKeysWithValues: try Self.stored(Photo.fieldTable).map { ($0.name, $0.type) })
    #expect(
      words == [
        "moment": "id", "owner": "id", "file": "file", "takenAt": "timestamp", "caption": "string?", "hidden": "bool",
        "tags": "set(string)", "place": "place?", "likedBy": "set(id)",
      ])
    let kind = try Self.stored(MomentNotification.fieldTable)[0]
    #expect(kind.type == "enum")
    #expect(kind.cases?.map(\.name) == ["photosShared", "photoLiked", "joined"])
    let trees = try #require(try Self.stored(InStruct.fieldTable).first { $0.name == "trees" })
    #expect(trees.type == "list(tree)")
    #expect(trees.fields?.map(\.type) == ["string", "list(tree)"])
    #expect(trees.fields?[1].fields == nil, "recursion is cut")
  }

  /// Reading damaged bytes never traps. It reports problems exactly if the library refuses the bytes.
  @Test func reportsProblemsIfLibraryRefusesBytes() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededRandom(seed: seed)
    let fields = try Self.stored(InStruct.fieldTable)
    var refused = 0
    for round in 0..<500 {
      var bytes = try InStruct.fixture(seed: random.next()).encoded()
      for _ in 0...random.below(4) {
        let position = Int(random.below(UInt64(bytes.count)))
        if random.chance(20) { bytes.removeSubrange(position...) } else { bytes[position] ^= 1 << random.below(8) }
        if bytes.isEmpty { bytes = [8] }
      }
      let reading = MessageReading(bytes, as: fields)
      _ = (reading.entries.object.json(), reading.entries.object.text)
      if (try? InStruct(id: .zero, blob: bytes)) == nil {
        refused += 1
        #expect(!reading.problems.isEmpty, "seed \(seed), round \(round): \(bytes)")
      } else {
        #expect(reading.problems.isEmpty, "seed \(seed), round \(round): \(reading.problems)")
      }
    }
    #expect(refused > 0 && refused < 500, "seed \(seed): \(refused)")
  }

  @Test func reportsTooDeepNesting() throws {
    var bytes: [UInt8] = []
    for _ in 0..<300 {
      var writer = RecordWriter()
      writer.length(2, bytes)
      bytes = writer.bytes
    }
    var writer = RecordWriter()
    writer.length(5, bytes)
    let reading = MessageReading(writer.bytes, as: try Self.stored(InStruct.fieldTable))
    #expect(reading.problems.count == 1)
    #expect((try? InStruct(id: .zero, blob: writer.bytes)) == nil)
  }

  @Test func hostileTextStaysInItsLine() {
    #expect(shown("a\u{1B}[31mb\nc\u{202E}") == "a\\u{1b}[31mb\\nc\\u{202e}")
    #expect(ReportValue.string("\u{0}\u{1B}\"\\\u{2028}é").json() == "\"\\u0000\\u001b\\\"\\\\\\u2028é\"")
  }
}
