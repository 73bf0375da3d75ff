// Two handles of the same list share what was read, and a list of one queue reads only that queue.

import Determinism
import Foundation
import ModelSupport
import MomentsModels
import StoreTestSupport
import Testing

@testable import ClientStore

@Suite struct OpenListTests {
  private let tasks = HeldTasks()
  private let world: ListWorld
  private var store: ModelStore { world.store }

  init() throws {
    world = try RuntimeEnvironment.$current.withValue(.seeded(1, spawning: tasks.spawn)) {
      try ListWorld(TemporaryStore())
    }
  }

  @Test func theSameListIsReadOnce() async throws {
    let first = store.list(Photo.timeline, calendar: world.calendar)
    await tasks.run()
    let second = store.list(Photo.timeline, calendar: world.calendar)
    #expect(second.isComplete, "nothing has to be read")
    // A failure would print all that a list reaches.
    let isShared = first.core === second.core
    #expect(isShared)
    let elsewhere = store.list(Photo.timeline, calendar: ListCalendar(timeZone: .gmt))
    let isOther = elsewhere.core !== first.core
    #expect(isOther, "its days begin at other moments")
    let moments = world.moments.map { store.list(Photo.inMoment(moment: $0.id)) }
    let areTwo = moments[0].core !== moments[1].core
    #expect(areTwo)
  }

  @Test func listThatNobodyKeepsIsReadAgain() async throws {
    var list: ListHandle? = store.list(Photo.timeline, calendar: world.calendar)
    await tasks.run()
    #expect(list?.isComplete == true)
    list = nil
    #expect(!store.list(Photo.timeline, calendar: world.calendar).isComplete)
  }

  @Test(.hangGuard) func snapshotOfAnOpenListReadsNothing() async throws {
    try await tasks.freely { try await world.reveal((0..<3).map { world.photo($0, at: Int64($0)) }) }
    let list = store.list(Photo.timeline, calendar: world.calendar)
    await tasks.run()
    let own = world.photo(9, at: 9)
    store.create(own)
    // The tasks that would read are held back, so this would wait for ever if it needed one.
    let once = try await store.snapshot(of: Photo.timeline, calendar: world.calendar)
    #expect(Array(once.ids) == Array(list.snapshot.ids) && once.contains(own.id) && once.count == 4)
  }

  @Test func listOfOneQueueReadsThatQueue() async throws {
    let (here, elsewhere) = (world.moments[0].id, world.moments[1].id.queueID)
    let source = ListSource(Photo.inMoment(moment: here), store, calendar: world.calendar, ListConsumers())
    #expect(source.part(of: .everything) == .queue(here.queueID) && !source.mayBe(in: elsewhere))
    try await tasks.freely { try await world.reveal((0..<3).map { world.photo($0) }) }
    try await tasks.freely { try await world.reveal((3..<8).map { world.photo($0, in: 1) }, in: 1) }
    let list = store.list(Photo.inMoment(moment: here))
    await tasks.run()
    #expect(list.isComplete && list.snapshot.count == 3)
    try await tasks.freely { try await world.reveal((8..<400).map { world.photo($0, in: 1) }, in: 1) }
    #expect(list.isComplete, "what arrives elsewhere is not placed")
    let all = ListSource(Photo.timeline, store, calendar: world.calendar, ListConsumers())
    #expect(all.part(of: .everything) == .everything && all.mayBe(in: elsewhere))
  }

  @Test func oneViewCountsWhatIsThere() async throws {
    try await tasks.freely {
      store.create(world.moments[0])
      try await world.reveal((0..<5).map { world.photo($0) })
    }
    try await tasks.freely { try await world.reveal((5..<7).map { world.photo($0, in: 1) }, in: 1) }
    let own = world.photo(9)
    store.create(own)
    func count() throws -> Int? { try store.view(Moment.Card.self, of: world.moments[0].id)?.photos }
    #expect(try count() == 6, "no list is open")
    var inside: Int?
    store.update(own.id) { photo in
      photo.hidden = true
      inside = try? count()
    }
    #expect(inside == 6, "an update that goes on is not there yet")
    let cards = store.list(Moment.all, as: Moment.Card.self)
    _ = try cards.view(world.moments[0].id)
    #expect(try count() == 5, "the list that counts has not read anything yet")
    await tasks.run()
    #expect(try count() == 5 && cards.view(world.moments[0].id)?.photos == 5)
  }
}
