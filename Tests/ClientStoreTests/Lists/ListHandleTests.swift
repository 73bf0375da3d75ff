// Open lists of a store: a change of the user is visible in the next line, a change of others once it is shown.

import Foundation
import ModelSupport
import MomentsModels
import SampleIDs
import StoreTestSupport
import TestSupport
import Testing

@Suite struct ListHandleTests {
  /// Waits until the list is complete, and returns its snapshot.
  private func complete(
    _ list: ListHandle<Photo, CalendarDay>
  ) async throws -> ListSnapshot<Photo, CalendarDay> {
    for await update in list.updates where update.snapshot.isComplete { return update.snapshot }
    throw CancellationError()
  }

  @Test func aChangeIsThereInTheNextLine() async throws {
    let world = try ListWorld()
    let list = world.store.list(Photo.timeline, calendar: world.calendar)
    #expect(list.snapshot.isEmpty)
    let photo = world.photo(1)
    world.store.create(photo)
    #expect(list.snapshot.id(at: 0) == photo.id)
    #expect(list.snapshot.section(at: 0).description == "1970-01-01")
    #expect(world.store.isPending(photo.id))
    world.store.update(photo.id) { $0.takenAt = Timestamp(millisecondsSince1970: -ListWorld.day) }
    #expect(list.snapshot.section(at: 0).description == "1969-12-31")
    world.store.update(photo.id) { $0.hidden = true }
    #expect(list.snapshot.isEmpty)
    let delete = world.store.delete(photo.id)
    #expect(list.snapshot.isEmpty)
    delete.cancel()
    world.store.update(photo.id) { $0.hidden = false }
    #expect(list.snapshot.count == 1)
  }

  @Test func listReadsObjectsFromDisk() async throws {
    let world = try ListWorld()
    try await world.reveal((0..<2_500).map { world.photo($0, at: Int64($0) * 1_000_000) })
    let list = world.store.list(Photo.timeline, calendar: world.calendar)
    let mine = world.photo(9_000)
    world.store.create(mine)
    #expect(list.snapshot.contains(mine.id))
    let snapshot = try await complete(list)
    #expect(snapshot.count == 2_501)
    #expect(ListWorld.plain(snapshot) == (try world.timeline()))
  }

  @Test func showsOnlyFirstPhotoOfTheSameFile() async throws {
    let world = try ListWorld()
    let list = world.store.list(Photo.timeline, calendar: world.calendar)
    let older = world.photo(1, in: 0, hash: 7, at: 0)
    world.store.create(older)
    let newer = world.photo(2, in: 1, hash: 7, at: 1_000)
    world.store.create(newer)
    #expect(list.snapshot.count == 1 && list.snapshot.contains(newer.id))
    world.store.update(newer.id) { $0.hidden = true }
    #expect(list.snapshot.count == 1 && list.snapshot.contains(older.id))
    world.store.update(newer.id) { $0.hidden = false }
    #expect(list.snapshot.contains(newer.id))
    world.store.delete(newer.id)
    #expect(list.snapshot.count == 1 && list.snapshot.contains(older.id))
  }

  @Test func objectsLeaveWithEndOfQueueAndReturnIfCancelled() async throws {
    let world = try ListWorld()
    for moment in world.moments { world.store.create(moment) }
    for moment in 0..<3 { world.store.create(world.photo(UInt64(moment), in: moment)) }
    let list = world.store.list(Photo.timeline, calendar: world.calendar)
    let end = world.store.delete(world.moments[1].id)
    #expect(list.snapshot.count == 2)
    end.cancel()
    let snapshot = try await complete(list)
    #expect(snapshot.count == 3)
  }

  @Test func listOfMomentHasOnlyItsPhotos() async throws {
    let world = try ListWorld()
    for moment in 0..<3 { world.store.create(world.photo(UInt64(moment), in: moment)) }
    let list = world.store.list(Photo.inMoment(moment: world.moments[2].id))
    let snapshot = list.snapshot
    #expect(snapshot.count == 1 && snapshot.sectionCount == 1 && snapshot.section(at: 0) == Unsectioned())
  }

  @Test func consumerGetsChangesSinceItsLastUpdate() async throws {
    let world = try ListWorld()
    let list = world.store.list(Photo.timeline, calendar: world.calendar)
    _ = try await complete(list)
    var updates = list.updates.makeAsyncIterator()
    let first = try #require(await updates.next())
    #expect(first.snapshot.isEmpty && first.changes.isEmpty)
    let photos = (0..<3).map { world.photo($0, at: Int64($0)) }
    world.store.create(contentsOf: photos)
    let second = try #require(await updates.next())
    #expect(second.changes.insertedSections == [0] && second.snapshot.count == 3)
    list.pauseUpdates()
    world.store.update(photos[0].id) { $0.takenAt = Timestamp(millisecondsSince1970: 10) }
    world.store.update(photos[1].id) { $0.caption = "Summit" }
    list.resumeUpdates()
    let third = try #require(await updates.next())
    #expect(third.changes.moves.map { third.snapshot.id(of: $0.row) } == [photos[0].id])
    #expect(third.changes.updates.map { third.snapshot.id(of: $0.row) } == [photos[1].id])
  }

  @Test func listCatchesUpAfterManyArrivals() async throws {
    let world = try ListWorld()
    let list = world.store.list(Photo.timeline, calendar: world.calendar)
    _ = try await complete(list)
    try await world.reveal((0..<25_000).map { world.photo($0, at: Int64($0)) })
    let snapshot = try await complete(list)
    #expect(snapshot.count == 25_000)
  }

  @Test(.hangGuard) func failedReadingIsReportedAndRetried() async throws {
    let world = try ListWorld()
    try await world.reveal((0..<3).map { world.photo($0) })
    let folder = world.temporary.folder
    try FileManager.default.moveItem(atPath: folder, toPath: folder + "-away")
    let list = world.store.list(Photo.timeline, calendar: world.calendar)
    var updates = list.updates.makeAsyncIterator()
    var update = try #require(await updates.next())
    while update.error == nil { update = try #require(await updates.next()) }
    #expect(!update.isComplete && !list.snapshot.isComplete && list.error != nil)
    try FileManager.default.moveItem(atPath: folder + "-away", toPath: folder)
    let snapshot = try await complete(list)
    #expect(snapshot.count == 3 && list.error == nil)
    while update.error != nil || !update.isComplete { update = try #require(await updates.next()) }
    #expect(update.snapshot.count == 3)
  }

  /// A look inside an update waits for no lock: this thread has the store's lock, and another may have the list's.
  @Test(.hangGuard) func snapshotInsideUpdateDoesNotDeadlock() async throws {
    let world = try ListWorld()
    let list = world.store.list(Photo.timeline, calendar: world.calendar)
    let photo = world.photo(1)
    world.store.create(photo)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for _ in 0..<2_000 { _ = list.snapshot } }
      group.addTask {
        for number in 0..<2_000 {
          world.store.update(photo.id) { $0.caption = "\(number) of \(list.snapshot.count)" }
        }
      }
    }
    #expect(try world.store.object(photo.id)?.caption == "1999 of 1")
  }

  @Test(arguments: 1...40) func limitedListEqualsStartOfSort(seed: Int) async throws {
    try await check(Photo.latest, seed) { try $0.latest() }
  }

  /// Updates of a list with a limit name the rows that come into it and go out of it, and no change behind the limit.
  @Test func updatesOfLimitedListNameRowsInAndOut() async throws {
    let world = try ListWorld()
    let list = world.store.list(Photo.latest, calendar: world.calendar)
    _ = try await complete(list)
    let photos = (0..<14).map { world.photo($0, at: Int64($0)) }
    world.store.create(contentsOf: photos)
    var updates = list.updates.makeAsyncIterator()
    let first = try #require(await updates.next())
    #expect(first.snapshot.count == 12 && first.changes.insertedSections == [0])
    world.store.delete(photos[13].id)
    let second = try #require(await updates.next())
    #expect(second.changes.deletes.map(\.path) == [SnapshotPath(section: 0, index: 0)])
    #expect(second.changes.inserts.map { second.snapshot.id(of: $0.row) } == [photos[1].id])
    world.store.update(photos[0].id) { $0.caption = "Behind the limit" }
    world.store.update(photos[5].id) { $0.caption = "Summit" }
    let third = try #require(await updates.next())
    #expect(third.changes.updates.map { third.snapshot.id(of: $0.row) } == [photos[5].id])
    #expect(third.changes.inserts.isEmpty && third.changes.deletes.isEmpty && third.changes.moves.isEmpty)
  }

  @Test(arguments: 1...40) func listsAreAlwaysWhatASortOfEverythingGives(seed: Int) async throws {
    try await check(Photo.timeline, seed) { try $0.timeline() }
  }

  /// Compares a list with a sort of all objects, after each of many changes.
  private func check(
    _ definition: ListDefinition<Photo, CalendarDay>, _ seed: Int, _ expecting: (ListWorld) throws -> ListWorld.Plain
  ) async throws {
    let world = try ListWorld(seed: UInt64(seed))
    let first = world.store.list(definition, calendar: world.calendar)
    for step in 0..<60 {
      let what = try await world.change()
      // Sometimes compares a second list, which is opened in the middle of the changes.
      let list = step % 20 == 19 ? world.store.list(definition, calendar: world.calendar) : first
      let snapshot = list.snapshot
      let plain = snapshot.isComplete ? ListWorld.plain(snapshot) : ListWorld.plain(try await complete(list))
      let expected = try expecting(world)
      #expect(plain == expected, "seed \(seed), step \(step), \(what): \(plain), not \(expected)")
      if plain != expected { return }
    }
  }
}
