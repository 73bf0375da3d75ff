// A folder of broken schemas for each rule, and their diagnostics. `RECORD_GOLDEN=1 swift test` records them.

import Foundation
import TestSupport
import Testing

@testable import ModelSchema

@Suite struct RuleFixtureTests {
  static let folders =
    (try? FileManager.default.contentsOfDirectory(atPath: Repository.url(SchemaFolder.fixtures).path))?
    .filter { !$0.hasPrefix(".") }.sorted() ?? []

  @Test(arguments: folders) func fixtureGivesRecordedDiagnostics(folder: String) throws {
    let path = "\(SchemaFolder.fixtures)/\(folder)"
    var files = try SchemaFolder.read(path) + LongFixtures.files(of: folder)
    let result = SchemaReader.read(files)
    var diagnostics = result.diagnostics
    if let source = SchemaFolder.lock(path) {
      files.append(source)
      let (lock, mistakes) = SchemaLock.read(source)
      diagnostics += mistakes
      if let lock, let schema = result.schema {
        diagnostics += SchemaChanges.find(in: schema, files, since: lock).unused
      }
    }
    let text = DiagnosticRenderer(sources: files, colour: false).text(diagnostics)
    #expect(try text == Golden.text("\(path)/expected.txt", recording: text))
    guard folder != "twenty-mistakes" else { return }
    #expect(Set(diagnostics.map(\.rule)) == [folder], "A fixture breaks its own rule and no other.")
  }

  @Test func everyRuleHasAFixture() {
    #expect(Set(Rule.all.map(\.id)).union(["twenty-mistakes"]) == Set(Self.folders))
  }

  @Test func everyRuleIsListedOnce() {
    #expect(Set(Rule.all.map(\.id)).count == Rule.all.count)
    #expect(Rule.all.allSatisfy { !$0.purpose.isEmpty })
  }

  @Test func pageOfRulesIsFresh() throws {
    let expected = Self.rulesPage()
    #expect(try Golden.text("docs/rules/README.md", recording: expected) == expected)
  }

  private static func rulesPage() -> String {
    let rows = Rule.all.map { rule in
      "| `\(rule.id)`\(mark(rule.id)) | \(rule.severity.rawValue) | \(rule.purpose.replacing("|", with: "\\|")) |\n"
    }
    return """
      # Rules

      What `modelgen` checks in schemas. Written from the rule table by a test (`RECORD_GOLDEN=1`): do not edit.
      What it says about files themselves is in the [guide to the command](../guides/command.md).
      What has a `*`, `modelgen fix` mends where only one remedy is possible.

      | rule | severity | asks for |
      |---|---|---|

      """ + rows.joined() + changes
  }

  /// Marks a rule whose fixture has a fix.
  private static func mark(_ rule: String) -> String { isMended(rule) ? " *" : "" }

  private static func isMended(_ rule: String) -> Bool {
    guard let folder = try? FixPropertyTests.Folder(rule) else { return false }
    let found = SchemaFixer.Reading(folder.files, folder.lock).diagnostics
    return found.contains { $0.rule == rule && !$0.fixes.isEmpty }
  }

  private static var changes: String {
    let rows = ChangeRule.all.map { rule in
      let breaks = rule.breaks.map(\.rawValue).joined(separator: ", ")
      let texts = [rule.change, breaks, rule.remedy].map { $0.replacing("|", with: "\\|") }
      return "| `\(rule.id)`\(mark(rule.id)) | \(rule.severity.rawValue) | \(texts.joined(separator: " | ")) |\n"
    }
    return """

      ## Changes

      What `modelgen` finds between the schema and its released versions ([the lock](../formats/lock-format.md)).
      `lint`, `generate` and the build plugin refuse a **breaking** change: data would be lost or misread, or an app in use
      would stop working. A **risky** one loses nothing, but apps of different versions show or do different things.
      `modelgen breaking` lists them all, and the **safe** ones too. [buf's rules and ours](buf.md).

      A breaking change is permitted by a waiver in `modelgen.yaml`, which names the rule, the thing, and a reason:

      ```yaml
      waivers: [{ rule: field-type, at: model photo field 3, reason: The app with this field never shipped. }]
      ```

      | rule | severity | what has changed | breaks | how to do it safely |
      |---|---|---|---|---|

      """ + rows.joined()
  }
}

/// Files of fixtures that are too long to be committed. They are made here, just over a limit.
enum LongFixtures {
  static func files(of folder: String) -> [SourceFile] {
    guard let text = text(of: folder) else { return [] }
    return [SourceFile(path: "item.yaml", bytes: Array(text.utf8))]
  }

  private static func text(of folder: String) -> String? {
    switch folder {
    case "file-too-large":
      let line = "# " + String(repeating: "x", count: 61) + "\n"
      return model(doc: "Fits.") + String(repeating: line, count: 1 << 20 / line.utf8.count)
    case "scalar-too-long":
      return model(doc: String(repeating: "x", count: 16 << 10 + 1))
    case "too-many-nodes":
      return model(doc: "Fits.") + "reserved: { tags: [\(String(repeating: "7, ", count: 50_000))7] }\n"
    default: return nil
    }
  }

  private static func model(doc: String) -> String {
    "model: item\nqueue: self\ndoc: \(doc)\nfields: { name: string = 1 }\n"
  }
}
