// How often views are derived, and changes in the middle of a derivation.

import ModelSupport
import MomentsModels
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

@Suite struct ViewDerivationTests {
  let world: ListWorld
  var store: ModelStore { world.store }

  init() throws { world = try ListWorld() }

  @Test func anUnchangedRowIsDerivedOnce() throws {
    let cells = store.list(Photo.timeline, as: WatchedCell.self)
    let photos = (2_001...2_003).map { world.photo($0) }
    store.create(contentsOf: photos)
    for _ in 0..<3 { for photo in photos { _ = try cells.view(photo.id) } }
    store.update(photos[0].id) { $0.caption = "Summit" }
    for _ in 0..<3 { for photo in photos { _ = try cells.view(photo.id) } }
    #expect(photos.map { WatchedCell.derivations(of: $0.id) } == [2, 1, 1])
  }

  @Test func forgetsViewsReadLongAgo() throws {
    let cells = store.list(Photo.timeline, as: WatchedCell.self)
    let photos = (10_001...11_101).map { world.photo($0) }
    store.create(contentsOf: photos)
    for photo in photos { _ = try cells.view(photo.id) }
    _ = try cells.view(photos[1_100].id)
    _ = try cells.view(photos[0].id)
    #expect(WatchedCell.derivations(of: photos[1_100].id) == 1)
    #expect(WatchedCell.derivations(of: photos[0].id) == 2)
  }

  @Test(.hangGuard) func prefetchDerivesViewsAhead() async throws {
    let cells = store.list(Photo.timeline, as: WatchedCell.self)
    store.create(contentsOf: (5_001...5_030).map { world.photo($0, at: -Int64($0)) })
    let ids = Array(cells.list.snapshot.ids)
    cells.prefetch(20..<90, of: cells.list.snapshot)
    while WatchedCell.derivations(of: ids[29]) == 0 { await Task.yield() }
    cells.prefetch(10..<12, of: cells.list.snapshot)
    while WatchedCell.derivations(of: ids[11]) == 0 { await Task.yield() }
    for id in ids { _ = try cells.view(id) }
    #expect(ids.allSatisfy { WatchedCell.derivations(of: $0) == 1 })
  }

  /// A scroll view asks for other rows at every moment. A new request ends the one before, whose rows nobody waits for.
  @Test(.hangGuard) func prefetchCancelsTheOneBefore() async throws {
    let cells = store.list(Photo.timeline, as: WatchedCell.self)
    store.create(contentsOf: (6_001...6_003).map { world.photo($0, at: -Int64($0)) })
    let snapshot = cells.list.snapshot
    let ids = Array(snapshot.ids)
    WatchedCell.whileDeriving(ids[0]) { cells.prefetch(2..<3, of: snapshot) }
    cells.prefetch(0..<2, of: snapshot)
    while WatchedCell.derivations(of: ids[2]) == 0 { await Task.yield() }
    #expect(WatchedCell.derivations(of: ids[1]) == 0)
  }

  /// A view whose object changes while it is derived may be out of date, so it is not kept.
  @Test func doesNotKeepViewThatChangesWhileDerived() throws {
    let cells = store.list(Photo.timeline, as: WatchedCell.self)
    let photo = world.photo(3_001)
    store.create(photo)
    WatchedCell.whileDeriving(photo.id) { [store] in store.update(photo.id) { $0.caption = "Summit" } }
    #expect(try cells.view(photo.id)?.caption == nil)
    #expect(try cells.view(photo.id)?.caption == "Summit")
  }

  @Test(.hangGuard) func endHidesViewsOfQueueUntilCancelled() async throws {
    let moment = world.moments[0]
    store.create(moment)
    let photo = world.photo(4_001)
    store.create(photo)
    let (cells, cards) = (store.list(Photo.timeline, as: Photo.Cell.self), store.list(Moment.all, as: Moment.Card.self))
    while try cards.view(moment.id)?.photos != 1 { await Task.yield() }
    #expect(try cells.view(photo.id)?.moment == moment.title)
    let end = store.delete(moment.id)
    #expect(try cells.view(photo.id) == nil)
    #expect(try cards.view(moment.id) == nil)
    end.cancel()
    #expect(try cells.view(photo.id)?.moment == moment.title)
    while try cards.view(moment.id)?.photos != 1 { await Task.yield() }
  }
}

/// A view of a photo that counts how often it is derived.
private struct WatchedCell: ModelView {
  let id: Photo.ID
  let caption: String?

  private struct Watch {
    var derivations = 0
    var next: (@Sendable () -> Void)?
  }

  private static let watches = Mutex<[Photo.ID: Watch]>([:])

  static func derivations(of id: Photo.ID) -> Int { watches.withLock { $0[id]?.derivations ?? 0 } }

  /// Calls `body` once, in the next derivation of this photo.
  static func whileDeriving(_ id: Photo.ID, _ body: @escaping @Sendable () -> Void) {
    watches.withLock { $0[id, default: Watch()].next = body }
  }

  init(of object: Photo, from source: some ViewSource) throws {
    id = object.id
    caption = object.caption
    let next = Self.watches.withLock { watches in
      watches[object.id, default: Watch()].derivations += 1
      defer { watches[object.id]?.next = nil }
      return watches[object.id]?.next
    }
    next?()
  }
}
