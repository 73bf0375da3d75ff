// Sessions of a person with the command, word for word. `RECORD_GOLDEN=1 swift test` records them again.
import Foundation
import ModelSupport
import MomentsModels
import TestSupport
import Testing

@Suite struct SessionTests {
  @Test func help() throws {
    let folder = try TemporaryFolder()
    try check(
      "help", in: folder,
      ["--version", "--help", "", "help objects", "outbox --help", "why --help", "failed --help", "files --help"])
  }

  @Test func showsStoreThatAppHasOpen() async throws {
    let shown = try await ShownStore.filled()
    try check(
      "store", in: shown.folder,
      [
        "Store", "objects Store", "objects Store/ --model photo --limit 1",
        "objects Store --id \(shown.moment.id) --id \(shown.photos[3].id)", "outbox Store", "failed Store",
      ])
    withExtendedLifetime(shown.store) {}
  }

  @Test func showsStoreAsJSON() async throws {
    let shown = try await ShownStore.filled()
    shown.close()
    try check(
      "store-json", in: shown.folder,
      ["Store --json", "objects Store --json", "outbox Store --json", "failed --json Store"])
  }

  /// `why` tells for an operation what it waits for: 4 is decided, 5 is sent, 6 is cancelled, the others are to be
  /// sent.
  @Test func showsWhyOperationsArePending() async throws {
    let shown = try await ShownStore.filled()
    let refused = try #require(shown.store?.failedOperations.last?.id)
    shown.close()
    try check(
      "why", in: shown.folder,
      [
        "why Store 4", "why Store 5", "why Store 6", "why Store 7", "why Store 8", "--why 9 Store", "Store --why 4917",
        "why Store \(refused)", "why Store 4 --json", "why Store 8 --json",
      ])
  }

  /// A file that fails, one whose queue has gone, one that was uploaded, and a row that no library has written.
  @Test func showsFilesToUpload() async throws {
    func hash(_ end: String) -> String { String(repeating: "f", count: 62) + end }
    let shown = try await ShownStore.filled()
    try shown.damage(
      """
      UPDATE file SET attempts = 3, retryAt = 1700000005000, lastError = 'The queue has no room for 2 MB more.'
      WHERE row = (SELECT min(row) FROM file);
      INSERT INTO file (queue, hash, state, number, objects, size, since) VALUES
        (0, x'\(hash("01"))', 4, 9, zeroblob(16), 12, NULL),
        (1, x'\(hash("02"))', 2, 3, x'', 1, 1700000000000),
        (1, x'\(hash("03"))', 3, 8, x'', NULL, 1700000000000),
        (1, zeroblob(2), 7, 8, x'00', NULL, NULL);
      """)
    try check("files", in: shown.folder, ["files Store", "files Store --json"])
  }

  /// The state that sync leaves in a store if it fails.
  @Test func showsReasonForStoppedSync() async throws {
    let shown = try await ShownStore.filled()
    let home = ShownSchema.homeQueueID(of: ShownStore.user).rawValue
    let homeBytes = "x'\(home.description.replacing("-", with: ""))'"
    try shown.damage(
      """
      INSERT INTO queue (id, attempts, retryAt, lastError)
      VALUES (\(homeBytes), 3, 1700000005000, 'The server was not reached: no route to host.');
      UPDATE queue SET attempts = 2, retryAt = 1700000006000, lastError = 'The server answered internal: oops'
      WHERE id = x'00000000000040008000000000000002';
      UPDATE operation SET firstSent = 1700000000000 WHERE number = 5;
      UPDATE operation SET outcome = 'rejected', outcomeCode = 'forbidden', outcomeAt = 9 WHERE number = 4;
      """)
    try check("why-failing", in: shown.folder, ["Store", "why Store 4", "why Store 5", "why Store 7 --json"])
    try shown.damage(
      """
      UPDATE queue SET attempts = 0, load = 3, position = 7 WHERE id = x'00000000000040008000000000000002';
      """)
    try check("why-reloading", in: shown.folder, ["Store --json", "why Store 4", "why Store 8", "why Store 8 --json"])
    try shown.damage("UPDATE queue SET load = 4, position = NULL")
    try check("why-revoked", in: shown.folder, ["why Store 7"])
    try shown.damage(
      """
      UPDATE queue SET load = 0, cursor = 0, history = NULL; DELETE FROM property WHERE name = 'history';
      UPDATE operation SET outcome = NULL, firstSent = NULL;
      """)
    try check("why-never-synced", in: shown.folder, ["why Store 5"])
  }

  @Test func showsWhyOperationWaitsForAnother() async throws {
    let shown = try await ShownStore.filled()
    let store = try #require(shown.store)
    try await RuntimeEnvironment.$current.withValue(.seeded(2)) {
      let first = store.perform(Photo.Label(shown.photos[0].id, tag: "first"))
      let second = store.perform(Photo.Hide(shown.photos[0].id), after: [first])
      store.perform(Photo.Label(shown.photos[0].id, tag: "third"), after: [second])
      try await store.waitUntilSaved()
    }
    try check("why-waiting", in: shown.folder, ["why Store 12", "why Store 11 --json", "outbox Store"])
  }

  @Test func showsFateOfRetiredOperation() async throws {
    let shown = try await ShownStore.filled()
    try shown.damage(
      """
      INSERT INTO retired SELECT number, id, queue, type, parameters, changes, performedAt, sum, 0, 0, dependencies,
        1700000000000 FROM operation WHERE number < 6;
      DELETE FROM operation WHERE number < 6;
      """)
    try check("why-retired", in: shown.folder, ["Store", "why Store 4", "why Store 4 --json"])
  }

  /// The server has another history: 4 is sent again, and 5 waits for the queue to be read again. The user has tried 7
  /// again.
  @Test func showsOperationsThatAreSentAgain() async throws {
    let shown = try await ShownStore.filled()
    try shown.damage(
      """
      UPDATE operation SET outcome = NULL, outcomeAt = NULL, outcomeTime = NULL, hidden = 1 WHERE number = 4;
      UPDATE operation SET outcome = 'applied', outcomeAt = 3, outcomeTime = 0 WHERE number = 5;
      UPDATE operation SET attempt = 2 WHERE number = 7;
      UPDATE queue SET history = zeroblob(16) WHERE number > 0;
      """)
    try check(
      "why-again", in: shown.folder,
      ["Store", "why Store 4", "why Store 5", "outbox Store", "why Store 4 --json", "why Store 7 --json"])
  }

  @Test func reportsOperationsThatCannotBeFound() async throws {
    let shown = try await ShownStore.filled()
    try shown.damage("UPDATE operation SET sum = 1 WHERE number = 5")
    try check(
      "why-not-found", in: shown.folder,
      [
        "why Store 99", "why Store 2", "why Store 6", "why Store 49171", "why Store 6f9c", "why Store nothing",
        "why Store \(shown.photos[0].id)", "why Store 5", "why Store",
      ])
  }

  @Test func showsEmptyStore() async throws {
    let shown = try await ShownStore.filled()
    try shown.damage("DELETE FROM object; DELETE FROM operation; DELETE FROM failed;")
    try check("empty", in: shown.folder, ["Store", "objects Store", "outbox Store", "failed Store"])
  }

  @Test func refusesWrongArguments() async throws {
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
      UPDATE failed SET performedAt = 'now', reason = x'00' WHERE number = (SELECT max(number) FROM failed);
      UPDATE type SET fields = 'nonsense' WHERE name = 'defaults';
      INSERT INTO queue (id) VALUES (x'0102');
      """)
    try check(
      "damaged-rows", in: shown.folder,
      ["Store", "objects Store", "outbox Store", "failed Store", "objects Store --model photo --json"])
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

  /// Replaces the sizes of files, which SQLite decides.
  private static func withoutSizes(_ text: String) -> String {
    text.replacing(/(store\.sqlite[-a-z]* +)[0-9]+/) { "\($0.1)N" }
      .replacing(/("name": "store\.sqlite[-a-z]*",\n +"bytes": )[0-9]+/) { "\($0.1)0" }
  }
}
