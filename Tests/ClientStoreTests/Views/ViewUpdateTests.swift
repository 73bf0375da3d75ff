// Random changes of photos and of the objects that they name. Every view equals a plain derivation, and updates name
// exactly the rows whose view has changed.

import ModelSupport
import MomentsModels
import SampleIDs
import StoreTestSupport
import TestSupport
import Testing

@Suite struct ViewUpdateTests {
  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func updatesNameExactlyTheViewsThatHaveChanged(seed: UInt64) async throws {
    let world = try ViewWorld(seed: seed)
    let cells = world.store.list(Photo.timeline, as: Photo.Cell.self, calendar: world.base.calendar)
    let cards = world.store.list(Moment.all, as: Moment.Card.self)
    while !cells.list.isComplete || !cards.list.isComplete { await Task.yield() }
    var updates = cells.updates.makeAsyncIterator()
    var shown: [Photo.ID: Photo.Cell] = [:]
    var pending: Set<Photo.ID> = []
    var named = 0
    for step in 0..<120 {
      try await world.act(step)
      let update = try #require(await updates.next())
      let expected = try world.cells()
      let ids = (0..<update.snapshot.count).map { update.snapshot.id(at: $0) }
      #expect(Set(ids) == Set(expected.keys), "seed \(seed) step \(step)")
      for id in ids { #expect(try cells.view(id) == expected[id], "seed \(seed) step \(step)") }
      let nowPending = Set(ids.filter(world.store.isPending))
      let changed = Set(
        ids.filter {
          shown[$0] != nil && (shown[$0] != expected[$0] || pending.contains($0) != nowPending.contains($0))
        })
      let updated = Set(update.changes.updates.map { update.snapshot.id(of: $0.row) })
      #expect(updated == changed, "seed \(seed) step \(step)")
      named += changed.count
      (shown, pending) = (expected, nowPending)
      for moment in world.base.moments {
        let count = try cards.view(moment.id)?.photos
        #expect(try count == world.counts()[moment.id, default: 0], "seed \(seed) step \(step)")
      }
    }
    #expect(named > 50, "seed \(seed)")
  }

  /// A pending mark that goes is named by an update, although the view stays equal. Otherwise a view that shows the
  /// mark would have to ask again after every sync.
  @Test(.hangGuard) func updateNamesRowNoLongerPending() async throws {
    let temporary = try TemporaryStore()
    let (store, server, moment) = (temporary.store, HandServer(), Moment(title: "Summit"))
    let queue = moment.id.queueID
    try await server.reveal([store.state(of: moment, revision: 1)], upTo: 1, to: store, in: queue)
    let cards = store.list(Moment.all, as: Moment.Card.self)
    while !cards.list.isComplete { await Task.yield() }
    var updates = cards.updates.makeAsyncIterator()
    _ = await updates.next()
    _ = try cards.view(moment.id)
    let retitling = store.update(moment.id) { $0.title = "Summit, again" }
    let marked = try #require(await updates.next())
    #expect(marked.changes.updates.count == 1 && store.isPending(moment.id))
    try await store.waitUntilSaved()
    _ = try await store.send(in: queue)
    try await server.answer(.applied, to: retitling.id, at: 2, to: store, in: queue)
    var renamed = moment
    renamed.title = "Summit, again"
    try await server.reveal([store.state(of: renamed, revision: 2)], upTo: 2, to: store, in: queue)
    let confirmed = try #require(await updates.next())
    #expect(confirmed.changes.updates.count == 1 && !store.isPending(moment.id))
  }
}

/// Photos in three moments, with their members.
private final class ViewWorld: @unchecked Sendable {
  let base: ListWorld
  var store: ModelStore { base.store }
  private var random: SeededRandom
  private var members: [Member] = []
  private var photos: [Photo.ID] = []
  private var handles: [OperationHandle] = []

  init(seed: UInt64) throws {
    base = try ListWorld(seed: seed)
    random = SeededRandom(seed: seed)
    for moment in base.moments { store.create(moment) }
    for (index, moment) in base.moments.enumerated() {
      for number in 0..<3 {
        let user = number == 0 ? store.user : UserID(high: 9, low: UInt64(number))
        let member = Member(moment: moment.id, user: user, name: "Member \(index) \(number)")
        store.create(member)
        members.append(member)
      }
    }
  }

  /// Makes random changes, and always creates a photo, so that there is an update to wait for.
  func act(_ step: Int) async throws {
    for _ in 0..<random.below(4) { try await change(step) }
    let moment = Int(random.below(3))
    var photo = base.photo(UInt64(step + 1), in: moment, at: Int64(random.below(5)) * ListWorld.day)
    photo = Photo(
      moment: photo.moment, owner: members[moment * 3 + Int(random.below(3))].id, file: photo.file,
      takenAt: photo.takenAt, caption: "Caption \(step)")
    store.create(photo)
    photos.append(photo.id)
  }

  private func change(_ step: Int) async throws {
    guard let photo = photos.isEmpty ? nil : photos[Int(random.below(UInt64(photos.count)))] else { return }
    let member = members[Int(random.below(9))].id
    switch random.below(10) {
    case 0: handles.append(store.update(member) { $0.name = "Name \(step)" })
    case 1: store.update(base.moments[Int(random.below(3))].id) { $0.title = "Title \(step)" }
    case 2: store.perform(Photo.Like(photo))
    case 3: store.perform(Photo.Unlike(photo))
    case 4: store.update(photo) { $0.caption = "Caption \(step)" }
    // The cell does not show tags.
    case 5: store.perform(Photo.Label(photo, tag: "tag \(step)"))
    case 6: store.perform(Photo.Hide(photo))
    case 7: store.delete(photo)
    case 8: handles.popLast()?.cancel()
    default: try await base.reveal([], in: Int(random.below(3)))
    }
  }
}

// The expected views and counts, worked out from all objects.
extension ViewWorld {
  func cells() throws -> [Photo.ID: Photo.Cell] {
    let names = Dictionary(uniqueKeysWithValues: try store.objects(Member.self).map { ($0.id, $0) })
    let titles = Dictionary(uniqueKeysWithValues: try store.objects(Moment.self).map { ($0.id, $0.title) })
    let plain = PlainSource(names: names, titles: titles, user: store.user)
    let shown = try store.objects(Photo.self).filter { !$0.hidden }
    return Dictionary(uniqueKeysWithValues: try shown.map { ($0.id, try Photo.Cell(of: $0, from: plain)) })
  }

  func counts() throws -> [Moment.ID: Int] {
    Dictionary(try store.objects(Photo.self).filter { !$0.hidden }.map { ($0.moment, 1) }, uniquingKeysWith: +)
  }
}

private struct PlainSource: ViewSource {
  let names: [Member.ID: Member]
  let titles: [Moment.ID: String]
  let user: UserID
  let system = SystemFields(createdBy: .zero, at: .zero)

  func object<Object: Model>(_ id: ObjectID<Object>?) -> Object? {
    guard let id else { return nil }
    if let id = id as? Member.ID { return names[id] as? Object }
    return titles[ObjectID(id.rawValue)].map { Moment(id: ObjectID(id.rawValue), title: $0) } as? Object
  }

  func systemFields<Object: Model>(of id: ObjectID<Object>?) -> SystemFields? { nil }

  func answer<Object: Model, Parent: Model>(
    _: ChildQuestion, of _: ObjectID<Parent>, in _: ChildList<Object, Parent>
  ) -> ChildAnswer { .number(0) }

  func own<Object: Model>(in queue: QueueID?, _ make: (QueueID?, UserID) -> ObjectID<Object>) -> ObjectID<Object> {
    make(queue, user)
  }
}
