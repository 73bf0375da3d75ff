// What was removed since a release is reserved in the layout of the file, and a rename is written down on request.
import Testing

@testable import ModelSchema

@Suite struct ReservingTests {
  private static func fix(
    _ now: [String: String], since before: [String: String], answers: [String] = []
  ) throws -> (texts: [String: String], result: FixingResult) {
    let schema = try #require(SchemaReader.read(SchemaFolder.texts(before)).schema)
    let result = SchemaFixer.fix(
      SchemaFolder.texts(now), lock: SchemaLock(of: schema, called: "before"), answers: answers)
    let texts = result.files.map { ($0.path, String(decoding: $0.bytes, as: UTF8.self)) }
    return (Dictionary(uniqueKeysWithValues: texts), result)
  }

  private static let head = "model: item\nqueue: self\n"
  private static let released = """
    fields: { a: string = 1, b: string = 2, c: string = 3, p: place? = 4, k: kind? = 5 }
    structs: { place: { fields: { x: double = 1, y: double = 2 } } }
    enums: { kind: { cases: { good: 1, bad: 2 } } }
    """
  private static let types = """
    structs: { place: { fields: { x: double = 1, y: double = 2 } } }
    enums: { kind: { cases: { good: 1, bad: 2 } } }
    """

  @Test(arguments: [
    // A new line behind the fields, above what follows.
    (
      "fields:\n  a: string = 1\n  p: place? = 4\n  k: kind? = 5   # five\n\n# Types.\n\(types)\n",
      "fields:\n  a: string = 1\n  p: place? = 4\n  k: kind? = 5   # five\nreserved: { tags: [2, 3], names: [b, c] }\n\n# Types.\n\(types)\n"
    ),
    // Behind comments that belong to the fields, and behind a text in lines.
    (
      "fields:\n  a: string = 1\n  p: place? = 4\n  k: kind? = 5\n  # The rest is gone.\n# Types.\n\(types)\n",
      "fields:\n  a: string = 1\n  p: place? = 4\n  k: kind? = 5\n  # The rest is gone.\nreserved: { tags: [2, 3], names: [b, c] }\n# Types.\n\(types)\n"
    ),
    (
      "\(types)\nfields:\n  a: string = 1\n  p: place? = 4\n  k:\n    type: kind? = 5\n    doc: |\n      One.\n\n      Two.\n",
      "\(types)\nfields:\n  a: string = 1\n  p: place? = 4\n  k:\n    type: kind? = 5\n    doc: |\n      One.\n\n      Two.\nreserved: { tags: [2, 3], names: [b, c] }\n"
    ),
    // Without a line end at the end.
    (
      "\(types)\nfields: { a: string = 1, p: place? = 4, k: kind? = 5 }",
      "\(types)\nfields: { a: string = 1, p: place? = 4, k: kind? = 5 }\nreserved: { tags: [2, 3], names: [b, c] }"
    ),
    // Into what is reserved, in braces and in lines.
    (
      "reserved: { names: [ old ] }\n\(types)\nfields: { a: string = 1, p: place? = 4, k: kind? = 5 }\n",
      "reserved: { names: [ old, b, c ], tags: [2, 3] }\n\(types)\nfields: { a: string = 1, p: place? = 4, k: kind? = 5 }\n"
    ),
    (
      "reserved:\n  tags:\n  - 9  # nine\n  # The end.\n\(types)\nfields: { a: string = 1, p: place? = 4, k: kind? = 5 }\n",
      "reserved:\n  tags:\n  - 9  # nine\n  - 2\n  - 3\n  names: [b, c]\n  # The end.\n\(types)\nfields: { a: string = 1, p: place? = 4, k: kind? = 5 }\n"
    ),
    (
      "reserved:\n  names:\n    - b\n  tags: [\n    9,  # nine\n  ]\n\(types)\nfields: { a: string = 1, p: place? = 4, k: kind? = 5 }\n",
      "reserved:\n  names:\n    - b\n    - c\n  tags: [\n    9, 2, 3,  # nine\n  ]\n\(types)\nfields: { a: string = 1, p: place? = 4, k: kind? = 5 }\n"
    ),
    // In structs and enums, in braces and in lines.
    (
      "fields: { a: string = 1, b: string = 2, c: string = 3, p: place? = 4, k: kind? = 5 }\nstructs:\n  place: { fields: { x: double = 1 } }\nenums:\n  kind:\n    cases:\n      bad: 2\n    doc: A kind.\n",
      "fields: { a: string = 1, b: string = 2, c: string = 3, p: place? = 4, k: kind? = 5 }\nstructs:\n  place: { fields: { x: double = 1 }, reserved: { tags: [2], names: [y] } }\nenums:\n  kind:\n    cases:\n      bad: 2\n    reserved: { numbers: [1], names: [good] }\n    doc: A kind.\n"
    ),
  ])
  func reservesInTheLayoutOfTheFile(now: String, expected: String) throws {
    for isWindows in [false, true] {
      func lines(_ text: String) -> String { isWindows ? text.replacing("\n", with: "\r\n") : text }
      let (texts, result) = try Self.fix(
        ["item.yaml": lines(Self.head + now)], since: ["item.yaml": Self.head + Self.released])
      #expect(texts["item.yaml"] == lines(Self.head + expected))
      #expect(result.remaining.isEmpty)
    }
  }

  @Test(arguments: [
    // In place and in lines; the old name is the answer's, the tag the same.
    (
      "fields:\n  a: string = 1\n  z: string = 2  # two\n",
      "fields:\n  a: string = 1\n  z: { type: string = 2, was: b }  # two\n"
    ),
    (
      "fields: { a: string = 1, z: { type: string, tag: 2 } }",
      "fields: { a: string = 1, z: { type: string, was: b, tag: 2 } }"
    ),
    (
      "fields:\n  a: string = 1\n  z:\n    type: string = 2\n    doc: Two.\n",
      "fields:\n  a: string = 1\n  z:\n    type: string = 2\n    was: b\n    doc: Two.\n"
    ),
  ])
  func writesARenameDownOnRequest(now: String, expected: String) throws {
    let before = ["item.yaml": Self.head + "fields: { a: string = 1, b: string = 2 }"]
    let (same, asking) = try Self.fix(["item.yaml": Self.head + now], since: before)
    #expect(same["item.yaml"] == Self.head + now)
    #expect(asking.remaining.map(\.rule) == ["field-replaced"])
    #expect(asking.remaining[0].help?.contains("`modelgen fix --rename item.b=z`") == true)
    let (texts, result) = try Self.fix(
      ["item.yaml": Self.head + now], since: before, answers: ["item.b=z", "item.a=z"])
    #expect(texts["item.yaml"] == Self.head + expected)
    #expect(result.remaining.isEmpty && result.unusedAnswers == ["item.a=z"])
  }

  @Test func writesARenamedCaseOfAStructsNeighbourDown() throws {
    let fields = "fields: { p: place? = 4, k: kind? = 5 }\n"
    let (texts, result) = try Self.fix(
      ["item.yaml": Self.head + fields + Self.types.replacing("bad: 2", with: "ill: 2").replacing("y:", with: "v:")],
      since: ["item.yaml": Self.head + fields + Self.types], answers: ["item.kind.bad=ill", "item.place.y=v"])
    #expect(result.remaining.isEmpty)
    let expected = Self.types.replacing("bad: 2", with: "ill: { number: 2, was: bad }")
      .replacing("y: double = 2", with: "v: { type: double = 2, was: y }")
    #expect(texts["item.yaml"] == Self.head + fields + expected)
  }

  /// Another type would read what the old field wrote.
  @Test func takesBackARenameToAnotherType() throws {
    let (_, result) = try Self.fix(
      ["item.yaml": Self.head + "fields: { z: int32 = 1 }"],
      since: ["item.yaml": Self.head + "fields: { a: string = 1 }"], answers: ["item.a=z"])
    #expect(result.fixed.isEmpty && result.unusedAnswers.isEmpty)
    #expect(result.remaining[0].help?.hasSuffix("taken it back, because of `field-type`.") == true)
  }

  private static let other = "model: other\nqueue: self\nfields: { a: string = 1 }\n"

  @Test(arguments: [
    ("schema: Test\n", "schema: Test\nreserved: { models: [other] }\n"),
    ("schema: Test", "schema: Test\nreserved: { models: [other] }"),
    ("{ schema: Test }\n", "{ schema: Test, reserved: { models: [other] } }\n"),
    (
      "reserved:\n  models: [gone]  # long ago\nschema: Test\n",
      "reserved:\n  models: [gone, other]  # long ago\nschema: Test\n"
    ),
  ])
  func reservesAModel(now: String, expected: String) throws {
    let item = ["item.yaml": Self.head + Self.released]
    let (texts, result) = try Self.fix(
      item.merging(["modelgen.yaml": now]) { $1 }, since: item.merging(["other.yaml": Self.other]) { $1 })
    #expect(texts["modelgen.yaml"] == expected && result.remaining.isEmpty)
  }

  /// Beside a new model, the one that is gone may have been renamed.
  @Test func asksWhetherAModelWasRenamed() throws {
    let now = ["thing.yaml": Self.other.replacing("other", with: "thing")]
    let (same, asking) = try Self.fix(now, since: ["other.yaml": Self.other])
    #expect(same["modelgen.yaml"] == "schema: Test\n" && asking.remaining.map(\.rule) == ["model-removed"])
    #expect(asking.remaining[0].help?.contains("`modelgen fix --rename other=thing`") == true)
    let (texts, result) = try Self.fix(now, since: ["other.yaml": Self.other], answers: ["other=thing"])
    #expect(texts["thing.yaml"] == "model: thing\nwas: other\nqueue: self\nfields: { a: string = 1 }\n")
    #expect(result.remaining.isEmpty)
  }

  /// A field that has moved to another tag is not gone.
  @Test func reservesNothingThatIsThere() throws {
    let (texts, result) = try Self.fix(
      ["item.yaml": Self.head + "fields: { a: string = 2 }"],
      since: ["item.yaml": Self.head + "fields: { a: string = 1 }"])
    #expect(texts["item.yaml"] == Self.head + "fields: { a: string = 2 }")
    #expect(result.remaining.map(\.rule) == ["field-removed", "field-moved"])
  }
}
