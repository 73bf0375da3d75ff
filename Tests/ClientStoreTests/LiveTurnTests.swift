// What the user does on the main actor is told in the same turn, so that SwiftUI animates it.

import ModelSupport
import MomentsModels
import Observation
import Testing

@testable import ClientStore

@MainActor
@Suite struct LiveTurnTests {
  let world: ListWorld
  var store: ModelStore { world.store }
  private var photo: Photo { world.photo(1) }

  init() throws { world = try ListWorld() }

  /// Reads as a view does, makes a change, and returns whether the observer was told before that returned.
  private func tells<Value>(_ read: @autoclosure () -> Value, _ change: () -> Void) -> Bool {
    let isTold = Locked(false)
    withObservationTracking {
      _ = read()
    } onChange: {
      isTold.withLock { $0 = true }
    }
    change()
    return isTold.withLock { $0 }
  }

  @Test func everyCallOfTheAppTellsBeforeItReturns() {
    let (live, list) = (store.live(photo.id), store.list(Photo.timeline, calendar: world.calendar))
    let photos = list.live()
    #expect(tells(live.value) { store.create(photo) })
    var edit: OperationHandle?
    #expect(tells(photos.value) { edit = store.update(photo.id) { $0.caption = "Summit" } })
    #expect(tells(live.value) { edit?.cancel() })
    #expect(tells(live.value) { store.perform(Photo.Hide(photo.id)) })
    #expect(tells(photos.value) { store.create(contentsOf: [world.photo(2), world.photo(3)]) })
    #expect(tells(photos.value) { store.perform(contentsOf: [Photo.Hide(world.photo(2).id)]) })
    list.pauseUpdates()
    #expect(!tells(photos.value) { store.delete(world.photo(3).id) })
    #expect(tells(photos.value) { list.resumeUpdates() })
  }

  @Test func observerMayChangeWhatItObserves() {
    let live = store.live(photo.id)
    store.create(photo)
    let turns = Locked(0)
    withObservationTracking {
      _ = live.value
    } onChange: { [store, photo] in
      let turn = turns.withLock { turns in
        turns += 1
        return turns
      }
      store.update(photo.id) { $0.caption = "Turn \(turn)" }
    }
    store.update(photo.id) { $0.caption = "Summit" }
    #expect(turns.withLock { $0 } == 1)
    #expect(live.value?.caption == "Turn 1")
  }

  @Test(.hangGuard) func changeElsewhereTellsByATask() async {
    let live = store.live(photo.id)
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
    withObservationTracking {
      _ = live.value
    } onChange: {
      continuation.yield()
    }
    await Self.create(photo, in: store)
    var iterator = changes.makeAsyncIterator()
    await iterator.next()
    #expect(live.value == photo)
  }

  @concurrent
  private static func create(_ photo: Photo, in store: ModelStore) async { store.create(photo) }
}
