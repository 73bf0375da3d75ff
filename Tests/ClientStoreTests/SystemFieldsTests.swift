// What the server notes of an object, `$creator`, `$created` and `$updated`, as the store, lists and views have it.

import Foundation
import ModelSupport
import SampleIDs
import StoreTestSupport
import TestSupport
import Testing
import TypeMatrix

@testable import ClientStore

@Suite struct SystemFieldsTests {
  let me = UserID(high: 1, low: 1)
  let somebody = UserID(high: 2, low: 2)
  let folder: TemporaryFolder
  let time = HandTime(1_000_000)
  let store: ModelStore
  let server = HandServer()
  let board = Board.ID.queue(1)

  init() throws {
    folder = try TemporaryFolder()
    store = try Self.open(folder, time, me)
  }

  private static func open(_ folder: TemporaryFolder, _ time: HandTime, _ me: UserID) throws -> ModelStore {
    try RuntimeEnvironment.$current.withValue(time.environment(seed: 1) { work in Task { await work() } }) {
      try ModelStore(at: folder.url.path, schema: TypeMatrixSchema.self, user: me)
    }
  }

  private func card(_ number: UInt64, _ title: String) -> Card {
    Card(id: .object(number, in: board), board: board, title: title, state: .open, weight: 1, size: 1)
  }

  private func fields(_ user: UserID, _ created: Int64, _ updated: Int64) -> SystemFields {
    var fields = SystemFields(createdBy: user, at: Timestamp(millisecondsSince1970: created))
    fields.updatedAt = Timestamp(millisecondsSince1970: updated)
    return fields
  }

  private func arrive(_ object: Card, _ revision: Int64, _ system: SystemFields, _ done: [OperationID] = [])
    async throws
  {
    let live = ObjectState.Live(type: Card.modelName, content: try object.encoded(), system: system)
    try await server.reveal(
      [ObjectState(id: object.id.rawValue, revision: revision, live: live)], upTo: revision,
      outcomes: done.map { OperationOutcome(operation: $0, status: .applied, at: revision) }, to: store,
      in: board.queueID)
  }

  @Test func thoseOfPendingObjectAreTheUserAndTheClockUntilTheServerHasIt() async throws {
    let tent = card(1, "Tent")
    let handle = store.create(tent)
    #expect(try store.systemFields(of: tent.id) == fields(me, 1_000_000, 1_000_000))
    time.set(to: 1_000_500)
    store.update(tent.id) { $0.title = "Big tent" }
    #expect(try store.systemFields(of: tent.id) == fields(me, 1_000_000, 1_000_500))

    try await store.waitUntilSaved()
    _ = try await store.send(in: board.queueID)
    try await arrive(tent, 1, fields(me, 7_000, 7_000), [handle.id])
    #expect(try store.systemFields(of: tent.id) == fields(me, 7_000, 1_000_500), "the edit is still pending")
  }

  @Test func pendingEditNeverTakesUpdatedBack() async throws {
    let rope = card(2, "Rope")
    try await arrive(rope, 1, fields(somebody, 2_000_000, 3_000_000))
    let handle = store.update(rope.id) { $0.weight = 2 }
    #expect(try store.systemFields(of: rope.id) == fields(somebody, 2_000_000, 3_000_000), "the clock is behind")
    handle.cancel()
    time.set(to: 10_000_000)
    store.update(rope.id) { $0.weight = 1 }
    #expect(try store.systemFields(of: rope.id) == fields(somebody, 2_000_000, 3_000_000), "nothing has changed")
    store.update(rope.id) { $0.weight = 3 }
    #expect(try store.systemFields(of: rope.id) == fields(somebody, 2_000_000, 10_000_000))
  }

  @Test func objectThatNeverLeavesKeepsThem() async throws {
    let object = RankedHere(aInt32: 1)
    store.create(object)
    try await store.waitUntilSaved()
    time.set(to: 1_000_070)
    store.update(object.id) { $0.aInt32 = 2 }
    try await store.waitUntilSaved()
    time.set(to: 1_000_140)
    store.update(object.id) { $0.aInt32 = 2 }
    try await store.waitUntilSaved()
    #expect(try store.systemFields(of: object.id) == fields(me, 1_000_000, 1_000_070))

    try await store.close()
    let again = try Self.open(folder, time, me)
    #expect(try again.systemFields(of: object.id) == fields(me, 1_000_000, 1_000_070))
    try await again.close()
    let path = folder.url.appendingPathComponent("store.damaged").path
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    _ = try ModelStore.salvage(at: folder.url.path, schema: TypeMatrixSchema.self, user: me)
    let salvaged = try Self.open(folder, time, me)
    #expect(try salvaged.systemFields(of: object.id) == fields(me, 1_000_000, 1_000_070))
  }

  @Test func listMovesRowWhenTheServerHasAnotherTime() async throws {
    let (first, second) = (card(1, "First"), card(2, "Second"))
    try await arrive(first, 1, fields(me, 900_000, 900_000))
    let list = store.list(Card.by(creator: me))
    let handle = store.create(second)
    try await wait(for: list) { $0.ids.elementsEqual([second.id, first.id]) }
    try await store.waitUntilSaved()
    _ = try await store.send(in: board.queueID)
    try await arrive(second, 2, fields(me, 800_000, 800_000), [handle.id])
    try await wait(for: list) { $0.ids.elementsEqual([first.id, second.id]) }
    #expect(store.list(Card.by(creator: somebody)).snapshot.isEmpty)
  }

  @Test func viewShowsThemAndIsDerivedAgain() async throws {
    let tent = card(1, "Tent")
    try await arrive(tent, 1, fields(somebody, 5_000, 6_000))
    let rows = store.list(Card.by(creator: somebody), as: Card.Row.self)
    #expect(try rows.view(tent.id)?.maker == somebody)
    #expect(try rows.view(tent.id)?.made == Timestamp(millisecondsSince1970: 5_000))
    try await arrive(tent, 2, fields(somebody, 5_000, 8_000))
    #expect(try rows.view(tent.id)?.edited == Timestamp(millisecondsSince1970: 8_000))
    #expect(try store.view(Card.Row.self, of: tent.id)?.edited == Timestamp(millisecondsSince1970: 8_000))
  }

  private func wait<Section: ListSection>(
    for list: ListHandle<Card, Section>, _ isReady: (ListSnapshot<Card, Section>) -> Bool
  ) async throws {
    for await update in list.updates where update.isComplete && isReady(update.snapshot) { return }
  }
}
