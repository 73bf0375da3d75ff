// Fetches all objects of a model: as the user sees them at one moment, in the order that was asked for.

import ModelSupport
import MomentsModels
import SampleIDs
import StoreTestSupport
import Testing
import TypeMatrix

@Suite struct FetchTests {
  let temporary: TemporaryStore
  let server = HandServer()
  let moment = Moment(title: "Hut to hut")
  var store: ModelStore { temporary.store }

  init() throws {
    temporary = try TemporaryStore()
  }

  private func photo(_ number: UInt64, caption: String? = nil) -> Photo {
    Photo(
      moment: moment.id, owner: .zero,
      file: FileReference(hash: ContentHash(words: (number, 2, 3, 4)), size: 1, mime: "image/jpeg", name: "a.jpg"),
      takenAt: Timestamp(millisecondsSince1970: Int64(number % 3)), caption: caption)
  }

  private func reveal(_ photos: [Photo]) async throws {
    let states = try photos.enumerated().map { try store.state(of: $1, revision: Int64($0) + 1) }
    try await server.reveal(states, upTo: Int64(photos.count), to: store, in: moment.id.queueID)
  }

  @Test func fetchMergesConfirmedAndPendingObjects() async throws {
    let photos = (0..<6).map { photo($0) }
    try await reveal(photos)
    store.update(photos[1].id) { $0.caption = "Mine" }
    store.delete(photos[2].id)
    let new = photo(7)
    store.create(new)
    store.create(moment)
    let found = try store.objects(Photo.self)
    #expect(Set(found.map(\.id)) == Set((photos + [new]).map(\.id)).subtracting([photos[2].id]))
    #expect(found.first { $0.id == photos[1].id }?.caption == "Mine")
    #expect(found.map(\.id.rawValue) == found.map(\.id.rawValue).sorted())
    #expect(try store.objects(Moment.self) == [moment])
  }

  @Test func sortsNaNLast() {
    let weights: [Float] = [3, .nan, 1, 2]
    let cards = weights.enumerated().map { number, weight in
      Card(
        id: .object(UInt64(number), in: Board.ID.zero), board: .zero, title: "", state: .open, weight: weight,
        size: 0)
    }
    let order = ObjectOrder<Card>.ascending(\.weight)
    #expect(order.sorted(cards).map { "\($0.weight)" } == ["1.0", "2.0", "3.0", "nan"])
  }

  @Test func sortsByFieldsWithAbsentValuesLast() async throws {
    let photos = [
      photo(1, caption: "b"), photo(2), photo(3, caption: "a"), photo(4, caption: "a"), photo(5), photo(6),
    ]
    try await reveal(photos)
    func captions(_ order: ObjectOrder<Photo>) throws -> [String] {
      try store.objects(Photo.self, orderedBy: order).map { $0.caption ?? "-" }
    }
    #expect(try captions(.ascending(\.caption)) == ["a", "a", "b", "-", "-", "-"])
    #expect(try captions(.descending(\.caption)) == ["b", "a", "a", "-", "-", "-"], "absent ones are last either way")
    let newest = try store.objects(Photo.self, orderedBy: .newestFirst).map(\.takenAt.millisecondsSince1970)
    #expect(newest == [2, 2, 1, 1, 0, 0])
    let both = try store.objects(Photo.self, orderedBy: .descending(\.takenAt).then(.ascending(\.caption)))
    #expect(
      both.map { "\($0.takenAt.millisecondsSince1970)\($0.caption ?? "-")" } == ["2-", "2-", "1a", "1b", "0a", "0-"])
    let ties = try store.objects(Photo.self, orderedBy: .ascending(\.caption)).filter { $0.caption == nil }
    #expect(ties.map(\.id.rawValue) == ties.map(\.id.rawValue).sorted())
  }
}
