// The next process shows the ends of a list first, before it has read everything.

import Determinism
import Foundation
import ModelSupport
import MomentsModels
import SampleIDs
import StoreTestSupport
import Testing

@testable import ClientStore

@Suite struct ListWindowTests {
  @Test func theNextProcessShowsBothEndsFirst() async throws {
    let world = try ListWorld()
    try await world.reveal((0..<2_500).map { world.photo($0, at: Int64($0) * 1_000_000) })
    let first = world.store.list(Photo.timeline, calendar: world.calendar)
    for await update in first.updates where update.snapshot.isComplete { break }
    let all = first.snapshot
    first.core.saveWindow()

    let tasks = HeldTasks()
    let store = try RuntimeEnvironment.$current.withValue(.seeded(1, spawning: tasks.spawn)) {
      try world.temporary.reopen()
    }
    let list = store.list(Photo.timeline, calendar: world.calendar)
    #expect(list.snapshot.isEmpty)
    let states = Collected()
    _ = list.core.consumers.add { [core = list.core] in states.append(core.newestWithoutWaiting) }
    await tasks.run()
    let shown = states.all
    #expect(shown.map(\.count) == [400, 2_500] && shown.map(\.isComplete) == [false, true])
    let ids = (0..<400).map { shown[0].layout.rows.id(of: shown[0].row(at: $0)) }
    let expected = (Array(0..<200) + Array(2_300..<2_500)).map { RowID(all.id(at: $0).rawValue) }
    #expect(ids == expected)
    // The first rows do not count as changed when they are read again.
    #expect(shown[1].difference(from: shown[0]).updates.isEmpty)
  }

  /// Saved rows of the list's ends that are gone, moved or hidden by now are not shown as they were.
  @Test func savedRowThatIsGoneIsNotShown() async throws {
    let world = try ListWorld()
    try await world.reveal((0..<10).map { world.photo($0, at: Int64($0)) })
    let ids = try world.store.objects(Photo.self).map(\.id.rawValue)
    ListWindows(storeFolder: world.temporary.folder).save(ids + [UUIDValue(high: 7, low: 7)], of: "photo.timeline")
    let gone = try world.store.objects(Photo.self)[3].id
    world.store.delete(gone)
    let list = world.store.list(Photo.timeline, calendar: world.calendar)
    for await update in list.updates {
      #expect(!update.snapshot.contains(gone))
      if update.snapshot.isComplete { break }
    }
    #expect(ListWorld.plain(list.snapshot) == (try world.timeline()))
  }

  @Test func ignoresDamagedWindowFiles() throws {
    let temporary = try TemporaryStore()
    let windows = ListWindows(storeFolder: temporary.folder)
    #expect(windows.ids(of: "a").isEmpty)
    let ids = (0..<3).map { UUIDValue(high: 1, low: $0) }
    windows.save(ids, of: "a")
    #expect(windows.ids(of: "a") == ids)
    let folder = temporary.folder + "/lists"
    let file = folder + "/" + (try #require(FileManager.default.contentsOfDirectory(atPath: folder).first))
    // One file is cut off, the other far too long.
    for bytes in [Data(count: 17), Data(count: 1 << 20)] {
      try bytes.write(to: URL(fileURLWithPath: file))
      #expect(windows.ids(of: "a").isEmpty)
    }
    for number in 0..<120 { windows.save(ids, of: "photo.inMoment(\(number))") }
    #expect((90...100).contains(try FileManager.default.contentsOfDirectory(atPath: folder).count))
    #expect(windows.ids(of: "photo.inMoment(119)") == ids)
  }
}

/// `@unchecked Sendable`: the states are behind a lock.
private final class Collected: @unchecked Sendable {
  private let lock = NSLock()
  private var states: [Snapshot] = []

  func append(_ state: Snapshot) { lock.withLock { states.append(state) } }
  var all: [Snapshot] { lock.withLock { states } }
}
