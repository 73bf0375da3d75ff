// Many objects arrive at once. Nobody who looks at a list waits until they are placed, and no change is lost meanwhile.

import Determinism
import ModelSupport
import MomentsModels
import StoreTestSupport
import Testing

@testable import ClientStore

@Suite struct ListFollowingTests {
  private let tasks = HeldTasks()
  private let world: ListWorld
  private var store: ModelStore { world.store }

  init() throws {
    world = try RuntimeEnvironment.$current.withValue(.seeded(1, spawning: tasks.spawn)) {
      try ModelStore.$placedAtOnce.withValue(4) { try ListWorld(TemporaryStore()) }
    }
  }

  /// Opens a list, and completes it. Its queues were loaded.
  private func openList() async throws -> ListHandle<Photo, CalendarDay> {
    for moment in 0..<2 { try await receive(0..<0, in: moment) }
    let list = store.list(Photo.timeline, calendar: world.calendar)
    await tasks.run()
    #expect(list.isComplete)
    return list
  }

  private func receive(_ numbers: Range<UInt64>, in moment: Int = 0) async throws {
    try await receive(numbers.map { world.photo($0, in: moment, at: Int64($0)) }, in: moment)
  }

  private func receive(_ photos: [Photo], in moment: Int) async throws {
    let queue = world.moments[moment].id.queueID
    let revision = store.place(of: queue).cursor + 1
    let states = try photos.map { try store.state(of: $0, revision: revision) }
    try await world.server.reveal(states, upTo: revision, to: store, in: queue)
  }

  private func expectRight(_ list: ListHandle<Photo, CalendarDay>) async throws {
    await tasks.run()
    #expect(list.isComplete)
    #expect(ListWorld.plain(list.snapshot) == (try world.timeline()))
  }

  @Test func snapshotDoesNotPlaceArrivedObjects() async throws {
    let list = try await openList()
    try await receive(0..<5)
    #expect(list.snapshot.isEmpty && !list.isComplete)
    let own = world.photo(9)
    store.create(own)
    #expect(Array(list.snapshot.ids) == [own.id], "what the user has just done is there at once")
    store.update(world.photo(0).id) { $0.hidden = true }
    store.delete(world.photo(1).id)
    store.update(world.photo(2).id) { $0.takenAt = Timestamp(millisecondsSince1970: 5 * ListWorld.day) }
    #expect(list.snapshot.count == 2)
    try await expectRight(list)
    #expect(list.snapshot.count == 4)
  }

  @Test func fewArrivedObjectsArePlacedAtOnce() async throws {
    let list = try await openList()
    try await receive(0..<4)
    #expect(list.snapshot.count == 4 && list.isComplete)
  }

  @Test func objectsRemovedBeforePlacingAreNotListed() async throws {
    let list = try await openList()
    try await receive(0..<5)
    store.delete(world.photo(1).id)
    store.update(world.photo(2).id) { $0.hidden = true }
    #expect(!list.isComplete)
    try await expectRight(list)
    #expect(list.snapshot.count == 3)
  }

  @Test func arrivingPageKeepsPendingEdits() async throws {
    let list = try await openList()
    try await receive(0..<5)
    #expect(!list.isComplete)
    try await expectRight(list)
    store.update(world.photo(1).id) { $0.hidden = true }
    store.delete(world.photo(2).id)
    try await receive(0..<5)
    #expect(!list.isComplete)
    try await expectRight(list)
    #expect(list.snapshot.count == 3)
  }

  @Test func placesObjectsThatArriveWhilePlacing() async throws {
    let list = try await openList()
    try await receive(0..<5)
    _ = list.snapshot
    try await receive(3..<8)
    store.delete(world.photo(4).id)
    _ = list.snapshot
    try await receive(0..<3)
    #expect(!list.isComplete)
    try await expectRight(list)
    #expect(list.snapshot.count == 7)
  }

  /// One queue has to be read again. At the moment in which a task begins to read it, objects arrive in another queue.
  @Test func placesArrivalsWhileAnotherQueueIsRead() async throws {
    let list = try await openList()
    try await revoke(0)
    #expect(!list.isComplete)
    try await receive(10..<15, in: 1)
    try await expectRight(list)
    #expect(list.snapshot.count == 5)
  }

  @Test func placesArrivalsAfterFailedReading() async throws {
    let list = try await openList()
    try await revoke(0)
    #expect(!list.isComplete)
    let reading = try #require(try list.core.beginReading(store.reader.scan()))
    try await receive(10..<15, in: 1)
    #expect(list.snapshot.isEmpty)
    list.core.failReading(StoreError(.inputOutput, "It cannot be read."), of: reading.scope)
    try await expectRight(list)
    #expect(list.snapshot.count == 5)
  }

  /// While a long reading lasts, more objects arrive than the list keeps. So their queue is read again.
  @Test func readsQueueAgainIfTooManyObjectsArrive() async throws {
    let list = try await openList()
    try await revoke(0)
    #expect(!list.isComplete)
    var reading = try #require(try list.core.beginReading(store.reader.scan()))
    for first in stride(from: 0, to: ShownList.mostArrived + 2_000, by: 2_000) {
      try await receive(UInt64(first)..<UInt64(first + 2_000), in: 1)
      _ = list.snapshot
    }
    reading.end()
    list.core.show(&reading, isAll: true)
    #expect(list.snapshot.isEmpty, "nothing was kept that could be placed")
    try await expectRight(list)
    #expect(list.snapshot.count == ShownList.mostArrived + 2_000)
  }

  private func revoke(_ moment: Int) async throws {
    try await store.receive(.revoked(outcomes: [], retention: .zero), in: world.moments[moment].id.queueID)
  }

  @Test func arrivalsInEndingQueueAreNotShown() async throws {
    let list = try await openList()
    store.create(world.moments[0])
    try await receive(0..<5)
    store.delete(world.moments[0].id)
    _ = list.snapshot
    try await expectRight(list)
    #expect(list.snapshot.isEmpty)
  }

  /// Objects arrive after the task that places others has looked for new ones for the last time.
  @Test func nextTaskPlacesObjectsThatArriveLate() throws {
    let source = ListSource(Photo.timeline, store, calendar: world.calendar, ListConsumers())
    var shown = ShownList(list: ListState(Photo.timeline.layout.layout(of: source.rows)))
    _ = shown.list.takeUnread()
    func arrive(_ numbers: Range<UInt64>) throws {
      let states = try numbers.map { try store.state(of: world.photo($0, at: Int64($0)), revision: 1) }
      shown.perform([.arrived(ArrivedObjects(states), in: world.moments[0].id.queueID)])
    }
    func place(meanwhile: () throws -> Void) throws {
      #expect(shown.isBehind)
      shown.isBehind = false
      var following = ListReading(following: shown.list)
      let since = shown.takeSince(moreThan: 64)
      let (steps, state) = try #require(since)
      following.replay(source.placed(steps), of: state)
      try meanwhile()
      shown.take(&following, isAll: true)
    }
    try arrive(0..<5)
    try place { try arrive(5..<10) }
    #expect(shown.list.snapshot.count == 5 && !shown.list.snapshot.isComplete && shown.isBehind)
    try place {}
    #expect(shown.list.snapshot.count == 10 && shown.list.snapshot.isComplete && !shown.isBehind)
  }

  @Test func pageOfUnlistedObjectsKeepsRevision() async throws {
    _ = try await openList()
    let others = store.list(Photo.inMoment(moment: world.moments[1].id))
    try await receive(10..<12, in: 1)
    await tasks.run()
    let before = others.snapshot
    var hidden = (0..<5).map { world.photo($0, in: 1) }
    for number in hidden.indices { hidden[number].hidden = true }
    try await receive(hidden, in: 1)
    #expect(!others.isComplete)
    await tasks.run()
    let after = others.snapshot
    #expect(after.isComplete && after.revision == before.revision && after.layoutRevision == before.layoutRevision)
    #expect(after.count == 2)
  }

  @Test func derivesViewsOfArrivedObjectsAgain() async throws {
    _ = try await openList()
    let cells = store.list(Photo.timeline, as: Photo.Cell.self, calendar: world.calendar)
    try await receive(0..<5)
    #expect(try cells.view(world.photo(3).id)?.caption == nil)
    var photos = (UInt64(0)..<5).map { world.photo($0, at: Int64($0)) }
    photos[3].caption = "Lake"
    try await receive(photos, in: 0)
    #expect(try cells.view(photos[3].id)?.caption == "Lake")
  }
}
