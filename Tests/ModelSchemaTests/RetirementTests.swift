// A deprecated field goes once nobody has an older app: who counts as nobody, and what is left of the file.
import Testing

@testable import ModelSchema

@Suite struct RetirementTests {
  private static let head = "model: item\nqueue: self\n"
  private static let fields = "fields:\n  a: string = 1\n  b: { type: string?, tag: 2, deprecated: true }\n"

  /// The releases in which `b` is deprecated, out of four; and the schema of today.
  private static func run(
    deprecatedIn deprecated: Set<Int> = [2, 3, 4], now: String = fields, _ path: String = "item.b",
    seen: [(version: String, daysAgo: Int)] = [("4+", 0)], schema: String = "Test"
  ) throws -> FieldRetirement.Result {
    var lock = SchemaLock(schema: "Test")
    for release in 1...4 as ClosedRange<Int> {
      let text = deprecated.contains(release) ? fields : fields.replacing(", deprecated: true", with: "")
      let schema = try #require(SchemaReader.read(SchemaFolder.texts(["item.yaml": head + text])).schema)
      lock.release(try #require(ReleaseVersion("\(release)")), schema)
    }
    let files = SchemaFolder.texts(["item.yaml": head + now])
    let today = try #require(SchemaReader.read(files).schema)
    let versions = seen.map { VersionCounts.Version(schema: schema, name: $0.version, daysAgo: $0.daysAgo) }
    let counts = VersionCounts(date: "2026-11-28", day: 20_785, versions: versions)
    return FieldRetirement(of: path, in: today, files, lock: lock).run(counts, unseenFor: 90)
  }

  private static func text(_ result: FieldRetirement.Result) -> String {
    switch result {
    case .retired(let files):
      files.filter { $0.path == "item.yaml" }.map {
        String(decoding: $0.bytes.dropFirst(head.utf8.count), as: UTF8.self)
      }
      .joined()
    case .refused(let reason, _): "refused: \(reason)"
    }
  }

  @Test(
    arguments: [
      // What was seen, and what is refused because of it.
      ([("1", 90), ("2", 0), ("4+", 0), ("", 90)], nil),
      ([("1", 89), ("2", 0)], "1 89 days ago"),
      ([("1+", 0), ("2", 0)], "1+ today"),
      ([("", 3), ("10", 0)], "an app without a version 3 days ago"),
      ([("1.9.9", 1)], "1.9.9 1 days ago"),
      ([("none", 1)], "none 1 days ago"),
    ] as [([(String, Int)], String?)])
  func olderAppsThatWereSeenKeepIt(seen: [(String, Int)], refusal: String?) throws {
    let text = Self.text(try Self.run(seen: seen.map { (version: $0.0, daysAgo: $0.1) }))
    if let refusal {
      #expect(text.hasSuffix("are in use: \(refusal), as counted on 2026-11-28"), "\(text)")
    } else {
      #expect(text == "fields:\n  a: string = 1\nreserved: { tags: [2], names: [b] }\n")
    }
  }

  /// Only the last time that it was deprecated counts, and only once that was released.
  @Test(
    arguments: [
      ([2, 4], "3"), ([1, 2, 3, 4], nil), ([4], "3"), ([2, 3], "released"), ([], "released"),
    ] as [(Set<Int>, String?)])
  func deprecationCountsSinceItsRelease(deprecated: Set<Int>, old: String?) throws {
    let text = Self.text(try Self.run(deprecatedIn: deprecated, seen: [("3", 1), ("4", 0)]))
    switch old {
    case nil: #expect(text.hasPrefix("fields:"))
    case "released"?: #expect(text.contains("is not deprecated in the newest release, 4"), "\(text)")
    case let version?:
      #expect(text.contains("since 4, and older versions are in use: \(version) 1 days ago"), "\(text)")
    }
  }

  @Test func whatIsNotKnownIsRefused() throws {
    for path in ["item", "item.c", "b", "item.b.x", "", ".", "other.b"] {
      #expect(Self.text(try Self.run(path)).contains("is no field"), "\(path)")
    }
    #expect(Self.text(try Self.run(schema: "Other")).contains("know no app with the schema Test"))
    #expect(Self.text(try Self.run(seen: [])).contains("know no app"))
    #expect(Self.text(try Self.run(now: Self.fields.replacing(", deprecated: true", with: ""))).contains("is in use"))
    let new = Self.fields + "  c: { type: string?, tag: 3, deprecated: true }\n"
    #expect(Self.text(try Self.run(now: new, "item.c")).contains("was never released"))
  }

  @Test func whatIsUsedElsewhereStays() throws {
    let list = Self.fields + "lists: { all: { order: a, where: b != x } }\n"
    #expect(Self.text(try Self.run(now: list)).contains("has other uses in the schema. Without it: "))
    let source = Self.fields + "  c: { type: string?, tag: 3, from: b, via: cOfB }\n"
    #expect(Self.text(try Self.run(now: source)).contains("has other uses in the schema. Without it: "))
  }

  @Test(arguments: [
    ("fields: { b: { type: string?, tag: 2, deprecated: true }, a: string = 1 }", "fields: { a: string = 1 }"),
    ("fields: { a: string = 1, b: { type: string?, tag: 2, deprecated: true } }", "fields: { a: string = 1 }"),
    (
      "fields: { a: string = 1, b: { type: string?, tag: 2, deprecated: true }, c: int32 = 3 }",
      "fields: { a: string = 1, c: int32 = 3 }"
    ),
    (
      "fields:\n  # About b.\n  b:\n    type: string?\n    # The tag.\n    tag: 2\n    deprecated: true\n  a: string = 1",
      "fields:\n  # About b.\n  a: string = 1"
    ),
    (
      "fields:\n  a: string = 1\n  b: { type: string?, tag: 2, deprecated: true } # end\n# Below.\n",
      "fields:\n  a: string = 1\nreserved: { tags: [2], names: [b] }\n# Below.\n"
    ),
    ("fields:\n  a: string = 1\n  b: { type: string?, tag: 2, deprecated: true }", "fields:\n  a: string = 1"),
  ])
  func nothingElseOfTheFileChanges(now: String, after: String) throws {
    let text = Self.text(try Self.run(now: now))
    #expect(text.replacing("\nreserved: { tags: [2], names: [b] }", with: "") == after || text == after, "\(text)")
    #expect(text.contains("reserved: { tags: [2], names: [b] }"))
  }

  @Test func countsAreReadFromWhatTheServerPrints() throws {
    let text =
      #"{"date":"2026-11-28","day":20785,"versions":[{"schema":"Notes","version":"","daysAgo":3,"users":{"1":0}}]}"#
    let counts = VersionCounts(SourceFile(path: "v.json", bytes: Array(text.utf8)))
    #expect(
      counts == VersionCounts(date: "2026-11-28", day: 20_785, versions: [.init(schema: "Notes", name: "", daysAgo: 3)])
    )
    for wrong in [
      "", "{}", "[]", text.replacing("3", with: "three"), text.replacing("versions", with: "v"), "a: [", "\u{0}",
    ] {
      #expect(VersionCounts(SourceFile(path: "v.json", bytes: Array(wrong.utf8))) == nil, "\(wrong)")
    }
  }
}
