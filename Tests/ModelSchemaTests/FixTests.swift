// What `modelgen fix` does to a text, a table a kind of fix.
import Testing

@testable import ModelSchema

@Suite struct FixTests {
  private static let head = "model: item\nqueue: self\n"

  /// `item.yaml` after its fixes. `before` is its released text; both without the first two lines.
  private static func fixed(_ now: String, since before: String? = nil, answers: [String] = []) throws -> (
    text: String, result: FixingResult
  ) {
    var lock: SchemaLock?
    if let before {
      let files = SchemaFolder.texts(["item.yaml": head + before])
      lock = SchemaLock(of: try #require(SchemaReader.read(files).schema), called: "before")
    }
    let result = SchemaFixer.fix(SchemaFolder.texts(["item.yaml": head + now]), lock: lock, answers: answers)
    let text = try #require(result.files.first { $0.path == "item.yaml" }).bytes
    return (String(String(decoding: text, as: UTF8.self).dropFirst(head.count)), result)
  }

  private func check(
    _ now: String, _ expected: String, since before: String? = nil, answers: [String] = [], leaving: [String] = []
  ) throws {
    let (text, result) = try Self.fixed(now, since: before, answers: answers)
    #expect(text == expected)
    #expect(result.remaining.map(\.rule) == leaving)
    // What is fixed stays fixed.
    let again = try Self.fixed(text, since: before, answers: answers)
    #expect(again.text == text && again.result.fixed.isEmpty)
  }

  @Test(arguments: [
    // A tag that is missing, taken, or reserved.
    ("fields: { a: string = 1, b: string }", "fields: { a: string = 1, b: string = 2 }"),
    ("fields:\n  a: { type: string }  # new\n", "fields:\n  a: { type: string = 1 }  # new\n"),
    (
      "fields: { a: string = 1, b: string = 1, c: string = 1, d: string }",
      "fields: { a: string = 1, b: string = 2, c: string = 3, d: string = 4 }"
    ),
    (
      "fields: { a: { type: string, tag: 4 }, b: int32 = 4 }",
      "fields: { a: { type: string, tag: 4 }, b: int32 = 5 }"
    ),
    (
      "fields: { a: string = 4 }\nreserved: { tags: [4, 6 to 9] }",
      "fields: { a: string = 10 }\nreserved: { tags: [4, 6 to 9] }"
    ),
    ("fields: { a: int32 = 18999, b: int32 = 18999 }", "fields: { a: int32 = 18999, b: int32 = 20000 }"),
    (
      "fields: { k: k = 1 }\nenums: { k: { cases: { a: 1, b: { number: 1, doc: B } }, reserved: { numbers: [2] } } }",
      "fields: { k: k = 1 }\nenums: { k: { cases: { a: 1, b: { number: 3, doc: B } }, reserved: { numbers: [2] } } }"
    ),
    // Misspelt words.
    ("feilds: { a: strin = 1 }", "fields: { a: string = 1 }"),
    ("fields: { a: Bool = 1, b: ref(itm) = 2 }", "fields: { a: bool = 1, b: ref(item) = 2 }"),
    ("fields: { a: item = 1 }", "fields: { a: ref(item) = 1 }"),
    (
      "fields: { a: { type: bool = 1, defualt: yes, description: Why. } }",
      "fields: { a: { type: bool = 1, default: true, doc: Why. } }"
    ),
    (
      "fields: { a: string = 1 }\nlists: { x: { where: 'a = b', order: a desc } }",
      "fields: { a: string = 1 }\nlists: { x: { where: a == b, order: a descending } }"
    ),
    ("fields: { 'a': \"string = 1\" }", "fields: { 'a': string = 1 }"),
    // Commas in braces: the text stays as it is written.
    (
      "fields: { a: { type: bool = 1, doc: The sun,  sea } }",
      "fields: { a: { type: bool = 1, doc: \"The sun,  sea\" } }"
    ),
    (
      "fields: { a: { type: bool = 1, doc: A \"sun\", a sea, too } }",
      "fields: { a: { type: bool = 1, doc: 'A \"sun\", a sea, too' } }"
    ),
    (
      "fields: { a: { type: bool = 1, doc: It's \"sun\", sea } }",
      "fields: { a: { type: bool = 1, doc: \"It's \\\"sun\\\", sea\" } }"
    ),
    (
      "fields: { at: timestamp = 1 }\nlists: { x: { section: gap(at, 6h), order: at } }",
      "fields: { at: timestamp = 1 }\nlists: { x: { section: gap(at 6h), order: at } }"
    ),
    // YAML.
    ("fields:\n  // first\n  a:string = 1\n  b: bool = 2\n", "fields:\n  # first\n  a: string = 1\n  b: bool = 2\n"),
    (
      "fields:\n  a: string = 1\n  b:string = 2\n  c:string\n",
      "fields:\n  a: string = 1\n  b: string = 2\n  c: string = 3\n"
    ),
  ])
  func mends(now: String, expected: String) throws { try check(now, expected) }

  @Test(arguments: [
    // Other languages call a type so; which of ours is meant is not certain.
    ("fields: { a: number = 1 }", ["unknown-type"]),
    // The text, or the parameter?
    (
      "fields: { a: string = 1 }\noperations: { x: { parameters: { t: string }, set: { a: t } } }",
      ["value-syntax"]
    ),
    // A name that was not declared, one with two neighbours, and one that only begins like another.
    ("fields: { at1: timestamp = 1, at2: timestamp = 2 }\nlists: { x: { order: at3 } }", ["unknown-field"]),
    ("fields: { names: string = 1, named: string = 2 }\nlists: { x: { order: name } }", ["unknown-field"]),
    ("fields: { notebook: string = 1 }\nlists: { x: { order: note } }", ["unknown-field"]),
    ("doc: |\n  // a text\n fields: { a: string = 1 }", ["yaml-syntax"]),
    ("fields: { a: [string] = 1 }", ["yaml-syntax"]),
    ("fields: { a: { type: bool = 1, doc: The sun,\n  sea } }", ["comma-in-braces"]),
  ])
  func leavesWhatItWouldGuess(now: String, rules: [String]) throws {
    try check(now, now, leaving: rules)
  }

  /// What `ephemeral:` says, what it becomes, and what is said of the rest.
  @Test(
    arguments: [
      ("5", "5s", ""), ("5 s", "5s", ""), ("5sec", "5s", ""), ("5S", "5s", ""), ("05s", "5s", ""), ("5000ms", "5s", ""),
      ("1 minute", nil, "write `ephemeral: 10s`"), ("1min", "60s", ""), ("60", "60s", ""), ("5.5s", nil, "write"),
      ("1m30s", nil, "write"), ("1500ms", nil, "write"), ("99999999999s", nil, "write"), ("-s", nil, "write"),
      ("true", nil, "write"), ("null", nil, "write"), ("0", nil, "not for `0`"), ("0s", nil, "not for `0s`"),
      ("-5s", nil, "not for `-5s`"), ("61s", nil, "not for `61s`"), ("2h", nil, "not for `2h`"), ("90", nil, "not for"),
      ("1m", "1m", ""), ("60s", "60s", ""),
    ] as [(String, String?, String)])
  func durationsOfEphemeralModels(now: String, fixed: String?, words: String) {
    func files(_ duration: String) -> [SourceFile] {
      SchemaFolder.texts([
        "room.yaml": Self.head.replacing("item", with: "room") + "fields: { title: string = 1 }",
        "typing.yaml": "model: typing\nqueue: room\nephemeral: \(duration)\nfields: { room: ref(room) = 1 }\n",
      ])
    }
    let result = SchemaFixer.fix(files(now), lock: nil, answers: [])
    #expect(result.files == files(fixed ?? now))
    #expect(result.remaining.map(\.rule) == (fixed == nil ? ["ephemeral-model"] : []))
    #expect(result.remaining.allSatisfy { $0.message.contains(words) }, "\(result.remaining)")
  }

  @Test func takesBackWhatGivesAnotherError() throws {
    let text = "fields: { a: strin = 1 }\nnewestBy: a\n"
    let (fixed, result) = try Self.fixed(text)
    #expect(fixed == text && result.fixed.isEmpty)
    #expect(result.remaining.map(\.rule) == ["unknown-type"])
    #expect(
      result.remaining[0].help
        == "`modelgen fix` has tried it and taken it back, because of `newest-by-field`.")
  }

  @Test(arguments: [
    // The later field was released, so the other one gets another tag; one above all that releases had.
    (
      "fields: { a: string = 1, b: string = 2, c: string = 9 }",
      "fields: { a: string = 1, n: int32 = 2, b: string = 2 }\nreserved: { tags: [9] }",
      "fields: { a: string = 1, n: int32 = 10, b: string = 2 }\nreserved: { tags: [9] }"
    ),
    (
      "fields: { a: string = 1, b: string = 2 }",
      "fields: { a: string = 1, n: int32 = 2, c: { type: string = 2, was: b } }",
      "fields: { a: string = 1, n: int32 = 3, c: { type: string = 2, was: b } }"
    ),
    // A tag of a field that is gone is not free, and the field is reserved.
    (
      "fields: { a: string = 1, b: string = 2 }", "fields: { a: string = 1, n: int32 }",
      "fields: { a: string = 1, n: int32 = 3 }\nreserved: { tags: [2], names: [b] }"
    ),
    // A released field that has lost its tag gets it back.
    (
      "fields: { a: string = 7, b: string = 2 }", "fields: { a: string, b: string = 2, c: string }",
      "fields: { a: string = 7, b: string = 2, c: string = 8 }"
    ),
    (
      "fields: { k: k? = 1 }\nenums: { k: { cases: { a: 1, b: 2 } } }",
      "fields: { k: k? = 1 }\nenums: { k: { cases: { a: 1, n: 2, b: 2 } } }",
      "fields: { k: k? = 1 }\nenums: { k: { cases: { a: 1, n: 3, b: 2 } } }"
    ),
  ])
  func givesTagsThatNoReleaseHas(before: String, now: String, expected: String) throws {
    // A text without a line end stays so, and the new line before it too.
    try check(now, expected, since: before)
  }

  /// Found by a schema of 400 models: what shows once the last word is corrected is not its fault.
  @Test func aCorrectedWordIsNoRemoval() throws {
    let (text, result) = try Self.fixed(
      "fields: { a: strng = 1 }", since: "fields: { a: string = 1, b: string = 2, c: string = 3 }")
    #expect(text == "fields: { a: string = 1 }\nreserved: { tags: [2, 3], names: [b, c] }")
    #expect(result.remaining.isEmpty)
  }

  /// The wrong guess of a word would make a released field into another one.
  @Test func takesBackAWordThatWasNeverReleased() throws {
    let (text, result) = try Self.fixed("fields: { a: flot = 1 }", since: "fields: { a: double = 1 }")
    #expect(text == "fields: { a: flot = 1 }" && result.remaining.map(\.rule) == ["unknown-type"])
    #expect(result.remaining[0].help?.contains("`field-type`") == true)
  }

  /// Also where it was corrected long before the schema could be held against its releases.
  @Test func takesBackAWordThatWasNeverReleasedAmongOthers() throws {
    let (text, result) = try Self.fixed(
      "fields: { a: flot = 1,\n b: strng = 2,\n c: strng = 3,\n d: bol = 4 }",
      since: "fields: { a: double = 1, b: string = 2, c: string = 3, d: bool = 4 }")
    #expect(text == "fields: { a: flot = 1,\n b: string = 2,\n c: string = 3,\n d: bool = 4 }")
    #expect(result.fixed.count == 3 && result.remaining.map(\.rule) == ["unknown-type"])
    #expect(result.remaining[0].help?.contains("`field-type`") == true)
  }
}
