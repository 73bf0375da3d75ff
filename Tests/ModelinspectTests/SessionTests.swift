// Sessions of a person with the command, word for word: `RECORD_GOLDEN=1 swift test` records them anew.
import Foundation
import ModelRuntime
import MomentsModels
import TestSupport
import Testing

@Suite struct SessionTests {
  @Test func help() throws {
    let folder = try TemporaryFolder()
    try check("help", in: folder, ["--version", "--help", "", "help objects", "outbox --help", "attention --help"])
  }

  @Test func storeThatAnAppHasOpen() async throws {
    let shown = try await ShownStore.filled()
    try check(
      "store", in: shown.folder,
      [
        "Store", "objects Store", "objects Store/ --model photo --limit 1",
        "objects Store --id \(shown.moment.id) --id \(shown.photos[3].id)", "outbox Store", "attention Store",
      ])
    withExtendedLifetime(shown.store) {}
  }

  @Test func storeAsJSON() async throws {
    let shown = try await ShownStore.filled()
    shown.close()
    try check(
      "store-json", in: shown.folder,
      ["Store --json", "objects Store --json", "outbox Store --json", "attention --json Store"])
  }

  @Test func emptyStore() async throws {
    let shown = try await ShownStore.filled()
    try shown.damage("DELETE FROM object; DELETE FROM operation; DELETE FROM attention;")
    try check("empty", in: shown.folder, ["Store", "objects Store", "outbox Store", "attention Store"])
  }

  @Test func wrongArguments() async throws {
    let shown = try await ShownStore.filled()
    try check(
      "wrong-arguments", in: shown.folder,
      [
        "objects", "objects Store --model fhoto", "objects Store --id 12", "objects Store --limit 0",
        "outbox Store --nope", "Store Store", "summary Store --limit 3",
      ])
  }

  @Test func damagedRows() async throws {
    let shown = try await ShownStore.filled()
    try shown.damage(
      """
      UPDATE object SET content = substr(content, 1, 20) WHERE row = 2;
      UPDATE object SET content = CAST(x'0A0101' || content AS BLOB) WHERE row = 3;
      UPDATE object SET id = x'00', queue = 17, revision = 'two' WHERE row = 4;
      UPDATE object SET type = 99 WHERE row = 1;
      UPDATE object SET content = 7 WHERE row = 5;
      UPDATE operation SET changes = x'FF' WHERE number = (SELECT min(number) FROM operation);
      UPDATE operation SET performedAt = performedAt + 1 WHERE number = 5;
      UPDATE operation SET parameters = 5, outcome = 'lost' WHERE number = (SELECT max(number) FROM operation);
      UPDATE attention SET performedAt = 'now', reason = x'00' WHERE number = (SELECT max(number) FROM attention);
      UPDATE type SET fields = 'nonsense' WHERE name = 'defaults';
      INSERT INTO queue (id) VALUES (x'0102');
      """)
    try check(
      "damaged-rows", in: shown.folder,
      ["Store", "objects Store", "outbox Store", "attention Store", "objects Store --model photo --json"])
  }

  private func check(_ name: String, in folder: TemporaryFolder, _ lines: [String]) throws {
    let text = try lines.map { line in
      let arguments = line.split(separator: " ").map(String.init)
      let outcome = try Program.built("modelinspect").run(arguments, in: folder.url)
      let errors = outcome.errors.split(separator: "\n", omittingEmptySubsequences: false).map { "! \($0)\n" }
      return "$ modelinspect\(arguments.map { " " + $0 }.joined())\n\(Self.withoutSizes(outcome.output))"
        + errors.dropLast().joined() + (outcome.status == 0 ? "" : "[status \(outcome.status)]\n")
    }.joined(separator: "\n")
    #expect(try Golden.text("Tests/ModelinspectTests/Sessions/\(name).txt", recording: text) == text)
  }

  /// How large the files are is for SQLite to say.
  private static func withoutSizes(_ text: String) -> String {
    text.replacing(/(store\.sqlite[-a-z]* +)[0-9]+ bytes/) { "\($0.1)N bytes" }
      .replacing(/("name": "store\.sqlite[-a-z]*",\n +"bytes": )[0-9]+/) { "\($0.1)0" }
  }
}
