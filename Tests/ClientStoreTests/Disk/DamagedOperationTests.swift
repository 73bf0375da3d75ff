// A damaged row of the outbox is reported to the app. The store still opens, and sends all other operations.

import Foundation
import GRDB
import ModelSupport
import SampleIDs
import StoreTestSupport
import Testing

@Suite struct DamagedOperationTests {
  @Test(arguments: [
    "changes = changes || x'00'", "changes = 'text'", "parameters = x'FF'", "performedAt = performedAt + 1",
    "id = x'01'", "queue = 77", "type = 77", "outcome = 'maybe', outcomeAt = 1", "sum = sum + 1",
  ])
  func reportsDamagedOperationAndSendsOthers(_ damage: String) async throws {
    let disk = FaultDisk()
    let workload = Workload(seed: 5, disk: disk)
    // Fails some too, so that both tables have rows of the same numbers.
    for step in [.refuse, .refuse, .refuse, .page, .create, .create, .change] as [Workload.Step] {
      try await workload.run(step)
    }
    workload.close()
    let before = try StoreImage(disk)
    try await DatabaseQueue(path: disk.folder + "/store.sqlite").write { database in
      try database.execute(sql: "UPDATE operation SET \(damage) WHERE number = 2")
    }
    try workload.open()
    let store = workload.store!
    #expect(store.failedOperations.map(\.reason.code) == [.refused, .refused, .refused, .damaged])
    #expect(store.failedOperations.map(\.id).dropLast() == before.failedOperations[...])
    let pending = try await store.send(in: QueueID.queue(2)).map(\.operation)
    #expect(pending == before.operations.map(\.id).filter { $0 != before.operations[1].id })
    workload.close()
    try workload.open()
    #expect(workload.store!.failedOperations.count == 4, "told once")
  }
}
