// A step of sync is on disk, but its objects cannot be read back into memory.

import ModelSupport
import StoreTestSupport
import Testing

@testable import ClientStore

@Suite struct UnreadObjectsTests {
  /// The last page of a load without any object. The objects that the user has changed are gone then, and no page names
  /// them, so the store must read them from its disk.
  private func emptyLoad(_ workload: Workload) async throws -> AnsweredDelta {
    for step in [.page, .create, .create, .send, .answer] as [Workload.Step] { try await workload.run(step) }
    while workload.revealed < workload.server.head { try await workload.run(.page) }
    for step in [.change, .change, .reset] as [Workload.Step] { try await workload.run(step) }
    let overlay = workload.store!.memory.withLock { $0.outbox.overlay }
    #expect(overlay.objects.values.contains { $0.confirmed != nil }, "the user has changed an object that will be gone")
    let server = workload.server
    let pages = ServerPages(head: server.head + 1, objects: [], outcomes: server.outcomes)
    return pages.next(for: workload.store!, in: server.queue)
  }

  /// Whichever call to the disk fails, the store shows the content of its disk as soon as it can be read again.
  @Test func memoryMatchesDiskAfterFailedRead() async throws {
    var (refused, unread) = (0, 0)
    for number in 1...200 {
      let disk = FaultDisk()
      let workload = Workload(seed: 7, disk: disk)
      try workload.open()
      let load = try await emptyLoad(workload)
      let store = workload.store!
      let before = try StoreImage(disk)
      disk.fail(.any, at: number)
      var isRefused = false
      do { try await store.receive(load) } catch is StoreError { isRefused = true }
      let isHit = disk.failures > 0
      if !store.memory.withLock({ $0.outbox.overlay.stale.isEmpty }) { unread += 1 }
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
