// `waitUntilSaved()` waits for every operation performed before it, in whatever order the executor runs the jobs.

import ModelSupport
import SampleIDs
import StoreTestSupport
import TestSupport
import Testing

@Suite struct BarrierTests {
  @Test(arguments: 1...20 as ClosedRange<UInt64>) func savedReturnsOnceEarlierOperationsAreOnDisk(seed: UInt64) throws {
    let disk = FaultDisk()
    let executor = SeededExecutor(seed: seed)
    try RuntimeEnvironment.$current.withValue(.seeded(seed, spawning: { executor.spawn($0) })) {
      let store = try ModelStore(at: disk.folder, schema: WorkloadSchema.self, user: Workload.user)
      for count in 1...3 {
        var entry = Entry(zeroWithID: .new(in: .queue(2)))
        entry.box = QueueID.queue(2)
        store.create(entry)
        try executor.run { try await store.waitUntilSaved() }
        #expect(try StoreImage(disk).operations.count == count)
      }
    }
  }
}
