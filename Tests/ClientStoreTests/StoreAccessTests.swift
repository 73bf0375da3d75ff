// A device knows what its user may do, and refuses other operations when they are performed. Uses generated rights.

import Foundation
import ModelSupport
import SampleIDs
import StoreTestSupport
import TestSupport
import Testing
import TypeMatrix

@Suite struct StoreAccessTests {
  let me = UserID(high: 1, low: 1)
  let somebody = UserID(high: 2, low: 2)
  let folder: TemporaryFolder
  let store: ModelStore
  let server = HandServer()
  let board = Board(name: "Summer")
  let theirs: Card
  let mine: Card
  var queue: QueueID { board.id.queueID }

  init() throws {
    folder = try TemporaryFolder()
    store = try ModelStore(at: folder.url.path, schema: TypeMatrixSchema.self, user: me)
    theirs = Card(board: board.id, title: "Tent", state: .open, weight: 2, size: 7)
    mine = Card(board: board.id, title: "Rope", state: .open, weight: 2, size: 7)
  }

  private func state<Object: Model>(_ object: Object, _ revision: Int64, by user: UserID) throws -> ObjectState {
    ObjectState(
      id: object.id.rawValue, revision: revision,
      live: .init(
        type: Object.modelName, content: try object.encoded(), system: SystemFields(createdBy: user, at: .zero)))
  }

  /// Brings the board, a card of somebody else, a card of the user, and the user's role.
  private func load(as role: QueueRole) async throws {
    let objects = [
      try state(board, 1, by: somebody), try state(theirs, 2, by: somebody), try state(mine, 3, by: me),
    ]
    var arrived = server.page(objects, upTo: 3, for: store, in: queue)
    arrived.page.role = role
    try await store.receive(arrived)
  }

  private func code(_ handle: OperationHandle) -> StoreError.Code? {
    if case .failed(let error) = handle.state { error.code } else { nil }
  }

  @Test func allowsEverythingWhileRoleIsUnknown() throws {
    store.create(board)
    store.create(theirs)
    #expect(store.role(in: queue) == nil)
    #expect(store.can(.delete, theirs.id) && store.can(.update, theirs.id) && store.can(.change(\.photo), theirs.id))
    #expect(store.can(create: Card.self, in: queue))
    #expect(code(store.delete(board.id)) == nil)
  }

  /// So anybody who may create an object may do it, with the default that others decide.
  @Test func createLeavesOutGuardedFieldsAtTheirDefaults() throws {
    func tags(_ object: Wordy) -> [Int] {
      store.create(object)
      guard case .create(_, let patch, _)? = store.pendingOperations.last?.changes.objects.first?.action else {
        return []
      }
      return patch.tags
    }
    func wordy(patch: Int32, merge: Bool) -> Wordy {
      Wordy(
        description: "", debugDescription: "", hash: [], patch: patch, merge: merge, evaluate: 0, operationName: "")
    }
    #expect(tags(wordy(patch: 0, merge: false)) == [1, 2, 3, 11, 12])
    #expect(tags(wordy(patch: 7, merge: false)) == [1, 2, 3, 6, 11, 12])
    #expect(tags(wordy(patch: 0, merge: true)) == [1, 2, 3, 7, 11, 12])
  }

  @Test func absentObjectMayNotBeChanged() {
    #expect(!store.can(.update, mine.id) && !store.can(.delete, mine.id))
  }

  @Test(
    arguments: [
      (.owner, [true, true, true, false, true, true], true), (.writer, [false, true, true, false, true, false], true),
      (.reader, [false, false, false, false, true, false], false),
    ] as [(QueueRole, [Bool], Bool)])
  func rightsAreThoseOfTheRole(role: QueueRole, expected: [Bool], mayCreate: Bool) async throws {
    try await load(as: role)
    #expect(store.role(in: queue) == role)
    let found = [
      store.can(.delete, theirs.id), store.can(.update, theirs.id), store.can(.change(\.note), theirs.id),
      store.can(.change(\.title), theirs.id), store.can(.change(\.votes), theirs.id),
      store.can(.change(\.photo), theirs.id),
    ]
    #expect(found == expected)
    #expect(store.can(create: Card.self, in: queue) == mayCreate)
    #expect(store.can(create: Board.self, in: queue), "readers too")
  }

  @Test func creatorsHaveMoreRightsThanReaders() async throws {
    try await load(as: .reader)
    #expect(
      try store.systemFields(of: mine.id)?.createdBy == me && store.systemFields(of: theirs.id)?.createdBy == somebody)
    #expect(try store.systemFields(of: Card.ID.new(in: nil)) == nil)
    #expect(store.can(.delete, mine.id) && store.can(.change(\.title), mine.id) && store.can(.update, mine.id))
    #expect(!store.can(.change(\.photo), mine.id))
    #expect(code(store.delete(mine.id)) == nil)
  }

  @Test func userIsCreatorOfPendingObject() async throws {
    try await load(as: .writer)
    let new = Card(board: board.id, title: "Pegs", state: .open, weight: 1, size: 1)
    store.create(new)
    #expect(try store.systemFields(of: new.id)?.createdBy == me)
    #expect(store.can(.delete, new.id) && code(store.delete(new.id)) == nil)
  }

  @Test func onlyOwnerMayDeleteRoot() async throws {
    try await load(as: .writer)
    #expect(!store.can(.delete, board.id) && code(store.delete(board.id)) == .forbidden)
    var arrived = server.page(upTo: 4, for: store, in: queue)
    arrived.page.role = .owner
    try await store.receive(arrived)
    #expect(store.can(.delete, board.id) && code(store.delete(board.id)) == nil)
  }

  @Test func refusesForbiddenOperationsAtOnce() async throws {
    try await load(as: .writer)
    let deleting = store.delete(theirs.id)
    let renaming = store.perform(Card.Rename(theirs.id, title: "Mine"))
    #expect(code(deleting) == .forbidden && code(renaming) == .forbidden)
    #expect(store.pendingOperations.isEmpty)
    #expect(
      store.failedOperations.map(\.reason.message) == [
        "You are not allowed to delete this card.", "You are not allowed to change the title of this card.",
      ])
    #expect(try store.object(theirs.id)?.title == "Tent")
    #expect(code(store.perform(Card.Sit(theirs.id))) == nil)
    #expect(code(store.perform(Card.Rename(mine.id, title: "Still mine"))) == nil)
  }

  @Test func readersMayDoWhatTheTableGivesThem() async throws {
    try await load(as: .reader)
    #expect(
      code(store.perform(Card.Up(theirs.id))) == nil
        && code(store.perform(Card.Mark(theirs.id, mark: "a"))) == .forbidden)
    let card = Card(board: board.id, title: "Pegs", state: .open, weight: 1, size: 1)
    store.create(card)
    #expect(store.failedOperations.last?.reason.message == "You are not allowed to create this card.")
    #expect(try store.object(card.id) == nil)
  }

  @Test func writerMayNotPromoteOrDismissOthers() async throws {
    try await load(as: .writer)
    #expect(code(store.perform(Board.Show(board.id, people: [somebody]))) == nil)
    #expect(code(store.perform(Board.Promote(board.id, person: somebody))) == .forbidden)
    #expect(code(store.perform(Board.Dismiss(board.id, person: somebody))) == .forbidden)
    #expect(code(store.perform(Board.Dismiss(board.id, person: me))) == nil, "everybody may leave")
  }

  @Test func ownersGiveOwnershipAwayAndLeave() async throws {
    try await load(as: .owner)
    let handle = store.perform(Board.HandOn(board.id, heir: somebody))
    #expect(code(handle) == nil)
    let changes = try #require(store.pendingOperations.first { $0.id == handle.id }).changes
    #expect(changes.members == [.role(somebody, .owner), .unfollow(me)])
    #expect(changes.objects.count == 1)
  }

  @Test func operationMayNotChangeMembersAfterLeaving() async throws {
    try await load(as: .owner)
    let action = Leaving(board: board.id, guest: somebody)
    #expect(code(store.perform(action)) == .forbidden)
    #expect(
      store.failedOperations.last?.reason.message == "You are not allowed to change who follows this, or in which role."
    )
  }

  @Test(
    arguments: [
      ("forbidden", .forbidden), ("lastOwner", .lastOwner), ("conditionFailed", .conditionFailed), ("else", .rejected),
    ] as [(String, StoreError.Code)])
  func refusalsOfTheServerHaveCodesOfTheirOwn(code: String, expected: StoreError.Code) async throws {
    try await load(as: .writer)
    let handle = store.perform(Card.Sit(theirs.id))
    try await store.waitUntilSaved()
    try await server.answer(.rejected(code), to: handle.id, at: 3, to: store, in: queue)
    #expect(store.failedOperations.map(\.reason.code) == [expected])
    store.abandon()
    let again = try ModelStore(at: folder.url.path, schema: TypeMatrixSchema.self, user: me)
    #expect(again.failedOperations.map(\.reason.code) == [expected], "also after the next start")
  }
}

/// Leaves the board, and then adds a guest to it.
private struct Leaving: ModelOperation {
  var board: Board.ID
  var guest: UserID

  static let operationName = "board.leaving"
  static let fieldTable = FieldTable(projection: "board.leaving", Field(1, "board", \Self.board))

  func evaluate(in context: inout OperationContext) throws {
    try context.unfollow(context.user, inQueueOf: board)
    try context.follow(guest, inQueueOf: board)
  }
}
