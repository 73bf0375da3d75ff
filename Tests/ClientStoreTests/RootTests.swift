// The first operation of a queue creates its root. If it is cancelled or refused, the operations behind it fail too.

import Foundation
import ModelSupport
import SampleIDs
import StoreTestSupport
import TestSupport
import Testing
import TypeMatrix

@Suite struct RootTests {
  let folder: TemporaryFolder
  let store: ModelStore
  let server = HandServer()
  let board = Board(name: "Summer")
  let winter = Board(name: "Winter")

  init() throws {
    folder = try TemporaryFolder()
    store = try ModelStore(
      at: folder.url.path, schema: TypeMatrixSchema.self, user: UserID(high: 1, low: 1))
  }

  private func card(_ title: String, on board: Board) -> Card {
    Card(board: board.id, title: title, state: .open, weight: 2, size: 7)
  }

  private var pending: [UUIDValue] { store.pendingOperations.map(\.changes.objects[0].object) }

  @Test func cancellingTheRootCancelsItsQueue() throws {
    let root = store.create(board)
    let (tent, skis) = (card("Tent", on: board), card("Skis", on: winter))
    store.create(tent)
    store.create(winter)
    store.create(skis)
    root.cancel()
    #expect(pending == [winter.id.rawValue, skis.id.rawValue])
    #expect(store.failedOperations.isEmpty)
    #expect(try store.object(tent.id) == nil && store.object(skis.id) != nil)
  }

  @Test func cancellingAChangeOfTheRootCancelsNothingElse() throws {
    store.create(board)
    let rename = store.update(board.id) { $0.name = "Autumn" }
    let tent = card("Tent", on: board)
    store.create(tent)
    rename.cancel()
    #expect(pending == [board.id.rawValue, tent.id.rawValue])
    #expect(try store.object(board.id)?.name == "Summer")
  }

  /// Creates the root of a queue. Unlike `create`, an operation can be declared to come after others.
  private struct Found: ModelOperation {
    var board: Board

    static let operationName = "board.found"
    static let fieldTable = FieldTable(projection: "board.found", Field(1, "board", \Self.board.id))

    func evaluate(in context: inout OperationContext) throws { try context.create(board) }
  }

  @Test func nothingIsSentBeforeTheRoot() async throws {
    let first = store.create(winter)
    let root = store.perform(Found(board: board), after: [first])
    let tent = card("Tent", on: board)
    let second = store.create(tent)
    try await store.waitUntilSaved()
    #expect(try await store.send(in: board.id.queueID, limit: 9, bytes: 1_000, at: .zero).isEmpty)
    try await server.answer(.applied, to: first.id, at: 1, to: store, in: winter.id.queueID)
    let sent = try await store.send(in: board.id.queueID, limit: 9, bytes: 1_000, at: .zero)
    #expect(sent.map(\.operation) == [root.id, second.id])
  }

  @Test func aRefusedRootAndItsQueueAreReported() async throws {
    let root = store.create(board)
    store.create(winter)
    try await store.waitUntilSaved()
    let sent = try await store.send(in: board.id.queueID, limit: 1, bytes: 1_000, at: .zero)
    #expect(sent.map(\.operation) == [root.id])
    let tent = card("Tent", on: board)
    store.create(tent)
    try await server.answer(.rejected("tooMany"), to: root.id, at: 1, to: store, in: board.id.queueID)
    try await server.reveal(upTo: 1, to: store, in: board.id.queueID)
    #expect(store.failedOperations.map(\.reason.code) == [.rejected, .dependency])
    #expect(pending == [winter.id.rawValue])
    #expect(try store.object(tent.id) == nil)
  }
}
