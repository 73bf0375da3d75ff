// What `ForEach` goes by: each section and each object of a list has one id, which stays while the list changes.

import Foundation
import ModelSupport
import MomentsModels
import Testing

@testable import ModelRuntimeUI

@MainActor
@Suite struct SectionIdentityTests {
  let world: EditWorld
  private let calendar = ListCalendar(timeZone: .gmt)

  init() throws { world = try EditWorld() }

  private func photo(_ number: UInt64, day: Int64) -> Photo {
    let hash = ContentHash(words: (number, 2, 3, 4))
    let file = FileReference(hash: hash, size: 1, mime: "image/jpeg", name: "a.jpg")
    let takenAt = Timestamp(millisecondsSince1970: day * 86_400_000)
    return Photo(moment: world.moment.id, owner: .zero, file: file, takenAt: takenAt)
  }

  @Test func sectionKeepsItsIdWhileItsObjectsChange() throws {
    let live = world.store.live(Photo.timeline, calendar: calendar)
    world.store.create(contentsOf: [photo(1, day: 1), photo(2, day: 3)])
    let before = live.value.sections.map(\.id)
    world.store.create(contentsOf: [photo(3, day: 3), photo(4, day: 2)])
    let after = live.value.sections.map(\.id)
    #expect(before.map(\.description) == ["1970-01-04", "1970-01-02"])
    #expect(after.map(\.description) == ["1970-01-04", "1970-01-03", "1970-01-02"])
    #expect(after.filter(before.contains) == before)
    #expect(Set(after).count == after.count)
    #expect(Set(live.value.ids).count == live.value.count)
  }

  /// A moved object keeps its id: `ForEach` moves its row, and does not remove and insert it.
  @Test func movedObjectIsInOneSection() throws {
    let live = world.store.live(Photo.timeline, calendar: calendar)
    let moved = photo(1, day: 1)
    world.store.create(contentsOf: [moved, photo(2, day: 1), photo(3, day: 3)])
    world.store.update(moved.id) { $0.takenAt = Timestamp(millisecondsSince1970: 3 * 86_400_000) }
    let places = live.value.sections.filter { $0.ids.contains(moved.id) }
    #expect(places.map(\.id.description) == ["1970-01-04"])
  }
}
