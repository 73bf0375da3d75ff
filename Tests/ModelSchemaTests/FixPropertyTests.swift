// What holds of every fix: its finding is gone, nothing else is worse, and nothing else has changed.
import EvolutionFixtures
import TestSupport
import Testing

@testable import ModelSchema

@Suite struct FixPropertyTests {
  /// A folder with mistakes, or changed since a release.
  struct Folder {
    var files: [SourceFile]
    var lock: SchemaLock?

    /// A fixture of a rule, or of a change.
    init(_ name: String) throws {
      if ChangeFixtureTests.rules.contains(name) {
        let fixture = try ChangeFixtureTests.fixture(name)
        (files, lock) = (fixture.files["now"] ?? [], try ChangeFixtureTests.lock(fixture))
      } else {
        files = try SchemaFolder.read("\(SchemaFolder.fixtures)/\(name)")
      }
    }

    func fixed() -> FixingResult { SchemaFixer.fix(files, lock: lock) }

    func mapped(_ change: ([UInt8]) -> [UInt8]) -> Folder {
      var folder = self
      for index in files.indices { folder.files[index].bytes = change(files[index].bytes) }
      return folder
    }
  }

  static let names = RuleFixtureTests.folders + ChangeFixtureTests.rules

  @Test(arguments: names) func fixesTakeTheirFindingsAway(name: String) throws {
    let folder = try Folder(name)
    let before = SchemaFixer.Reading(folder.files, folder.lock).diagnostics
    let result = folder.fixed()
    for rule in Set(result.remaining.map(\.rule)) where before.contains(where: { $0.rule == rule }) {
      let (now, were) = (result.remaining.count { $0.rule == rule }, before.count { $0.rule == rule })
      #expect(now <= were - result.fixed.count { $0.rule == rule }, "\(rule)")
    }
    // Behind quotes nothing was read, so that warnings may show.
    let errors = result.remaining.filter { $0.severity == .error }
    #expect(Set(errors.map(\.rule)).isSubset(of: before.map(\.rule)))
    // Every fix was applied, taken back, or is asked for.
    for finding in result.remaining where !finding.fixes.isEmpty {
      #expect(finding.help?.contains("`modelgen fix") == true, "\(finding)")
    }
    let again = SchemaFixer.fix(result.files, lock: folder.lock)
    #expect(again.fixed.isEmpty && again.files == result.files)
    #expect(result.files.map(\.path) == folder.files.map(\.path))
  }

  /// Worked out by characters of lines, not by bytes.
  @Test(arguments: names) func editsChangeTheirRangesOnly(name: String) throws {
    let folder = try Folder(name)
    for fix in SchemaFixer.Reading(folder.files, folder.lock).diagnostics.flatMap(\.fixes) {
      let file = try #require(folder.files.first { $0.path == fix.file })
      let mended = try #require(file.applying(fix.edits))
      var lines = String(decoding: file.bytes, as: UTF8.self).unicodeScalars.split(
        separator: "\n", omittingEmptySubsequences: false
      ).map(Array.init)
      for edit in fix.edits.reversed() {
        try #require(edit.range.start.line == edit.range.end.line)
        lines[edit.range.start.line - 1].replaceSubrange(
          (edit.range.start.column - 1)..<(edit.range.end.column - 1), with: edit.text.unicodeScalars)
      }
      let text = lines.map { String(String.UnicodeScalarView($0)) }.joined(separator: "\n")
      #expect(text == String(decoding: mended.bytes, as: UTF8.self), "\(fix)")
    }
  }

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The same mistakes in a file of another system are mended in the same way.
  @Test(arguments: names) func lineEndsAndMarksStay(name: String) throws {
    let folder = try Folder(name)
    let plain = folder.files.allSatisfy { !$0.bytes.contains(0x0D) && $0.markLength == 0 && $0.bytes.first != 0xFF }
    guard plain, name != "not-utf8", name != "control-character" else { return }
    let changes: [([UInt8]) -> [UInt8]] = [
      { Self.mark + $0 }, { Array($0.map { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }.joined()) },
      { $0.last == 0x0A ? $0.dropLast() : $0 },
    ]
    let fixed = folder.fixed()
    for change in changes {
      let other = folder.mapped(change).fixed()
      #expect(other.files.map(\.bytes) == fixed.files.map { change($0.bytes) })
      #expect(other.fixed.map(\.rule) == fixed.fixed.map(\.rule))
    }
  }

  /// Valid schemas, with comments, empty lines and line ends put in at random.
  @Test(arguments: 1...8 as ClosedRange<UInt64>) func validSchemasStayAsTheyAre(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var folders = [try SchemaFolder.repository()]
    for rule in ChangeFixtureTests.rules { folders += try ChangeFixtureTests.fixture(rule).files.values }
    var count = 0
    for var files in folders {
      for index in files.indices {
        var lines = String(decoding: files[index].bytes, as: UTF8.self).split(
          separator: "\n", omittingEmptySubsequences: false)
        for _ in 0..<random.below(6) {
          lines.insert(
            random.pick(["", "# a comment", "      # far in", "# fields: { a:string"]), at: random.below(lines.count))
        }
        files[index].bytes = Array(lines.joined(separator: random.pick(["\n", "\r\n"])).utf8)
      }
      guard let schema = SchemaReader.read(files).schema else { continue }
      let result = SchemaFixer.fix(files, lock: SchemaLock(of: schema, called: "now"))
      #expect(result.files == files && result.fixed.isEmpty, "seed \(seed)")
      count += 1
    }
    #expect(count > ChangeFixtureTests.rules.count)
  }

  /// Whatever a schema has become, fixing ends, and a second time changes nothing.
  @Test(arguments: 1...10 as ClosedRange<UInt64>) func damagedSchemasNeverTrap(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let original = try SchemaFolder.repository()
    let lock = SchemaLock(of: try #require(SchemaReader.read(original).schema), called: "1.0")
    for round in 0..<40 {
      var files = original
      for _ in 0..<(1 + random.below(4)) {
        MutationTests.mutate(&files[random.below(files.count)].bytes, &random)
      }
      let before = SchemaFixer.Reading(files, lock).diagnostics.count { $0.severity == .error }
      let result = SchemaFixer.fix(files, lock: lock)
      let again = SchemaFixer.fix(result.files, lock: lock)
      #expect(again.files == result.files && again.fixed.isEmpty, "seed \(seed), round \(round)")
      if result.fixed.isEmpty { #expect(result.files == files, "seed \(seed), round \(round)") }
      let changes = result.remaining.count { ChangeRule.byID[$0.rule] != nil }
      let after = result.remaining.count { $0.severity == .error } - changes
      // What a syntax error had hidden shows once that is mended.
      let uncovers = result.fixed.contains { $0.rule == Rule.yamlSyntax.id }
      #expect(uncovers || after <= before, "seed \(seed), round \(round)")
    }
  }
}
