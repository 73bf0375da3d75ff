// Locks: what is written is read again, a damaged one is refused, and no bytes trap.

import TestSupport
import Testing

@testable import ModelSchema

@Suite struct LockTests {
  /// Schemas that come and go: each release has a random part of all fields, in random types.
  private static func releases(_ random: inout SeededRandom) throws -> [(ReleaseVersion, SchemaFacts)] {
    var releases: [(ReleaseVersion, SchemaFacts)] = []
    for number in 1...(1 + Int(random.next() % 12)) {
      var fields = "  first: string = 1\n"
      for tag in 2...8 where random.next() % 3 > 0 {
        let type = ["string", "int64", "bool", "list(ref(item))"][Int(random.next() % 4)]
        fields += "  field\(tag): \(type) = \(tag)\n"
      }
      let text = "model: item\nqueue: self\ndoc: A \"thing\".\nfields:\n\(fields)"
      let schema = try #require(SchemaReader.read(SchemaFolder.texts(["item.yaml": text])).schema)
      releases.append((try #require(ReleaseVersion("1.\(number)")), SchemaFacts(schema)))
    }
    return releases
  }

  private static func read(_ text: String) -> (lock: SchemaLock?, diagnostics: [Diagnostic]) {
    SchemaLock.read(SourceFile(path: "modelgen.lock", bytes: Array(text.utf8)))
  }

  @Test(arguments: 1...50 as ClosedRange<UInt64>) func everyReleaseComesBack(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let releases = try Self.releases(&random)
    var lock = SchemaLock(schema: "Test")
    for (version, facts) in releases { lock.release(version, facts) }
    let read = Self.read(lock.text)
    #expect(read.lock == lock && read.diagnostics.isEmpty, "seed \(seed)")
    #expect(Self.read(lock.text.replacing("\n", with: "\r\n")).lock == lock, "seed \(seed): git with `autocrlf`")
    for (version, facts) in releases {
      let only = try #require(lock.only(version))
      let values = only.facts.mapValues { $0.map(\.value) }
      #expect(values == facts.values.mapValues { [$0] }, "seed \(seed), release \(version)")
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>) func aChangedLockIsRefusedOrTheSame(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var lock = SchemaLock(schema: "Test")
    for (version, facts) in try Self.releases(&random) { lock.release(version, facts) }
    let original = Array(lock.text.utf8)
    var refused = 0
    for round in 0..<200 {
      var bytes = original
      let place = Int(random.next() % UInt64(bytes.count))
      switch random.next() % 4 {
      case 0: bytes.remove(at: place)
      case 1: bytes[place] = UInt8(truncatingIfNeeded: random.next())
      case 2: bytes.removeSubrange(place..<min(bytes.count, place + Int(random.next() % 90)))
      default:
        let end = min(bytes.count, place + Int(random.next() % 90))
        bytes.insert(contentsOf: bytes[place..<end], at: Int(random.next() % UInt64(bytes.count)))
      }
      let (read, diagnostics) = SchemaLock.read(SourceFile(path: "modelgen.lock", bytes: bytes))
      #expect((read == nil) == !diagnostics.isEmpty, "seed \(seed), round \(round)")
      guard let read else {
        refused += 1
        continue
      }
      // Only what carries no fact may differ: the heading's words, blanks, the name of the schema.
      #expect(read.facts == lock.facts && read.checksums() == lock.checksums(), "seed \(seed), round \(round)")
    }
    #expect(refused > 100, "seed \(seed)")
  }

  @Test func versionIsTheNewestRelease() throws {
    func schema(_ fields: String) throws -> Schema {
      let files = SchemaFolder.texts(["item.yaml": "model: item\nqueue: self\nfields: { \(fields) }\n"])
      return try #require(SchemaReader.read(files).schema)
    }
    let first = try schema("a: string = 1")
    var lock = SchemaLock(schema: "Test")
    #expect(lock.version(of: first) == "")
    lock.release(try #require(ReleaseVersion("1.0")), first)
    #expect(lock.version(of: first) == "1.0")
    for changed in ["a: string = 1, b: string = 2", "a: { type: string, tag: 1, deprecated: true }"] {
      #expect(lock.version(of: try schema(changed)) == "1.0+")
    }
    lock.release(try #require(ReleaseVersion("1.1")), try schema("a: string = 1, b: string = 2"))
    #expect(lock.version(of: first) == "1.1+", "what an older release said")
  }

  @Test func versionsAreComparedByNumber() throws {
    let ordered = ["0.1", "0.9", "0.10", "1", "1.0.1", "1.2", "1.10", "2.0.0.1", "10", "999999999"]
    let versions = try ordered.map { try #require(ReleaseVersion($0)) }
    for (index, version) in versions.enumerated() {
      for (other, second) in versions.enumerated() { #expect((version < second) == (index < other)) }
    }
    #expect(ReleaseVersion("1") == ReleaseVersion("1.0.0"))
    for text in ["", ".", "1.", ".1", "1..2", "1.2.3.4.5", "v1", "1.0-beta", "-1", "1.1234567890", "0", "0.0", "1 "] {
      #expect(ReleaseVersion(text) == nil, "\(text)")
    }
  }

  @Test func factsHaveTheNumbersOfCasesAndTagsAndQuotedTexts() throws {
    let text = """
      model: item
      queue: self
      fields:
        color: { type: color = 4, default: blue }
        name: { type: string = 5, default: "a \\"b\\"\\n" }
        size: { type: int32 = 6, default: 0 }
      enums: { color: { cases: { red: 1, blue: -2 } } }
      lists: { blue: { where: color == blue, order: name } }
      """
    let schema = try #require(SchemaReader.read(SchemaFolder.texts(["item.yaml": text])).schema)
    let facts = SchemaFacts(schema).values
    #expect(facts["model item field 4 default"] == "-2")
    #expect(facts["model item field 5 default"] == #""a \"b\"\u000a""#)
    #expect(facts["model item field 6 default"] == nil, "0 is what an absent value reads as anyway")
    #expect(facts["model item enum color case -2 name"] == "blue")
    #expect(facts["model item list blue where 1"] == "4 == -2")
  }
}
