// A step of sync that is on disk, and whose objects cannot be read back into memory.

import ModelRuntime
import StoreTestSupport
import Testing

@testable import ClientStore

@Suite struct UnreadObjectsTests {
  /// Whichever call of the step fails: what the store shows is what its disk says, as soon as it can be read again.
  @Test func memoryFollowsTheDisk() async throws {
    var (refused, unread) = (0, 0)
    for number in 1...200 {
      let disk = FaultDisk()
      let workload = Workload(seed: 5, disk: disk)
      try workload.open()
      for step in [.create, .send, .answer, .page, .change, .edit, .reset] as [Workload.Step] {
        try await workload.run(step)
      }
      let store = workload.store!
      let pending = store.memory.withLock { $0.outbox.objects.count }
      #expect(pending > 0 && store.place(of: QueueID(UUIDValue(high: 2, low: 2))).load != .loaded)
      let before = try StoreImage(disk)
      disk.fail(.any, at: number)
      var isRefused = false
      do { try await workload.run(.page) } catch is StoreError { isRefused = true }
      let isHit = disk.failures > 0
      if !store.memory.withLock({ $0.outbox.stale.isEmpty }) { unread += 1 }
      disk.heal()
      let after = try StoreImage(disk)
      #expect(isRefused == (after == before), "call \(number): a step that fails leaves nothing, any other is on disk")
      let problems = try after.problems(of: store)
      #expect(problems.isEmpty, "call \(number): \(problems)")
      if isRefused { refused += 1 }
      guard isHit else { break }
    }
    #expect(refused > 0 && unread > 0, "refused \(refused), unread \(unread)")
  }
}
