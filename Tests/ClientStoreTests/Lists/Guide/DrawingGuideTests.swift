// The code in docs/guides/drawing-lists.md compiles, and what it draws is right after every change.

import Foundation
import ModelRuntime
import MomentsModels
import Observation
import StoreTestSupport
import TestSupport
import Testing

@MainActor
@Suite struct DrawingGuideTests {
  @Test func theSwiftOfTheGuideIsCompiled() throws {
    let guide = try String(contentsOf: Repository.url("docs/guides/drawing-lists.md"), encoding: .utf8)
    let example = try String(
      contentsOf: Repository.url("Tests/ClientStoreTests/Lists/Guide/DrawingExample.swift"), encoding: .utf8)
    let blocks = guide.split(separator: "```swift\n").dropFirst().compactMap { $0.split(separator: "```").first }
    #expect(blocks.count == 4)
    for block in blocks { #expect(example.contains(block), "the guide has other Swift than DrawingExample:\n\(block)") }
  }

  @Test(.hangGuard, arguments: 1...12 as ClosedRange<UInt64>)
  func tableMatchesNewTableAfterEveryChange(seed: UInt64) async throws {
    let world = try ListWorld(seed: seed)
    let cells = world.store.list(Photo.timeline, as: Photo.Cell.self, calendar: world.calendar)
    let table = TableView()
    let controller = TimelineController(cells, table)
    var updates = cells.updates.makeAsyncIterator()
    for step in 0..<60 {
      let what = try await world.change()
      // Some changes cause no update of the list; this one always does.
      world.store.create(world.photo(1_000 + UInt64(step), at: Int64(step)))
      while true {
        let update = try #require(await updates.next())
        controller.show(update)
        if update.isComplete { break }
      }
      let new = TableView()
      let other = TimelineController(cells, new)
      var all = cells.updates.makeAsyncIterator()
      other.show(try #require(await all.next()))
      #expect(table.complaint == nil, "seed \(seed), step \(step), \(what)")
      #expect(table.sections == new.sections, "seed \(seed), step \(step), \(what)")
      if table.sections != new.sections || table.complaint != nil { return }
    }
  }

  /// Like the real table view, the double complains about an update with missing changes.
  @Test func tableComplainsAboutMissingChanges() async throws {
    let world = try ListWorld()
    let cells = world.store.list(Photo.timeline, as: Photo.Cell.self, calendar: world.calendar)
    let table = TableView()
    let controller = TimelineController(cells, table)
    for number: UInt64 in 1...3 { world.store.create(world.photo(number)) }
    var updates = cells.updates.makeAsyncIterator()
    controller.show(try #require(await updates.next()))
    world.store.delete(world.photo(2).id)
    var update = try #require(await updates.next())
    update.changes = cells.list.snapshot.base.difference(from: cells.list.snapshot.base)
    controller.show(update)
    #expect(table.complaint?.contains("number of rows") == true)
  }

  @Test(.hangGuard) func viewIsDrawnAgainAfterAChange() async throws {
    let world = try ListWorld()
    let photo = world.photo(1)
    world.store.create(photo)
    let timeline = world.store.live(Photo.timeline, calendar: world.calendar)
    #expect(body(of: timeline, in: world.store) == ["# 1970-01-01", "no caption"])
    let (draws, continuation) = AsyncStream.makeStream(of: Void.self)
    withObservationTracking {
      _ = body(of: timeline, in: world.store)
    } onChange: {
      continuation.yield()
    }
    world.store.update(photo.id) { $0.caption = "Summit" }
    for await _ in draws { break }
    #expect(body(of: timeline, in: world.store) == ["# 1970-01-01", "Summit"])
  }

  @Test(.hangGuard) func aTerminalPrintsWhatIsNew() async throws {
    let world = try ListWorld()
    let list = world.store.list(Photo.timeline, calendar: world.calendar)
    var updates = list.updates.makeAsyncIterator()
    var first = try #require(await updates.next())
    while !first.isComplete { first = try #require(await updates.next()) }
    let photo = world.photo(1)
    world.store.create(photo)
    #expect(news(try #require(await updates.next()), in: world.store) == ["+ 1970-01-01", "+ no caption"])
    world.store.update(photo.id) { $0.caption = "Summit" }
    #expect(news(try #require(await updates.next()), in: world.store) == ["~ Summit"])
    world.store.create(world.photo(2, at: 5))
    world.store.delete(photo.id)
    #expect(news(try #require(await updates.next()), in: world.store) == ["+ no caption", "- one less"])
  }
}
