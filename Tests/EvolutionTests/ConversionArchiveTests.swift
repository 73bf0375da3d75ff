// What last year's app has written and left in its outbox is read and sent by the apps that came after it.

import ClientStore
import ModelTypes
import TestSupport
import Testing
import WireFormat

@testable import ModelTesting

@Suite struct ConversionArchiveTests {
  @Test func newerAppsSendWhatTheOldOneHasLeft() async throws {
    let folder = try TemporaryFolder()
    func archive(_ schema: any SchemaDescription.Type, release: String?) -> ReleaseArchive {
      ReleaseArchive(schema, folder: folder.url("Releases"), release: release)
    }
    let perform = { @Sendable (anna: PreviewDevice) in
      let chore = C0Chore(
        title: "Bins", due: "3", count: 2, status: "done", label: "red", latitude: 0, longitude: 0, name: "Ada Byron",
        weight: 1)
      anna.store.create(chore)
      anna.store.perform(C0Chore.Schedule(chore.id, due: "0"))
      anna.store.create(C0Ballot(chore: chore.id, user: anna.user, isYes: true))
    }
    #expect(try await archive(C0Schema.self, release: "1.0").check(perform) == ["1.0"])
    for schema in [C0Schema.self, C1Schema.self, C2Schema.self] as [any SchemaDescription.Type] {
      #expect(try await archive(schema, release: nil).check { _ in } == ["1.0"])
    }
  }

  /// Two versions of an app beside each other on one server.
  @Test func olderAndNewerAppsShareAQueue() async throws {
    let server = try PreviewServer(C2Schema.self)
    let (old, new) = (try server.device("anna", schema: C0Schema.self), try server.device("anna"))
    let chore = C0Chore(
      title: "Bins", due: "3", count: 2, status: "done", label: "red", latitude: 0, longitude: 0, name: "Ada Byron",
      weight: 1)
    old.store.create(chore)
    try await old.sync()
    try await new.sync()
    let id = C2Chore.ID(chore.id.rawValue)
    #expect(try new.store.object(id)?.dueAt == DayText.time("3"))
    new.store.perform(C2Chore.Plan(id, at: DayText.time("5")))
    try await new.sync()
    try await old.sync()
    #expect(try old.store.object(chore.id)?.due == "5")
  }
}
