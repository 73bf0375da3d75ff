// A file with releases and a schema of today for each rule of changes, and what is found. `RECORD_GOLDEN=1` records it.

import EvolutionFixtures
import TestSupport
import Testing

@testable import ModelSchema

@Suite struct ChangeFixtureTests {
  static let folder = "Tests/EvolutionFixtures/Changes"
  static let rules = (try? ChangeFixture.rules(in: Repository.url(folder))) ?? []

  @Test(arguments: rules) func fixtureGivesItsRuleAlone(rule: String) throws {
    let path = "\(Self.folder)/\(rule).txt"
    let fixture = try ChangeFixture(Repository.url(path))
    let changes = try Self.changes(fixture)
    let text = DiagnosticRenderer(sources: fixture.files["now"] ?? [], colour: false).text(changes.map(\.diagnostic))
    let recorded = fixture.input + text
    #expect(try Golden.text(path, recording: recorded) == recorded)
    #expect(Set(changes.map(\.rule.id)) == [rule], "A fixture has its own change and no other.")
  }

  static func lock(_ fixture: ChangeFixture) throws -> SchemaLock {
    var lock = SchemaLock(schema: try fixture.schema(fixture.releases[0]).0.name)
    for release in fixture.releases {
      lock.release(try #require(ReleaseVersion(release)), SchemaFacts(try fixture.schema(release).0))
    }
    return lock
  }

  private static func changes(_ fixture: ChangeFixture) throws -> [SchemaChange] {
    let (schema, files) = try fixture.schema("now")
    return SchemaChanges.find(in: schema, files, since: try lock(fixture)).changes
  }

  static func fixture(_ rule: String) throws -> ChangeFixture {
    try ChangeFixture(Repository.url("\(folder)/\(rule).txt"))
  }

  @Test func everyRuleHasAFixtureAndOneRow() {
    #expect(Self.rules == ChangeRule.all.map(\.id).sorted())
    for rule in ChangeRule.all {
      #expect(!rule.change.isEmpty)
      #expect(rule.severity == .safe || !rule.remedy.isEmpty, "\(rule.id) says how to do it safely")
      #expect(rule.severity != .breaking || !rule.breaks.isEmpty, "\(rule.id) says what it breaks")
    }
  }

  /// The schema of `ConversionTests`: everything that it does is permitted.
  @Test func conversionsBreakNothing() throws {
    let fixture = try ChangeFixture(Repository.url("Tests/EvolutionFixtures/Conversions/chore.txt"))
    let changes = try Self.changes(fixture)
    #expect(changes.count { $0.rule.id == "field-converted" } == 3)
    #expect(!changes.contains { $0.rule.severity == .breaking })
  }

  @Test(arguments: rules) func aReleaseOfTodayEndsEveryChange(rule: String) throws {
    let fixture = try Self.fixture(rule)
    // A schema of another name has a lock of its own.
    guard rule != "schema-renamed" else { return }
    var lock = try Self.lock(fixture)
    let (schema, files) = try fixture.schema("now")
    lock.release(try #require(ReleaseVersion("9")), SchemaFacts(schema))
    let read = SchemaLock.read(SourceFile(path: "modelgen.lock", bytes: Array(lock.text.utf8)))
    #expect(read.lock == lock)
    #expect(SchemaChanges.find(in: schema, files, since: lock).changes.isEmpty)
  }

  @Test(arguments: rules) func aWaiverPermitsTheChange(rule: String) throws {
    let fixture = try Self.fixture(rule)
    var (schema, files) = try fixture.schema("now")
    let changes = try Self.changes(fixture)
    try #require(!changes.isEmpty)
    schema.waivers = changes.map { Waiver(rule: $0.rule.id, at: $0.subject, reason: "Nobody has it yet.") }
    let (permitted, unused) = SchemaChanges.find(in: schema, files, since: try Self.lock(fixture))
    // What lies behind a change may show now: it is none of those that are permitted.
    let subjects = Set(changes.map { [$0.rule.id, $0.subject] })
    let same = permitted.filter { subjects.contains([$0.rule.id, $0.subject]) }
    #expect(same.count == changes.count && !same.contains(where: \.isRefused))
    #expect(unused.isEmpty)
    schema.waivers[0].at += "1"
    #expect(
      SchemaChanges.find(in: schema, files, since: try Self.lock(fixture)).unused.map(\.rule) == ["unused-waiver"])
  }
}

@Suite struct ChangeTests {
  /// What is found between two fields sections of one model.
  static func rules(_ before: String, _ now: String, waivers: [Waiver] = []) throws -> [String] {
    func schema(_ fields: String) throws -> (Schema, [SourceFile]) {
      let files = SchemaFolder.texts(["item.yaml": "model: item\nqueue: self\n\(fields)"])
      return (try #require(SchemaReader.read(files).schema), files)
    }
    var (schemaNow, files) = try schema(now)
    schemaNow.waivers = waivers
    let lock = SchemaLock(of: try schema(before).0, called: "before")
    return SchemaChanges.find(in: schemaNow, files, since: lock).changes.map(\.rule.id)
  }

  /// A rename is one change, whatever names the field: identity, operations, lists and views go by its tag.
  @Test func aRenameIsOneChange() throws {
    func text(_ name: String, _ field: String) -> String {
      """
      fields: { box: ref(item) = 1, \(field), at: timestamp = 3 }
      operations: { rename: { parameters: { to: string }, set: { \(name): $to } } }
      lists: { all: { where: \(name) == x, order: \(name), section: initial(\(name)) } }
      views: { row: { shown: \(name), inner: box.\(name) } }
      """
    }
    let (before, now) = (text("a", "a: string = 2"), text("b", "b: { type: string = 2, was: a }"))
    #expect(try Self.rules(before, now) == ["field-renamed"])
  }

  /// That nobody deletes it any more goes without saying.
  @Test func theIdentityOfAQueueIsOneChange() throws {
    let fields = "fields: { people: set(ref(user)) = 1, lead: ref(user) = 2 }"
    let (random, derived) = (fields, "identity: [people]\n" + fields)
    #expect(try Self.rules(random, derived) == ["identity-changed"])
    #expect(try Self.rules(derived, random) == ["identity-changed"])
    #expect(try Self.rules(derived, "identity: [lead]\n" + fields) == ["identity-changed"])
  }

  /// How long a value is shown is no fact. Its tags are: apps of two versions meet in one queue.
  @Test func ofAnEphemeralModelTheFieldsAreJudged() throws {
    func schema(_ parts: String) throws -> (Schema, [SourceFile]) {
      let files = SchemaFolder.texts([
        "room.yaml": "model: room\nqueue: self\nfields: { title: string = 1 }",
        "typing.yaml": "model: typing\nqueue: room\n\(parts)",
      ])
      return (try #require(SchemaReader.read(files).schema), files)
    }
    func rules(_ before: String, _ now: String) throws -> [String] {
      let lock = SchemaLock(of: try schema(before).0, called: "before")
      let (schema, files) = try schema(now)
      return SchemaChanges.find(in: schema, files, since: lock).changes.map(\.rule.id)
    }
    let fields = "fields: { room: ref(room) = 1, draft: string? = 2 }"
    #expect(try rules("ephemeral: 5s\n\(fields)", "ephemeral: 1m\n\(fields)") == [])
    let fewer = "fields: { room: ref(room) = 1 }"
    #expect(try rules("ephemeral: 5s\n\(fields)", "ephemeral: 5s\n\(fewer)") == ["field-removed"])
    #expect(try rules("ephemeral: 5s\n\(fields)", fields) == ["ephemeral-changed"])
    #expect(try rules("\(fields)\nlists: { all: {} }", "ephemeral: 5s\n\(fields)") == ["ephemeral-changed"])
  }

  /// A model that was away for a release is held against the one that had it.
  @Test func aModelReturnsAsItWas() throws {
    func schema(_ item: String?) throws -> (Schema, [SourceFile]) {
      var texts = ["box.yaml": "model: box\nqueue: self\nfields: { title: string = 1 }"]
      texts["item.yaml"] = item
      let files = SchemaFolder.texts(texts)
      return (try #require(SchemaReader.read(files).schema), files)
    }
    let fields = "fields: { box: ref(box) = 1, name: string = 2 }"
    var lock = SchemaLock(schema: "Test")
    for (version, item) in [("1", "model: item\nqueue: box\nidentity: [name]\n\(fields)"), ("2", nil)] {
      lock.release(try #require(ReleaseVersion(version)), SchemaFacts(try schema(item).0))
    }
    let (now, files) = try schema("model: item\nqueue: device\n\(fields.replacing("ref(box)", with: "string"))")
    let found = SchemaChanges.find(in: now, files, since: lock).changes.map(\.rule.id)
    #expect(Set(found) == ["model-returned", "queue-changed", "identity-changed", "field-type"])
  }

  /// Found by an attack: what an earlier struct or enum wrote counts, also after another one took its place.
  @Test func aReplacedTypeIsHeldAgainstTheOneBefore() throws {
    func schema(_ text: String) throws -> (Schema, [SourceFile]) {
      let files = SchemaFolder.texts(["item.yaml": "model: item\nqueue: self\n\(text)"])
      return (try #require(SchemaReader.read(files).schema), files)
    }
    let releases = [
      "fields: { p: a? = 1 }\nstructs: { a: { fields: { x: double = 1, y: string? = 3 } } }",
      "fields: { p: b? = 1 }\nstructs: { b: { fields: { x: double = 1 }, reserved: { tags: [3] } } }",
    ]
    var lock = SchemaLock(schema: "Test")
    for (index, text) in releases.enumerated() {
      lock.release(try #require(ReleaseVersion("\(index + 1)")), SchemaFacts(try schema(text).0))
    }
    let (now, files) = try schema("fields: { p: b? = 1 }\nstructs: { b: { fields: { x: double = 1, z: int32? = 3 } } }")
    #expect(SchemaChanges.find(in: now, files, since: lock).changes.map(\.rule.id).contains("field-type"))
  }

  /// Found by an attack: `was:` that names a later name of a model would leave its objects behind.
  @Test func wasOfAModelIsItsFirstName() throws {
    func schema(_ files: [String: String]) throws -> (Schema, [SourceFile]) {
      let files = SchemaFolder.texts(files)
      return (try #require(SchemaReader.read(files).schema), files)
    }
    let rest = "queue: self\nfields: { a: string = 1 }"
    var lock = SchemaLock(schema: "Test")
    for (version, files) in [
      ("1", ["item.yaml": "model: item\n\(rest)"]), ("2", ["thing.yaml": "model: thing\nwas: item\n\(rest)"]),
    ] {
      lock.release(try #require(ReleaseVersion(version)), SchemaFacts(try schema(files).0))
    }
    let (now, files) = try schema(["foo.yaml": "model: foo\nwas: thing\n\(rest)"])
    let changes = SchemaChanges.find(in: now, files, since: lock).changes
    #expect(changes.map(\.rule.id) == ["model-removed", "model-removed"])
    #expect(changes.allSatisfy { $0.remedy.contains("`was: item`") })
  }

  @Test func aWaiverHidesNothingElse() throws {
    let before = "fields: { title: string = 1, note: string = 2 }"
    let now = "fields: { title: string = 1, due: timestamp? = 2 }"
    #expect(try Self.rules(before, now) == ["field-replaced"])
    let waiver = Waiver(rule: "field-replaced", at: "model item field 2", reason: "…")
    #expect(try Self.rules(before, now, waivers: [waiver]) == ["field-replaced", "field-type"])
  }

  @Test(arguments: [
    // Two fields, or two parameters, change places.
    (
      "fields: { a: string = 1, b: string = 2 }", "fields: { b: string = 1, a: string = 2 }",
      ["field-moved", "field-moved"]
    ),
    // A name goes on at a new tag, the old tag is reserved.
    (
      "fields: { a: string = 1, b: string = 2 }", "fields: { b: string = 2, a: string = 3 }\nreserved: { tags: [1] }",
      ["field-moved", "field-retired"]
    ),
    // A rename frees the old name for another field.
    (
      "fields: { a: string = 1 }", "fields: { b: { type: string = 1, was: a }, c: string = 2 }",
      ["field-renamed", "field-added"]
    ),
    // `was:` at a new tag moves the field.
    (
      "fields: { a: string = 1, z: bool = 9 }",
      "fields: { b: { type: string = 2, was: a }, z: bool = 9 }\nreserved: { tags: [1] }",
      ["field-moved", "field-retired"]
    ),
    // 0, false and "" are what is absent anyway.
    ("fields: { a: bool = 1 }", "fields: { a: { type: bool = 1, default: false } }", []),
    // Order in the file, documentation and deprecation are no facts.
    (
      "fields: { a: bool = 1, b: int64 = 2 }",
      "doc: Things.\nfields: { b: int64 = 2, a: { type: bool = 1, deprecated: true } }", []
    ),
    // Found by an attack: a rename that does not name the first name, and a default that goes.
    (
      "fields: { n: { type: k = 1, default: x } }\nenums: { k: { cases: { x: 1 } } }",
      "fields: { n: k = 1 }\nenums: { k: { cases: { x: 1 } } }", ["field-required-without-default"]
    ),
    (
      "fields: { a: string? = 1 }\noperations: { o: { parameters: { x: string? }, set: { a: $x } } }",
      "fields: { a: string? = 1 }\noperations: { o: { parameters: { x: string }, set: { a: $x } } }",
      ["required-parameter-added"]
    ),
    // A struct that contains itself moves nowhere and gets another name.
    (
      "fields: { a: tree? = 1 }\nstructs: { tree: { fields: { l: list(tree) = 1 } } }",
      "fields: { a: wood? = 1 }\nstructs: { wood: { fields: { l: list(wood) = 1 } } }",
      ["field-type-replaced", "type-removed", "type-added"]
    ),
    // A struct that changes its name without saying so.
    (
      "fields: { a: place? = 1 }\nstructs: { place: { fields: { x: double = 1 } } }",
      "fields: { a: spot? = 1 }\nstructs: { spot: { fields: { x: string = 1 } } }",
      ["field-type", "type-removed", "type-added"]
    ),
  ]) func changesAreTold(before: String, now: String, rules: [String]) throws {
    #expect(try Self.rules(before, now).sorted() == rules.sorted())
  }
}
