// Many threads use one store. The thread sanitizer looks at that (`Scripts/sanitize thread`), and the store must be
// right when all threads are done.
//
// A seed decides the steps of each thread, and counts bound them. The machine decides the order of the threads.

import Foundation
import ModelSupport
import SampleIDs
import TestSupport
import Testing

@Suite(.serialized) struct StoreStressTests {
  @Test(arguments: [1, 2, 3] as [UInt64]) func threadsDoNotDisturbEachOther(seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    let store = try ModelStore(at: folder.url.path, schema: WorkloadSchema.self, user: Workload.user)
    let work = StressWork(store: store, box: QueueID.queue(2))
    let watchers = work.watch()
    async let synced = work.sync(seed: seed)
    async let shown = work.show()
    await work.run(threads: 6, steps: 150, seed: seed)
    try await store.waitUntilSaved()
    let server = try await synced
    for problem in try await shown { Issue.record("seed \(seed): \(problem)") }
    let seen = await work.stop(watchers)

    // The results of the handles must agree with the content of the store.
    let results = await work.results()
    for problem in try work.problems(results) { Issue.record("seed \(seed): \(problem)") }
    let image = try StoreImage(folder: folder.url.path)
    for problem in try image.problems(of: store, inOrder: false) { Issue.record("seed \(seed): \(problem)") }
    #expect(store.pendingOperations.isEmpty, "what is pending does not drain")
    let rows = server.rows.compactMapValues(\.content)
    #expect(Set(rows.keys) == Set(try store.objects(Entry.self).map(\.id.rawValue)), "the server has other objects")
    for entry in try store.objects(Entry.self) { #expect(rows[entry.id.rawValue] == (try entry.encoded())) }
    print("store stress, seed \(seed): \(results.map { "\($0.key) \($0.value.count)" }.sorted()), \(seen) values seen")
    for result in StressWork.Result.allCases { #expect(results[result]?.isEmpty == false, "never \(result)") }
    #expect(seen > 0)
  }
}
