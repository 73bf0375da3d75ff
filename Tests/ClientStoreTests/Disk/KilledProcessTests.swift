// The store after a killed process or a failed sync, and after a power cut that follows.

import ModelSupport
import SampleIDs
import StoreTestSupport
import Testing

@Suite struct KilledProcessTests {
  private let box = QueueID.queue(2)

  private func open(_ disk: FaultDisk, _ tasks: HeldTasks) throws -> ModelStore {
    try RuntimeEnvironment.$current.withValue(.seeded(1, spawning: tasks.spawn)) {
      try ModelStore(at: disk.folder, schema: WorkloadSchema.self, user: Workload.user)
    }
  }

  private var entry: Entry {
    var entry = Entry(zeroWithID: .object(9, in: box))
    entry.box = box
    return entry
  }

  /// A process is killed between the write of a commit and its sync. If the next process shows the commit, a later
  /// power cut must not take it back.
  @Test func commitShownAfterKillSurvivesPowerCut() async throws {
    var (shown, hidden) = (0, 0)
    for point in 1... {
      let (disk, tasks) = (FaultDisk(), HeldTasks())
      var store: ModelStore? = try open(disk, tasks)
      disk.kill(at: disk.points + point)
      store?.create(entry)
      await tasks.run()
      guard disk.isOff else { break }
      store?.abandon()
      store = nil
      disk.restart()
      store = try open(disk, tasks)
      let isShown = try store?.object(entry.id) != nil
      if isShown { shown += 1 } else { hidden += 1 }
      disk.cut(seed: UInt64(point))
      store?.abandon()
      store = nil
      disk.restart()
      #expect(try (open(disk, tasks).object(entry.id) != nil) == isShown, "killed at point \(point)")
    }
    #expect(shown > 0 && hidden > 0)
  }

  /// After a failed sync Linux drops the bytes, but still shows them to the next process. Commits that this process
  /// appends to the log would follow a gap, and must survive a power cut all the same.
  @Test(arguments: [false, true]) func aFailedSyncTakesNothingElseAlong(isKilled: Bool) async throws {
    let (disk, tasks) = (FaultDisk(), HeldTasks())
    // The first opening creates the tables and syncs them, so that the sync below is the first of the second one.
    _ = try open(disk, tasks)
    var store: ModelStore? = try open(disk, tasks)
    disk.fail(.sync, at: 1)
    await #expect(throws: StoreError.self) {
      if let store { try await HandServer().reveal(upTo: 1, to: store, in: box) }
    }
    if isKilled {
      disk.kill()
      store?.abandon()
      store = nil
      disk.restart()
      store = try open(disk, tasks)
    } else {
      disk.heal()
    }
    store?.create(entry)
    await tasks.run()
    try await store?.waitUntilSaved()
    disk.cut(seed: 1)
    store?.abandon()
    store = nil
    disk.restart()
    #expect(try open(disk, tasks).object(entry.id) == entry)
  }
}
