// Tests the limit of objects that one operation may change.

import Foundation
import ModelSupport
import SampleIDs
import StoreTestSupport
import SyncProtocol
import TestSupport
import Testing

@testable import ClientStore

@Suite struct OperationLimitTests {
  let folder: TemporaryFolder
  let store: ModelStore
  private let box = QueueID.queue(2)

  init() throws {
    folder = try TemporaryFolder()
    store = try ModelStore(at: folder.url.path, schema: WorkloadSchema.self, user: Workload.user)
  }

  private func create(_ count: Int) -> OperationHandle {
    store.submit("entry.import") { context in
      for _ in 0..<count {
        var entry = Entry(zeroWithID: .new(in: box))
        entry.box = box
        try context.create(entry)
      }
    }
  }

  @Test func operationOnTooManyObjectsIsRefused() async throws {
    let limit = ProtocolLimits.objectChanges
    await #expect {
      try await create(limit + 1).waitUntilSaved()
    } throws: {
      ($0 as? StoreError)?.message.contains("at most 10000 objects; this one changes 10001.") == true
    }
    #expect(store.failedOperations.map(\.name) == ["entry.import"] && store.pendingOperations.count == 0)
    try await create(limit).waitUntilSaved()
    #expect(store.pendingOperations.count == 1)
  }
  /// The server would skip the second one.
  @Test func largeOperationsLeaveOneByOne() async throws {
    let server = HandServer()
    try await server.reveal(upTo: 0, to: store, in: box)
    let handles = [create(6_000), create(6_000)]
    try await store.waitUntilSaved()
    for (number, handle) in handles.enumerated() {
      #expect(try await store.send(in: box).map(\.operation) == [handle.id])
      try await server.answer(.applied, to: handle.id, at: Int64(number + 1), to: store, in: box)
    }
  }
}
