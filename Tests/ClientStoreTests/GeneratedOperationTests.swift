// Performs generated operations on a store: every effect and every kind of value once.

import Foundation
import ModelSupport
import SampleIDs
import TestSupport
import Testing
import TypeMatrix

@Suite struct GeneratedOperationTests {
  let me = UserID(high: 1, low: 1)
  let somebody = UserID(high: 2, low: 2)
  let folder: TemporaryFolder
  let store: ModelStore
  let board: Board
  let card: Card

  init() throws {
    folder = try TemporaryFolder()
    store = try ModelStore(at: folder.url.path, schema: TypeMatrixSchema.self, user: me)
    board = Board(name: "Summer")
    store.create(board)
    card = Card(board: board.id, title: "Tent", state: .open, weight: 2, size: 7)
    store.create(card)
  }

  private func changed(_ id: Card.ID? = nil) throws -> Card { try #require(try store.object(id ?? card.id)) }

  @Test func setsLiteralsAndTheTime() throws {
    store.perform(Card.Finish(card.id))
    let changed = try changed()
    #expect(changed.state == .done && changed.size == 3 && changed.weight == 1.5 && changed.title == "Done (x)")
    #expect(try #require(changed.changedAt) >= Timestamp(millisecondsSince1970: 1_700_000_000_000))
  }

  @Test func setsParametersAndClears() throws {
    store.perform(Card.Rename(card.id, title: "Big tent", note: "red"))
    #expect(try changed().title == "Big tent" && changed().note == "red")
    store.perform(Card.Rename(card.id, title: "Tent"))
    #expect(try changed().note == nil, "an absent parameter clears")
    store.perform(Card.Rename(card.id, title: "Tent", note: "blue"))
    store.perform(Card.Forget(card.id))
    #expect(try changed().note == nil)
  }

  @Test func incrementsCountersAndEditsSets() throws {
    store.perform(Card.Vote(card.id, amount: 40))
    store.perform(contentsOf: [Card.Up(card.id), Card.Up(card.id)])
    #expect(try changed().votes == 42)
    store.perform(Card.Mark(card.id, mark: "b"))
    store.perform(Card.Mark(card.id, mark: "a"))
    store.perform(Card.Unmark(card.id, mark: "b"))
    #expect(try changed().marks == ["a"])
  }

  @Test func raisesAndLowersNumbersAndTimes() throws {
    let size = try changed().size
    store.perform(Card.Reach(card.id, at: Timestamp(millisecondsSince1970: 7), size: size + 1))
    #expect(try changed().changedAt == Timestamp(millisecondsSince1970: 7), "there was none")
    #expect(try changed().weight == 2.5 && changed().size == size)
    store.perform(Card.Reach(card.id, at: Timestamp(millisecondsSince1970: 5), size: -9))
    #expect(try changed().changedAt == Timestamp(millisecondsSince1970: 7) && changed().size == -9)
    store.perform(Card.Reach(card.id, size: -8))
    #expect(try changed().changedAt == Timestamp(millisecondsSince1970: 7), "an absent parameter does nothing")
    #expect(try changed().size == -9)
  }

  @Test func computesDerivedIDOfAbsentObject() throws {
    store.perform(Card.Sit(card.id))
    #expect(try changed().seats == [Seat.id(in: board.id.queueID, person: me)])
  }

  @Test func readsAlongReferences() throws {
    let parent = Card(board: board.id, title: "Camp", note: "near the lake", state: .open, weight: 0, size: 1)
    store.create(parent)
    let other = Card(board: board.id, title: "Rope", state: .open, weight: 0, size: 1, parent: parent.id)
    store.create(other)
    store.perform(Card.Copy(card.id, other: other.id))
    #expect(try changed().title == "Rope" && changed().note == "near the lake")
  }

  @Test func createsAndUpserts() throws {
    store.perform(Card.Split(card.id, title: "Pegs"))
    let pegs = try #require(try store.objects(Card.self).first { $0.title == "Pegs" })
    #expect(pegs.board == board.id && pegs.parent == card.id && pegs.state == .open)
    let seat = Seat.id(in: board.id.queueID, person: somebody)
    store.create(Seat(board: board.id, person: somebody, name: "old"))
    let invite = store.perform(Board.Invite(board.id, person: somebody))
    #expect(try store.object(seat)?.name == "new")
    #expect(try changes(of: invite).members == [.follow(somebody)])
    let dismiss = store.perform(Board.Dismiss(board.id, person: somebody))
    #expect(try changes(of: dismiss).members == [.unfollow(somebody)])
  }

  @Test func deleteRequiresUploadOfTheFile() throws {
    let file = FileReference(hash: ContentHash(words: (1, 2, 3, 4)), size: 1, mime: "", name: "")
    #expect(try changes(of: store.perform(Card.Attach(card.id, photo: file))).files == [file.hash])
    let take = store.perform(Card.Take(card.id))
    #expect(try changes(of: take).files == [file.hash])
    #expect(try store.object(card.id) == nil)
  }

  @Test func refusesOperationThatReadsAbsentObject() async throws {
    let handle = store.perform(Card.Copy(card.id, other: .new(in: board.id.queueID)))
    await #expect { try await handle.waitUntilSaved() } throws: { ($0 as? StoreError)?.code == .refused }
    #expect(store.failedOperations.map(\.name) == ["card.copy"])
  }

  private func changes(of handle: OperationHandle) throws -> OperationChanges {
    try #require(store.pendingOperations.first { $0.id == handle.id }).changes
  }
}
