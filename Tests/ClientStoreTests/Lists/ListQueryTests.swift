// Reads a list once, without keeping it open.

import Foundation
import ModelSupport
import MomentsModels
import SampleIDs
import TestSupport
import Testing

@Suite struct ListQueryTests {
  @Test func queryReturnsAllListedObjects() async throws {
    let world = try ListWorld()
    try await world.reveal((0..<2_500).map { world.photo($0, at: Int64($0) * 1_000_000) })
    world.store.create(world.photo(9_000))
    let list = try await world.store.snapshot(of: Photo.timeline, calendar: world.calendar)
    #expect(try list.isComplete && ListWorld.plain(list) == world.timeline())
    let photos = try await world.store.objects(in: Photo.timeline, calendar: world.calendar)
    #expect(photos.map(\.id) == Array(list.ids))
  }

  @Test(.hangGuard) func throwsIfStoreCannotBeRead() async throws {
    let world = try ListWorld()
    try await world.reveal([world.photo(1)])
    let folder = world.temporary.folder
    try FileManager.default.moveItem(atPath: folder, toPath: folder + "-away")
    await #expect(throws: StoreError.self) { try await world.store.snapshot(of: Photo.timeline) }
    try FileManager.default.moveItem(atPath: folder + "-away", toPath: folder)
    #expect(try await world.store.objects(in: Photo.timeline).count == 1)
  }
}
