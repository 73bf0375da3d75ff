// The protobuf definitions of a schema, which protoc must accept.
import Foundation
import ModelEmitters
import ModelSchema
import TestSupport
import Testing

@Suite struct ProtoTests {
  @Test func fieldsAreInTheOrderOfTagsWithTheirOptions() {
    let fields: [FieldDeclaration] = [
      .of("takenAt", .timestamp, tag: 3), .of("likedBy", .userReference, .set, tag: 2),
      .of("numbers", .int64, .set, tag: 5), .of("counts", .int64, .list, tag: 6),
      .of("old", .string, .optional, tag: 1, doc: "Was.", deprecated: ""),
      .of("likes", .counter, tag: 7), .of("file", .file, tag: 8),
    ]
    let model = ModelDeclaration.of(
      "photo", fields, doc: "A picture.", reserved: ReservedFields(tags: [10...10, 20...29], names: ["oldCaption"]))
    #expect(
      Schema.of(model).proto().contains(
        """
        // A picture.
        message Photo {
          reserved 10, 20 to 29;
          reserved "old_caption";
          // Was.
          optional string old = 1 [deprecated = true];
          repeated bytes liked_by = 2;
          optional int64 taken_at = 3;
          repeated int64 numbers = 5 [packed = false];
          repeated int64 counts = 6;
          optional sint64 likes = 7;
          optional .moments.modelgen.File file = 8;
        }
        """), "\(Schema.of(model).proto())")
  }

  @Test func saysHowIDsAreMade() {
    #expect(Schema.of(.of("photo")).proto().contains("SHA-256(\"modelgen.bound.1\", a zero byte, the queue's id"))
  }

  @Test func enumValuesCarryTheNameOfTheirEnum() {
    let first = EnumDeclaration.of(
      "mood", [EnumCase(name: "veryGood", number: 1)], reserved: .init(tags: [5...6], names: ["notBad"]))
    let second = EnumDeclaration.of("state", [EnumCase(name: "veryGood", number: -2, doc: "Low.")])
    let model = ModelDeclaration.of("photo", [.of("mood", .enumeration(TypeName(model: "photo", name: "mood")), .set)])
    let text = Schema.of(model, enums: [first, second]).proto()
    SwiftConstructTests.check(
      text,
      has: [
        "  repeated .moments.Photo.Mood mood = 1 [packed = false];\n",
        "  enum Mood {\n    reserved 5 to 6;\n    reserved \"MOOD__NOT_BAD\";\n    MOOD__ABSENT_0 = 0;\n    MOOD__VERY_GOOD = 1;\n  }\n",
        "    STATE__ABSENT_0 = 0;\n    // Low.\n    STATE__VERY_GOOD = -2;\n",
      ])
  }

  @Test func protocAcceptsReservedTagsAndNames() throws {
    let reserved = ReservedFields(
      tags: [1...1, 3...9, 19_000...19_999, 536_870_911...536_870_911], names: ["old", "oLD2"])
    let cases = ["absent", "absent1", "aBSENT", "zero0", "oLD"].enumerated().map {
      EnumCase(name: $1, number: Int32($0) + 10)
    }
    let mood = EnumDeclaration.of(
      "mood", cases,
      reserved: .init(
        tags: [Int(Int32.min)...(-1), 1...9, Int(Int32.max)...Int(Int32.max)], names: ["old", "absent2"]))
    let place = StructDeclaration.of("place", [.of("x", .double, tag: 2)], reserved: reserved)
    let model = ModelDeclaration.of("photo", [.of("x", .double, tag: 2)], reserved: reserved)
    try Self.accept(Schema.of(model, structs: [place], enums: [mood]).proto(), "reserved tags, numbers and names")
  }

  @Test(arguments: [1, 2, 7, 64]) func protocTakesNamesOfEveryLength(length: Int) throws {
    try Self.accept(NamesOfEveryLength.schema(length: length).proto(), "length \(length)")
  }

  /// protobuf derives the JSON name from the name of the field. If that is not the name in the schema, an option sets
  /// it.
  @Test func theJSONNameIsTheNameInTheSchema() {
    let seed: UInt64 = 7
    var random = SeededRandom(seed: seed)
    let letters = Array("abcXYZ019")
    for _ in 0..<1000 {
      let count = Int.random(in: 0...8, using: &random)
      let name = "n" + String((0..<count).compactMap { _ in letters.randomElement(using: &random) })
      let text = Schema.of(.of("photo", [.of(name, .bool)])).proto()
      let field = text.split(separator: "\n").first { $0.hasPrefix("  optional bool ") }?.split(separator: " ")[2] ?? ""
      var derived = ""
      var raise = false
      for character in field {
        if character == "_" {
          raise = true
        } else {
          derived += raise ? character.uppercased() : String(character)
          raise = false
        }
      }
      #expect(derived == name || text.contains("json_name = \"\(name)\""), "seed \(seed): \(name) became \(field)")
    }
  }

  static func accept(_ text: String, _ what: String) throws {
    guard let protoc = try Program.find("protoc") else { return }
    let folder = try TemporaryFolder()
    try folder.write("moments.proto", text)
    let outcome = try protoc.run(["--descriptor_set_out=moments.bin", "moments.proto"], in: folder.url)
    #expect(outcome.status == 0, "\(what): \(outcome.text.prefix(600))")
  }
}
