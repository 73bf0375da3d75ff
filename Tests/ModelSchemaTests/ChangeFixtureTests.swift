// A file with releases and a schema of today for each rule of changes, and what is found. `RECORD_GOLDEN=1` records it.

import Foundation
import TestSupport
import Testing

@testable import ModelSchema

@Suite struct ChangeFixtureTests {
  static let folder = "Tests/ModelSchemaTests/Evolution"
  static let rules =
    (try? FileManager.default.contentsOfDirectory(atPath: Repository.url(folder).path))?
    .filter { $0.hasSuffix(".txt") }.map { String($0.dropLast(".txt".count)) }.sorted() ?? []

  @Test(arguments: rules) func fixtureGivesItsRuleAlone(rule: String) throws {
    let path = "\(Self.folder)/\(rule).txt"
    let fixture = try ChangeFixture(path)
    let changes = try fixture.changes()
    let text = DiagnosticRenderer(sources: fixture.files["now"] ?? [], colour: false).text(changes.map(\.diagnostic))
    let recorded = fixture.input + text
    #expect(try Golden.text(path, recording: recorded) == recorded)
    #expect(Set(changes.map(\.rule.id)) == [rule], "A fixture has its own change and no other.")
  }

  @Test func everyRuleHasAFixtureAndOneRow() {
    #expect(Self.rules == ChangeRule.all.map(\.id).sorted())
    #expect(Set(ChangeRule.all.map(\.id)) == Set(ChangeRule.ID.allCases.map(\.rawValue)))
    for rule in ChangeRule.all {
      #expect(!rule.change.isEmpty)
      #expect(rule.severity == .safe || !rule.remedy.isEmpty, "\(rule.id) says how to do it safely")
      #expect(rule.severity != .breaking || !rule.breaks.isEmpty, "\(rule.id) says what it breaks")
    }
  }

  @Test(arguments: rules) func aReleaseOfTodayEndsEveryChange(rule: String) throws {
    let fixture = try ChangeFixture("\(Self.folder)/\(rule).txt")
    // A schema of another name has a lock of its own.
    guard rule != "schema-renamed" else { return }
    var lock = try fixture.lock()
    let (schema, files) = try fixture.schema("now")
    lock.release(try #require(ReleaseVersion("9")), SchemaFacts(schema))
    let read = SchemaLock.read(SourceFile(path: "modelgen.lock", bytes: Array(lock.text.utf8)))
    #expect(read.lock == lock)
    #expect(SchemaChanges.find(in: schema, files, since: lock).changes.isEmpty)
  }

  @Test(arguments: rules) func aWaiverPermitsTheChange(rule: String) throws {
    let fixture = try ChangeFixture("\(Self.folder)/\(rule).txt")
    var (schema, files) = try fixture.schema("now")
    let changes = try fixture.changes()
    schema.waivers = changes.map { Waiver(rule: $0.rule.id, at: $0.subject, reason: "Nobody has it yet.") }
    let (permitted, unused) = SchemaChanges.find(in: schema, files, since: try fixture.lock())
    // What lies behind a change may show now: it is none of those that are permitted.
    let subjects = Set(changes.map { [$0.rule.id, $0.subject] })
    let same = permitted.filter { subjects.contains([$0.rule.id, $0.subject]) }
    #expect(same.count == changes.count && !same.contains(where: \.isRefused))
    #expect(unused.isEmpty)
    schema.waivers[0].at += "1"
    #expect(SchemaChanges.find(in: schema, files, since: try fixture.lock()).unused.map(\.rule) == ["unused-waiver"])
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

/// A text with files of releases, `=== 1.0/item.yaml`, of today, `=== now/item.yaml`, and what is expected.
struct ChangeFixture {
  /// By release; `now` are those of today.
  private(set) var files: [String: [SourceFile]] = [:]
  /// The text up to what is expected.
  private(set) var input = ""

  init(_ path: String) throws {
    let text = try String(contentsOf: Repository.url(path), encoding: .utf8)
    for section in text.components(separatedBy: "=== ").dropFirst() {
      let lines = section.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      let name = lines[0].split(separator: "/").map(String.init)
      if name == ["expected"] { break }
      files[name[0], default: []].append(SourceFile(path: name[1], bytes: Array(lines[1].utf8)))
    }
    input = String(text.prefix(upTo: try #require(text.range(of: "=== expected\n")).upperBound))
    for release in files.keys where !(files[release] ?? []).contains(where: { $0.path == "modelgen.yaml" }) {
      files[release]?.append(SourceFile(path: "modelgen.yaml", bytes: Array("schema: Fixture\n".utf8)))
    }
  }

  func schema(_ release: String) throws -> (Schema, [SourceFile]) {
    let files = files[release] ?? []
    let result = SchemaReader.read(files)
    let errors = DiagnosticRenderer(sources: files, colour: false).text(result.diagnostics)
    return (try #require(result.schema, "\(release): \(errors)"), files)
  }

  func lock() throws -> SchemaLock {
    let versions = files.keys.compactMap { ReleaseVersion($0) }.sorted()
    var lock = SchemaLock(schema: try schema("\(versions[0])").0.name)
    for version in versions { lock.release(version, SchemaFacts(try schema("\(version)").0)) }
    return lock
  }

  func changes() throws -> [SchemaChange] {
    let (schema, files) = try schema("now")
    return SchemaChanges.find(in: schema, files, since: try lock()).changes
  }
}
