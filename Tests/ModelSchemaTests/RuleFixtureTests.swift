// A folder of broken schemas for each rule, and their diagnostics. `RECORD_GOLDEN=1 swift test` records them.

import Foundation
import ModelSchema
import TestSupport
import Testing

@Suite struct RuleFixtureTests {
  static let folders =
    (try? FileManager.default.contentsOfDirectory(atPath: Repository.url(SchemaFolder.fixtures).path))?
    .filter { !$0.hasPrefix(".") }.sorted() ?? []

  @Test(arguments: folders) func fixtureGivesRecordedDiagnostics(folder: String) throws {
    let path = "\(SchemaFolder.fixtures)/\(folder)"
    let files = try SchemaFolder.read(path) + LongFixtures.files(of: folder)
    let result = SchemaReader.read(files)
    let text = DiagnosticRenderer(sources: files, colour: false).text(result.diagnostics)
    #expect(try text == Golden.text("\(path)/expected.txt", recording: text))
    guard folder != "twenty-mistakes" else { return }
    #expect(Set(result.diagnostics.map(\.rule)) == [folder], "A fixture breaks its own rule and no other.")
  }

  @Test func everyRuleHasAFixture() {
    #expect(Set(Rule.all.map(\.id)).subtracting(Self.folders).isEmpty)
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
      "| `\(rule.id)` | \(rule.severity.rawValue) | \(rule.purpose.replacing("|", with: "\\|")) |\n"
    }
    return """
      # Rules

      What `modelgen` checks in schemas. Written from the rule table by a test (`RECORD_GOLDEN=1`): do not edit.
      What it says about files themselves is in the [guide to the command](../guides/command.md).

      | rule | severity | asks for |
      |---|---|---|

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
