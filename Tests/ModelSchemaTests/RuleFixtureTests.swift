// One folder of broken schemas a rule, and what is said about it. `RECORD_GOLDEN=1 swift test` records anew.

import Foundation
import ModelSchema
import Testing

@Suite struct RuleFixtureTests {
  /// Broken by texts too long to be committed: `LimitTests` breaks them.
  static let brokenElsewhere: Set<String> = ["file-too-large", "too-many-nodes", "scalar-too-long"]

  static let folders =
    (try? FileManager.default.contentsOfDirectory(atPath: SchemaFolder.fixtures.path))?
    .filter { !$0.hasPrefix(".") }.sorted() ?? []

  @Test(arguments: folders) func saysWhatIsWrong(folder: String) throws {
    let url = SchemaFolder.fixtures.appendingPathComponent(folder)
    let files = try SchemaFolder.read(url)
    let result = SchemaReader.read(files)
    let text = DiagnosticRenderer(sources: files, colour: false).text(result.diagnostics)
    let golden = url.appendingPathComponent("expected.txt")
    if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] != nil {
      try text.write(to: golden, atomically: true, encoding: .utf8)
    }
    #expect(try text == String(contentsOf: golden, encoding: .utf8))
    guard folder != "twenty-mistakes" else { return }
    #expect(Set(result.diagnostics.map(\.rule)) == [folder], "A fixture breaks its own rule and no other.")
  }

  @Test func everyRuleHasAFixture() {
    #expect(Set(Rule.all.map(\.id)).subtracting(Self.folders) == Self.brokenElsewhere)
  }

  @Test func everyRuleIsListedOnce() {
    #expect(Set(Rule.all.map(\.id)).count == Rule.all.count)
    #expect(Rule.all.allSatisfy { !$0.purpose.isEmpty })
  }

  @Test func pageOfRulesIsFresh() throws {
    let page = SchemaFolder.package.appendingPathComponent("docs/rules/README.md")
    let expected = Self.rulesPage()
    if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] != nil {
      try expected.write(to: page, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: page, encoding: .utf8) == expected)
  }

  private static func rulesPage() -> String {
    let rows = Rule.all.map { rule in
      "| `\(rule.id)` | \(rule.severity.rawValue) | \(rule.purpose.replacing("|", with: "\\|")) |\n"
    }
    return """
      # Rules

      What `modelgen` checks in schemas. Written from the rule table by a test (`RECORD_GOLDEN=1`): do not edit.

      | rule | severity | asks for |
      |---|---|---|

      """ + rows.joined()
  }
}
