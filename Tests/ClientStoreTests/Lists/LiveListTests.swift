// A view of a live list sees the newest state whenever it reads, and is told once after a change of what it has read.

import ModelSupport
import MomentsModels
import Observation
import StoreTestSupport
import Testing

@MainActor
@Suite struct LiveListTests {
  let world: ListWorld
  var store: ModelStore { world.store }

  init() throws { world = try ListWorld() }

  /// Reads as a view does, makes a change, and returns when something that was read has changed.
  private func changed<Value>(_ read: @autoclosure () -> Value, after change: () async throws -> Void) async rethrows {
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
    withObservationTracking {
      _ = read()
    } onChange: {
      continuation.yield()
    }
    try await change()
    var iterator = changes.makeAsyncIterator()
    await iterator.next()
  }

  @Test(.hangGuard) func observerIsToldAndReadsNewestSnapshot() async throws {
    let live = store.live(Photo.timeline, calendar: world.calendar)
    let photo = world.photo(1)
    await changed(live.value) { store.create(photo) }
    #expect(live.value.ids.elementsEqual([photo.id]))
    try await changed(live.value) { try await world.reveal([world.photo(2, at: 2 * ListWorld.day)]) }
    #expect(live.value.sections.map(\.id.description) == ["1970-01-03", "1970-01-01"])
    #expect(live.value.sections.map { Array($0.ids) } == [[world.photo(2).id], [photo.id]])
    await changed(live.value) { store.update(photo.id) { $0.caption = "Summit" } }
  }

  @Test(.hangGuard) func liveListStandsStillWhileHeld() async throws {
    let list = store.list(Photo.timeline, calendar: world.calendar)
    let live = list.live()
    while !live.value.isComplete { await Task.yield() }
    list.pauseUpdates()
    store.create(world.photo(1))
    #expect(live.value.isEmpty)
    await changed(live.value) { list.resumeUpdates() }
    #expect(live.value.count == 1)
  }

  @Test func liveListEndsWithItsLastReference() throws {
    var list: ListHandle? = store.list(Photo.timeline, calendar: world.calendar)
    weak let handle = list
    var live = list?.live()
    list = nil
    #expect(handle != nil && live != nil)
    live = nil
    #expect(handle == nil)
  }
}
