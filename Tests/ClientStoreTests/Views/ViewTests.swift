// Views show the objects that they are made of, as the user sees them at each moment.

import Foundation
import ModelSupport
import MomentsModels
import SampleIDs
import TestSupport
import Testing
import TypeMatrix

@Suite struct ViewTests {
  let temporary: TemporaryStore
  var store: ModelStore { temporary.store }
  let moment: Moment
  let anna: Member

  init() throws {
    temporary = try TemporaryStore()
    moment = Moment(title: "Alps")
    temporary.store.create(moment)
    anna = Member(moment: moment.id, user: UserID(high: 7, low: 7), name: "Anna")
    temporary.store.create(anna)
  }

  private func photo(_ number: UInt64, caption: String? = nil, of owner: Member.ID? = nil) -> Photo {
    Photo(
      moment: moment.id, owner: owner ?? anna.id,
      file: FileReference(
        hash: ContentHash(words: (number, 2, 3, 4)), size: 1, mime: "image/jpeg", name: "a.jpg"),
      takenAt: Timestamp(millisecondsSince1970: Int64(number)), caption: caption)
  }

  @Test func viewShowsObjectAndThoseItNames() throws {
    let cells = store.list(Photo.timeline, as: Photo.Cell.self)
    let photo = photo(1, caption: "Summit")
    store.create(photo)
    let cell = try #require(try cells.view(photo.id))
    #expect(cell.caption == "Summit" && cell.owner == "Anna" && cell.moment == "Alps" && cell.likes == 0)
    #expect(cell.mine == nil, "the user is no member")
    store.create(Member(moment: moment.id, user: store.user, name: "Me"))
    store.update(anna.id) { $0.name = "Ann" }
    store.perform(Photo.Like(photo.id))
    let changed = try #require(try cells.view(photo.id))
    #expect(changed.owner == "Ann" && changed.likes == 1 && changed.mine == "Me")
    let handle = store.update(moment.id) { $0.title = "Dolomites" }
    #expect(try cells.view(photo.id)?.moment == "Dolomites")
    handle.cancel()
    #expect(try cells.view(photo.id)?.moment == "Alps", "what is taken back is not shown")
    store.delete(photo.id)
    #expect(try cells.view(photo.id) == nil)
  }

  @Test func aViewOfOneObjectNeedsNoList() throws {
    let photo = photo(1, caption: "Summit")
    store.create(photo)
    let cell = try #require(try store.view(Photo.Cell.self, of: photo.id))
    #expect(cell.caption == "Summit" && cell.owner == "Anna" && cell.moment == "Alps")
    store.delete(photo.id)
    #expect(try store.view(Photo.Cell.self, of: photo.id) == nil)
  }

  @Test func fieldOfAbsentObjectIsNil() throws {
    let cells = store.list(Photo.timeline, as: Photo.Cell.self)
    let ben = Member(moment: moment.id, user: UserID(high: 8, low: 8), name: "Ben")
    let photo = photo(1, of: ben.id)
    store.create(photo)
    #expect(try cells.view(photo.id)?.owner == nil)
    store.create(ben)
    #expect(try cells.view(photo.id)?.owner == "Ben")
  }

  @Test(.hangGuard) func aCountFollowsTheListThatItCounts() async throws {
    let cards = store.list(Moment.all, as: Moment.Card.self)
    let photos = (1...3).map { photo($0) }
    store.create(contentsOf: photos)
    _ = try cards.view(moment.id)
    for await update in cards.updates where update.isComplete { break }
    #expect(try cards.isComplete && cards.view(moment.id)?.photos == 3)
    store.perform(Photo.Hide(photos[0].id))
    #expect(try cards.view(moment.id)?.photos == 2)
    store.delete(photos[1].id)
    #expect(try cards.view(moment.id)?.photos == 1)
    store.create(photo(4))
    #expect(try cards.view(moment.id)?.photos == 2)
    let empty = Moment(title: "Empty")
    store.create(empty)
    #expect(try cards.view(empty.id)?.photos == 0)
  }

  @Test func insideOfAnUpdateItIsRightToo() throws {
    let cells = store.list(Photo.timeline, as: Photo.Cell.self)
    let photo = photo(1, caption: "Summit")
    store.create(photo)
    var seen: Photo.Cell?
    store.update(photo.id) { _ in seen = try? cells.view(photo.id) }
    #expect(seen?.caption == "Summit" && seen?.owner == "Anna")
  }

  /// Compares fields with every kind of path with the values of the objects.
  @Test(.hangGuard) func derivesEveryKindOfField() async throws {
    let me = UserID(high: 1, low: 1)
    let folder = try TemporaryFolder()
    let store = try ModelStore(at: folder.url.path, schema: TypeMatrixSchema.self, user: me)
    var board = Board(name: "Summer")
    let seat = Seat(board: board.id, person: me, name: "mine")
    board.lead = seat.id
    store.create(board)
    store.create(seat)
    let hash = ContentHash(words: (1, 2, 3, 4))
    let file = FileReference(hash: hash, size: 9, mime: "image/jpeg", name: "a.jpg")
    let camp = Card(
      board: board.id, title: "Camp", note: "near the lake", marks: ["a", "b"], state: .done, photo: file,
      weight: 0, size: 1, seats: [seat.id])
    store.create(camp)
    let tent = Card(board: board.id, title: "Tent", state: .open, weight: 2, size: 7, parent: camp.id)
    store.create(tent)
    let peg = Card(board: board.id, title: "Peg", marks: ["x"], state: .open, weight: 2, size: 7, parent: tent.id)
    store.create(peg)
    let rows = store.list(Card.open(board: board.id), as: Card.Row.self)
    let first = try #require(try rows.view(tent.id))
    #expect(first.title == "Tent" && first.marks.isEmpty && first.markCount == 0 && first.state == .open)
    #expect(first.photoHash == nil && first.size == nil && first.board == "Summer" && first.lead == "mine")
    #expect(first.parent == "Camp" && first.note == "near the lake" && first.grandparent == nil)
    #expect(first.siblings == 2 && first.seats == [seat.id] && first.photo == hash && first.mine == "mine")
    let second = try #require(try rows.view(peg.id))
    #expect(second.grandparent == "Camp" && second.siblings == 0 && second.photo == nil && second.markCount == 1)
    let third = try #require(try rows.view(camp.id))
    #expect(third.photoHash == hash && third.size == 9 && third.parent == nil && third.siblings == nil)
    let pages = store.list(ListDefinition.everyBoard, as: Board.Page.self)
    while try pages.view(board.id)?.open != 2 { await Task.yield() }
    let seats = try Seat.Name(of: seat, from: Reading(store))
    #expect(seats.own == "mine" && seats.board == "Summer")
  }

  /// A source as an app may write it for its tests.
  private struct Reading: ViewSource {
    let store: ModelStore
    var user: UserID { store.user }
    let system = SystemFields(createdBy: .zero, at: .zero)
    init(_ store: ModelStore) { self.store = store }
    func object<Object: Model>(_ id: ObjectID<Object>?) throws -> Object? { try id.flatMap { try store.object($0) } }
    func systemFields<Object: Model>(of id: ObjectID<Object>?) throws -> SystemFields? {
      try id.flatMap { try store.systemFields(of: $0) }
    }
    func answer<Object: Model, Parent: Model>(
      _: ChildQuestion, of _: ObjectID<Parent>, in _: ChildList<Object, Parent>
    ) -> ChildAnswer { .number(0) }
    func own<Object: Model>(in queue: QueueID?, _ make: (QueueID?, UserID) -> ObjectID<Object>) -> ObjectID<Object> {
      make(queue, user)
    }
  }
}

extension ListDefinition<Board, Unsectioned> {
  fileprivate static var everyBoard: Self {
    ListDefinition("board.every") { (_: BoardFields, _) in ListPlace(order: .number(0)) }
  }
}

private struct BoardFields: ListFields {
  var name = ""

  static let fieldTable = FieldTable(projection: "board", Field(1, "name", \Self.name))

  func queueID(of id: UUIDValue) -> QueueID? { QueueID(id) }
}
