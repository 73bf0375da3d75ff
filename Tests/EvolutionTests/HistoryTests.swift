// Fifty versions of one schema, with conversions: whatever one writes, every other reads, edits and gives back whole.

import ClientStore
import ModelTypes
import TestSupport
import Testing
import WireFormat

@Suite struct HistoryTests {
  @Test func aYearHasChangesOfAllKinds() {
    #expect(HistoryVersion.all.count >= 50)
    let changes = HistoryVersion.changes
    #expect(changes.values.reduce(0, +) >= 100, "\(changes)")
    let kinds = [
      "field-added", "field-renamed", "field-retired", "field-optional", "field-required", "default-changed",
      "field-converted", "case-added", "case-renamed", "type-renamed", "operation-added", "operation-removed",
      "list-added", "list-removed",
    ]
    for kind in kinds { #expect(changes[kind, default: 0] > 0, "\(kind): \(changes)") }
  }

  /// An object goes through apps of many versions, of which each edits a field.
  @Test(arguments: SeedRange.of(50)) func anObjectSurvivesAppsOfAllVersions(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let writer = random.pick(HistoryVersion.all)
    var record = try writer.model.sample(random.below(1_000) as UInt64)
    for _ in 0..<12 {
      let version = random.pick(HistoryVersion.all)
      let note: Comment = "seed \(seed), version \(version.version.name)"
      let field = random.pick(version.writable)
      let edit = try version.edit(record, field, random.below(1_000))
      let lineage = HistoryVersion.lineage[version.tags[field] ?? 0]
      let readers = (0..<8).map { _ in random.pick(HistoryVersion.all) }
      let before = try others(than: lineage, record, readers)
      // An app that writes the whole object adds zeros where a field that it requires is absent, and changes nothing.
      let again = try version.model.read(record).record.blob
      let present = try Patch.difference(from: [], to: record.blob, kinds: MergeKinds()).tags
      let touched = try Patch.difference(from: record.blob, to: again, kinds: MergeKinds()).tags
      #expect(Set(present).isDisjoint(with: touched), note)
      record.blob = try edit.patch.merged(into: record.blob)
      #expect(try version.model.read(record).fields[field] == edit.value, "\(field): \(note)")
      #expect(try others(than: lineage, record, readers) == before, "\(field) and nothing else: \(note)")
    }
  }

  /// What versions read of the fields that hold other values.
  private func others(than lineage: Int?, _ record: Record, _ versions: [HistoryVersion]) throws -> [[String: String]] {
    try versions.map { version in
      try version.model.read(record).fields.filter { HistoryVersion.lineage[version.tags[$0.key] ?? 0] != lineage }
    }
  }

  private static let user = UserID(subject: "anna", issuer: nil)

  private func open(_ version: Version, in folder: TemporaryFolder) throws -> ModelStore {
    try ModelStore(at: folder.url("store"), schema: version.schema, user: Self.user)
  }

  /// What every version has left on a device, with operations that were never sent, the newest one opens.
  @Test(arguments: HistoryVersion.all.indices) func theNewestAppOpensTheStoreOfEachVersion(index: Int) async throws {
    let (version, newest) = (HistoryVersion.all[index], HistoryVersion.all[HistoryVersion.all.count - 1])
    let folder = try TemporaryFolder()
    let store = try open(version.version, in: folder)
    let records = (1...3 as ClosedRange<UInt64>).compactMap { version.model.create(store, $0) }
    for operation in version.version.operations { _ = try operation.perform(store, records[0].id) }
    try await store.waitUntilSaved()
    let pending = store.pendingOperations.map(\.changes)
    try await store.close()

    let opened = try open(newest.version, in: folder)
    #expect(opened.pendingOperations.map(\.changes) == pending)
    #expect(opened.failedOperations.isEmpty)
    #expect(pending.count == 3 + version.version.operations.count)
    for record in records {
      let shown = try #require(try newest.model.stored(opened, record.id))
      // The first one was edited by operations, the others are as they were made.
      if record != records[0] { #expect(try newest.model.read(record).fields == newest.model.read(shown).fields) }
    }
    try await opened.close()
  }

  /// One device that is updated every week, edits each time, and loses nothing.
  @Test func aStoreIsUpdatedWeekByWeek() async throws {
    let folder = try TemporaryFolder()
    var made: [Record] = []
    for version in HistoryVersion.all {
      let store = try open(version.version, in: folder)
      for record in made {
        let shown = try #require(try version.model.stored(store, record.id))
        #expect(try version.model.read(shown).fields == version.model.read(record).fields)
      }
      if let record = version.model.create(store, UInt64(made.count + 1)) { made.append(record) }
      try await store.waitUntilSaved()
      try await store.close()
    }
    #expect(made.count == HistoryVersion.all.count)
  }
}
