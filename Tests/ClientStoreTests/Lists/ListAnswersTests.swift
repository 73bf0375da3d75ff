// What a list notes of the other objects that decide about its order, and when it forgets that.

import Foundation
import ModelSupport
import SampleIDs
import TestSupport
import Testing
import TypeMatrix

@testable import ClientStore

@Suite struct ListAnswersTests {
  private static let board = Board.ID.queue(1)
  private static let system = SystemFields(createdBy: .zero, at: .zero)
  private static let cards = ChildList<Card, Board>("card.here") { (fields: CardFields, _) in
    Child(of: fields.board)
  }

  private static func store(in folder: TemporaryFolder) throws -> ModelStore {
    try ModelStore(at: folder.url.path, schema: TypeMatrixSchema.self, user: UserID(high: 1, low: 1))
  }

  /// Otherwise a card that came and went between two looks could leave the board at the place that it gave it.
  @Test func answersAreThoseOfTheLastLook() async throws {
    let folder = try TemporaryFolder()
    let store = try Self.store(in: folder)
    let answers = ListAnswers([Self.cards.asked], store) {}
    while !answers.wereRead() { await Task.yield() }
    let source = answers.source(for: Self.board.rawValue, Self.system)
    func count() throws -> Int { try source.count(Self.cards, of: Self.board) }

    let card = Card(board: Self.board, title: "Tent", state: .open, weight: 1, size: 1)
    store.create(card)
    #expect(try count() == 0)
    store.delete(card.id)
    #expect(answers.take(with: .changes([])).again?.isEmpty == true)

    store.create(Card(board: Self.board, title: "Lamp", state: .open, weight: 1, size: 1))
    let again = try #require(answers.take(with: .changes([])).again)
    #expect(again.count == 1)
    guard case .unread(Self.board.rawValue) = again.first else {
      Issue.record("\(again) is not the board")
      return
    }
    #expect(try count() == 1)
  }

  @Test func tooManyNotesLetAllBeReadAgain() throws {
    let folder = try TemporaryFolder()
    let answers = ListAnswers([], try Self.store(in: folder)) {}
    #expect(answers.wereRead())
    let source = answers.source(for: Self.board.rawValue, Self.system)
    func lookUp(_ numbers: Range<UInt64>) throws {
      for number in numbers { #expect(try source.object(Card.ID.object(number, in: Self.board)) == nil) }
    }
    try lookUp(0..<20_000)
    #expect(answers.take(with: .changes([])).again?.isEmpty == true)
    // What was noted before is no news.
    try lookUp(0..<20_000)
    #expect(answers.take(with: .changes([])).again?.isEmpty == true)
    try lookUp(20_000..<20_001)
    #expect(answers.take(with: .changes([])).again == nil)
    answers.forget()
    #expect(answers.take(with: .changes([])).again?.isEmpty == true)
    // A list that needs so many is not read for ever.
    try lookUp(0..<20_001)
    #expect(answers.take(with: .changes([])).again?.isEmpty == true)
  }

  @Test func lookUpThatCannotBeReadIsAbsentAndReported() async throws {
    let folder = try TemporaryFolder()
    let store = try Self.store(in: folder)
    let answers = ListAnswers([], store) {}
    let source = answers.source(for: Self.board.rawValue, Self.system)
    let card = Card(board: Self.board, title: "Tent", state: .open, weight: 1, size: 1)
    store.create(card)
    #expect(try source.object(card.id)?.title == "Tent")
    #expect(answers.error == nil)
    try await store.close()
    #expect(try source.object(card.id) == nil)
    #expect(answers.error?.code == .closed)
  }
}

private struct CardFields: ListFields {
  var board = Board.ID.zero

  static let fieldTable = FieldTable(projection: "card", Field(1, "board", \Self.board))

  func queueID(of id: UUIDValue) -> QueueID? { board.queueID }
}
