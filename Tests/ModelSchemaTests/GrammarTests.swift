// Corners of the grammar that this repository's schemas do not use: their meaning, and the errors for mistakes.

import ModelSchema
import Testing

@Suite struct GrammarTests {
  private static let others = [
    "album.yaml": "model: album\nqueue: self\nfields: { title: string = 1 }\n",
    "member.yaml": """
    model: member
    queue: album
    identity: [user]
    fields: { album: ref(album) = 1, user: ref(user) = 2, name: string = 3, avatar: file? = 4 }
    """,
  ]

  /// A model with `lines` after its fields.
  private static func read(_ lines: String) -> ReadingResult {
    let item = """
      model: item
      queue: album
      fields:
        album: ref(album) = 1
        author: ref(user) = 2
        at: timestamp = 3
        likedBy: set(ref(user)) = 4
        mood: mood? = 5
        score: int32 = 6

      """
    let moods = lines.contains("enums:") ? "" : "enums: { mood: { cases: { calm: 1 } } }\n"
    return SchemaReader.read(SchemaFolder.texts(others.merging(["item.yaml": item + moods + lines]) { $1 }))
  }

  @Test func readingOfAFileEndsAtItsFirstSyntaxError() {
    let files = [
      "item.yaml": """
      model: item
      queue: self
      fields:
        title:string = 1
        text:string = 2
        other: strin = 3
      lists: { newest: { per: moment, order: title } }
      """,
      "note.yaml": """
      model: note
      queue: item
      identity: [item]
      fields: { item: ref(item) = 1, size: strin = 2 }
      operations: { add: { parameters: { item: ref(item) }, create: { item: { title: T } } } }
      views: { row: { title: item.title } }
      """,
      "person.yaml": """
      model: person
      queue: device
      fields: { name: string = 1, role: role = 2 }
      views: { row: { items: count(item.newest), who: item($me).title } }
      """,
    ]
    let found = SchemaReader.read(SchemaFolder.texts(files)).diagnostics
    #expect(found.map(\.rule) == ["yaml-syntax", "unknown-type", "unused-parameter"])
    #expect(found.map(\.location.file) == ["item.yaml", "note.yaml", "note.yaml"])
  }

  private static func item(_ lines: String) throws -> ModelDeclaration {
    let result = read(lines)
    #expect(result.diagnostics.filter { $0.severity != .notice } == [])
    return try #require(result.schema?.model(named: "item"))
  }

  static let viewGrammar =
    "A view field is a path like `moment.title`, `count(FIELD)`, `model(FIELD).path`, `model($me).path`, or asks about a "
    + "list: `count(model.LIST)`, `count(model.LIST where FIELD > PATH)`, `counts(model.LIST by FIELD)`, "
    + "`sum(model.LIST FIELD)` or `newest(model.LIST).path`."

  @Test func viewsFollowRefsCountAndLookUp() throws {
    let item = try Self.item(
      "views: { row: { title: album.title, likes: count(likedBy), who: member(author).name, mood: mood, "
        + "me: member($me).name } }\n")
    #expect(
      item.views == [
        ViewDeclaration(
          name: "row", doc: nil,
          fields: [
            ViewField(
              name: "title", source: .path(FieldPath(["album", "title"])), type: FieldType(.string, .optional)),
            ViewField(name: "likes", source: .count(FieldPath(["likedBy"])), type: FieldType(.int64)),
            ViewField(
              name: "who", source: .lookup(model: "member", key: FieldPath(["author"]), path: ["name"]),
              type: FieldType(.string, .optional)),
            ViewField(
              name: "mood", source: .path(FieldPath(["mood"])),
              type: FieldType(.enumeration(TypeName(model: "item", name: "mood")), .optional)),
            ViewField(
              name: "me", source: .lookup(model: "member", key: nil, path: ["name"]),
              type: FieldType(.string, .optional)),
          ])
      ])
  }

  @Test(
    arguments: [
      ("day(at)", .day(FieldPath(["at"]))), ("week(at)", .week(FieldPath(["at"]))),
      ("month(at)", .month(FieldPath(["at"]))), ("year(at)", .year(FieldPath(["at"]))),
      ("value(score)", .value(FieldPath(["score"]))),
      ("gap(at 90s)", .gap(FieldPath(["at"]), milliseconds: 90_000)),
      ("gap(at 30m)", .gap(FieldPath(["at"]), milliseconds: 1_800_000)),
      ("gap(at 6h)", .gap(FieldPath(["at"]), milliseconds: 21_600_000)),
      ("gap(at 10000d)", .gap(FieldPath(["at"]), milliseconds: 864_000_000_000)),
    ] as [(String, SectionRule)])
  func sections(text: String, expected: SectionRule) throws {
    let order = text.contains("score") ? "score" : "at"
    #expect(try Self.item("lists: { all: { order: \(order), section: \(text) } }\n").lists.first?.section == expected)
  }

  @Test func readsSectionByInitialOfText() throws {
    let texts = "model: item\nqueue: self\nfields: { name: string? = 1 }\n"
    let lists = "lists: { all: { section: initial(name), order: name descending } }\n"
    let result = SchemaReader.read(SchemaFolder.texts(["item.yaml": texts + lists]))
    #expect(result.schema?.model(named: "item")?.lists.first?.section == .initial(FieldPath(["name"])))
  }

  @Test(arguments: ["0s", "10001d", "5w", "s", "-1h", "9223372036854775807d", "99999999999999999999s", "6", "6 h", ""])
  func refusesInvalidGaps(gap: String) {
    let result = Self.read("lists: { all: { order: at, section: gap(at \(gap)) } }\n")
    #expect(result.diagnostics.map(\.rule) == ["section-syntax"])
  }

  @Test(
    arguments: [
      ("score <= -5", .compare(FieldPath(["score"]), .lessOrEqual, .literal(.integer(-5)))),
      ("mood != calm", .compare(FieldPath(["mood"]), .notEqual, .literal(.enumCase("calm")))),
      ("likedBy contains $me", .compare(FieldPath(["likedBy"]), .contains, .me)),
      ("mood is null", .isNull(FieldPath(["mood"]))), ("mood is not null", .isNotNull(FieldPath(["mood"]))),
    ] as [(String, Condition)])
  func conditions(text: String, expected: Condition) throws {
    #expect(try Self.item("lists: { all: { order: at, where: \(text) } }\n").lists.first?.conditions == [expected])
  }

  @Test(arguments: ["[score > 1, any: [mood is null, score == 7]]", "[score > 1, { any: [mood is null, score == 7] }]"])
  func readsAlternativesOfConditions(terms: String) throws {
    let list = try #require(try Self.item("lists: { all: { order: at, where: \(terms) } }\n").lists.first)
    let score = FieldPath(["score"])
    #expect(
      list.conditions == [
        .compare(score, .greater, .literal(.integer(1))),
        .any([.isNull(FieldPath(["mood"])), .compare(score, .equal, .literal(.integer(7)))]),
      ])
  }

  @Test func readsLimitsAndKeptSections() throws {
    let text = "section: value(mood), order: mood, keepEmpty: true, limit: 100000"
    let list = try #require(try Self.item("lists: { all: { \(text) } }\n").lists.first)
    #expect(list.keepsEmptySections && list.limit == 100_000)
    let other = try #require(try Self.item("lists: { all: { order: at, keepEmpty: false } }\n").lists.first)
    #expect(!other.keepsEmptySections && other.limit == nil)
  }

  @Test func readsCasesInLongForm() throws {
    let result = Self.read(
      """
      enums:
        mood:
          cases: { calm: { number: 1, doc: No wind., was: still }, wild: -7 }
          reserved: { numbers: [2], names: [stormy] }

      """)
    let mood = try #require(result.schema?.files.first { $0.stem == "item" }?.enums.first)
    #expect(
      mood.cases == [
        EnumCase(name: "calm", number: 1, doc: "No wind.", was: "still"), EnumCase(name: "wild", number: -7),
      ])
    #expect(mood.reserved == ReservedFields(tags: [2...2], names: ["stormy"]))
  }

  /// Each mistake stands after the same fields. Its first line is 11, or 10 if it has enums of its own.
  @Test(arguments: mistakes) func mistakesAreNamed(lines: String, expected: String) {
    let shown = Self.read(lines).diagnostics.map {
      "\($0.location.start.line):\($0.location.start.column): \($0.message) [\($0.rule)]"
    }
    #expect(shown == [expected])
  }

  private static let mistakes: [(String, String)] = [
    ("views: { row: {} }", "11:15: A view has at least one entry. [empty-declaration]"),
    (
      "views: { row: { title: album. } }",
      "11:24: \(viewGrammar) [view-path]"
    ),
    (
      "views: { row: { title: album title } }",
      "11:24: \(viewGrammar) [view-path]"
    ),
    (
      "views: { row: { likes: count(likedBy).x } }",
      "11:38: \(viewGrammar) [view-path]"
    ),
    (
      "views: { row: { who: member(author) name } }",
      "11:22: \(viewGrammar) [view-path]"
    ),
    ("views: { row: { who: membre(author).name } }", "11:22: There is no model `membre`. [unknown-model]"),
    (
      "views: { row: { who: member(score).name } }",
      "11:29: `member` is found by a value of the type `ref(user)`, not `int32`. [view-path]"
    ),
    (
      "views: { row: { who: member(likedBy).name } }",
      "11:29: `member` is found by a value of the type `ref(user)`, not `set(ref(user))`. [view-path]"
    ),
    ("views: { row: { who: member(author).age } }", "11:37: `ref(member)` has no field `age`. [unknown-field]"),
    (
      "views: { row: { who: album(author).title } }",
      "11:22: `album` cannot be found by a value here: its identity is not one field. [lookup-identity]"
    ),
    ("views: { row: { size: score.size } }", "11:29: A value of the type `int32` has no fields. [unknown-field]"),
    (
      "lists: { all: { order: album.title } }",
      "11:30: A path here stays inside the object. What is behind a ref goes into a view: a list can read its fields. "
        + "[unknown-field]"
    ),
    (
      "lists: { all: { order: at, where: score == $me } }",
      "11:44: A value of the type `int32` is needed here, not `ref(user)`. [condition-type]"
    ),
    (
      "lists: { all: { order: at, where: score == high } }",
      "11:44: `high` is not a value of the type `int32`. [condition-type]"
    ),
    (
      "lists: { all: { order: at, where: score == 3000000000 } }",
      "11:44: 3000000000 is out of the bounds of `int32`. [condition-type]"
    ),
    (
      "lists: { all: { order: at, where: mood == windy } }",
      "11:43: `windy` is not a value of the type `mood`. [condition-type]"
    ),
    ("operations: { act: { follow: $self.score } }", "11:30: Users follow queues, not `int32`. [value-type]"),
    (
      "operations: { act: { set: { likedBy: x } } }",
      "11:38: A whole list or set comes from a parameter or field, not from a literal. [value-type]"
    ),
    ("operations: { act: { set: { score: true } } }", "11:36: `true` is not a value of the type `int32`. [value-type]"),
    (
      "operations: { act: { set: { author: member($self.score).user } } }",
      "11:44: `member` is found by a value of the type `ref(user)`, not `int32`. [value-type]"
    ),
    (
      "operations: { act: { set: { author: membre($me).user } } }", "11:37: There is no model `membre`. [unknown-model]"
    ),
    (
      "structs: { part: { fields: { sum: counter = 1 } } }",
      "11:35: A counter is a field of a model: structs are replaced whole. [counter-position]"
    ),
    (
      "structs: { part: { fields: { at: { type: timestamp, tag: 1, default: 5 } } } }",
      "11:70: A value of the type `timestamp` cannot be written as a literal. [default-type]"
    ),
    ("identity: [at, at]", "11:16: The field is repeated here. [identity-field]"),
    ("enums: { mood: { cases: {} } }", "10:25: `cases:` has at least one entry. [empty-declaration]"),
    ("enums: { mood: { cases: { calm: { doc: No number. } } } }", "10:27: The case has no `number:`. [missing-key]"),
    (
      "enums: { mood: { cases: { calm: 2 }, reserved: { numbers: [2] } } }",
      "10:33: The number 2 is reserved: it meant another case before; 3 is free. [tag-reused]"
    ),
    (
      "enums: { mood: { cases: { stormy: 2 }, reserved: { names: [stormy] } } }",
      "10:27: The name `stormy` is reserved: a case of this name existed before. [name-reused]"
    ),
  ]
}
