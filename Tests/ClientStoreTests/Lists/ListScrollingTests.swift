// Anchors find the object that a view keeps in its place, or the nearest one if it is gone.

import Foundation
import ModelSupport
import MomentsModels
import SampleIDs
import TestSupport
import Testing

@Suite struct ListScrollingTests {
  @Test(arguments: 1...60) func anchorFindsItsObjectOrTheNearest(seed: UInt64) async throws {
    let world = try ListWorld(seed: seed)
    var random = SeededRandom(seed: seed)
    let photos = (0..<30).map { world.photo($0, at: Int64(random.below(40))) }
    world.store.create(contentsOf: photos)
    let old = try await world.store.snapshot(of: Photo.timeline, calendar: world.calendar)
    let ids = Array(old.ids)
    let position: Int = random.below(ids.count)
    let anchor = old.anchor(at: position)
    // Deletes none, some or all of the photos.
    let chance: UInt64 = random.below(101)
    for photo in photos where random.chance(chance) { world.store.delete(photo.id) }
    for number in 0..<5 { world.store.create(world.photo(100 + UInt64(number), at: Int64(random.below(40)))) }
    if let moved = photos.randomElement(using: &random) {
      world.store.update(moved.id) { $0.takenAt = Timestamp(millisecondsSince1970: 50) }
    }
    let new = try await world.store.snapshot(of: Photo.timeline, calendar: world.calendar)
    let left = Set(new.ids)
    let expected =
      ids[position...].first(where: left.contains) ?? ids[..<position].last(where: left.contains)
    #expect(new.position(of: anchor).map { new.id(at: $0) } == expected, "seed \(seed)")
  }
}
