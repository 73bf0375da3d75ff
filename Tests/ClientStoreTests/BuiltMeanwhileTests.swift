// The user performs an operation on top of another one, while the store learns that the other one was refused or that
// its queue has ended.

import ModelSupport
import SampleIDs
import StoreTestSupport
import TestSupport
import Testing

@testable import ClientStore

@Suite struct BuiltMeanwhileTests {
  private static let queue = QueueID.queue(1)
  private static let shared = Note(.object(1, in: queue), in: queue, NoteValue(title: "shared"))
  private static let created = Note(.object(2, in: queue), in: queue, NoteValue(title: "refused"))

  /// A store on a seeded executor, with one loaded queue and one note in it. Its first operation edits that note or
  /// creates another one, and was sent.
  private struct Device {
    let disk = FaultDisk()
    let executor: SeededExecutor
    private(set) var store: ModelStore
    let creates: Bool
    let refused: OperationID

    init(seed: UInt64, creates: Bool = false) throws {
      self.creates = creates
      executor = SeededExecutor(seed: seed)
      let store = try Self.open(disk, executor, seed)
      self.store = store
      let state = try store.state(of: shared, revision: 1)
      try executor.run {
        let pages = ServerPages(head: 1, objects: [state], outcomes: [:])
        try await store.receive(pages.next(for: store, in: queue))
      }
      if creates {
        store.create(created)
      } else {
        store.perform(EditNotes(notes: [shared.id], edits: [.title("refused")]))
      }
      refused = store.pendingOperations[0].id
      try executor.run { try await store.waitUntilSaved() }
      _ = try executor.run { try await store.send(in: queue) }
    }

    private static func open(_ disk: FaultDisk, _ executor: SeededExecutor, _ seed: UInt64) throws -> ModelStore {
      try RuntimeEnvironment.$current.withValue(.seeded(seed, spawning: { executor.spawn($0) })) {
        try ModelStore(at: disk.folder, schema: NotesSchema.self, user: UserID(high: 7, low: 7))
      }
    }

    /// The server refuses the first operation. After `jobs` jobs the user edits the note of that operation.
    func refuse(buildingAfter jobs: Int) throws -> OperationHandle {
      let outcome = OperationOutcome(operation: refused, status: .rejected("forbidden"), at: 1)
      return try build(after: creates ? [] : [refused], afterJobs: jobs) { [store] in
        try await store.receive(outcomes: [outcome], in: queue)
      }
    }

    /// The server reports that the queue has ended, without outcomes. Meanwhile the user edits the note.
    func end(buildingAfter jobs: Int) throws -> OperationHandle {
      try build(after: [], afterJobs: jobs) { [store] in
        try await store.receive(.ended(outcomes: [], retention: .zero), in: queue)
      }
    }

    private func build(
      after dependencies: [OperationID], afterJobs jobs: Int, while step: @escaping @Sendable () async throws -> Void
    ) throws -> OperationHandle {
      var built: OperationHandle?
      try executor.run(step, after: jobs) {
        let note = creates ? created.id : shared.id
        built = store.perform(EditNotes(notes: [note], edits: [.insert("built")]), after: dependencies)
      }
      return built!
    }

    /// Like a process that ends, and another one that opens the store.
    mutating func startAgain() throws {
      store.abandon()
      store = try Self.open(disk, executor, 99)
    }
  }

  /// Whenever during the step the user performs the dependent operation, it fails, is reported and leaves the outbox.
  @Test func dependentOfRefusedOperationFailsToo() throws {
    for jobs in 0..<16 {
      let device = try Device(seed: UInt64(jobs))
      let built = try device.refuse(buildingAfter: jobs)
      device.executor.runUntilIdle()
      #expect(device.store.failedOperations.map(\.reason.code) == [.forbidden, .dependency], "after \(jobs) jobs")
      #expect(device.store.pendingOperations.isEmpty, "after \(jobs) jobs")
      guard case .failed = built.state else { throw Violation(description: "it goes on after \(jobs) jobs") }
      let image = try StoreImage(device.disk)
      #expect(image.failedOperations.count == 2 && image.operations.isEmpty, "it is told after a restart as well")
    }
  }

  /// No dependency is declared, but the second operation edits the note of the refused create. It fails too.
  @Test func editOfRefusedCreateFailsToo() throws {
    var told = 0
    for jobs in 0..<16 {
      let device = try Device(seed: UInt64(jobs), creates: true)
      let built = try device.refuse(buildingAfter: jobs)
      device.executor.runUntilIdle()
      #expect(device.store.pendingOperations.isEmpty, "after \(jobs) jobs")
      guard case .failed = built.state else { throw Violation(description: "it goes on after \(jobs) jobs") }
      if device.store.failedOperations.map(\.reason.code) == [.forbidden, .dependency] { told += 1 }
      #expect(try StoreImage(device.disk).operations.isEmpty, "after \(jobs) jobs")
    }
    #expect(told > 0)
  }

  /// An operation performed while the end of its queue is being written fails, and is reported with the end, not at the
  /// next request to the server.
  @Test func operationPerformedDuringEndIsReportedWithEnd() throws {
    var told = 0
    for jobs in 0..<16 {
      let device = try Device(seed: UInt64(jobs))
      let built = try device.end(buildingAfter: jobs)
      #expect(device.store.pendingOperations.isEmpty, "after \(jobs) jobs")
      guard case .failed = built.state else { throw Violation(description: "it goes on after \(jobs) jobs") }
      // If the store knew of the end already, it refused the operation when it was performed.
      if device.store.failedOperations.map(\.reason.code) == [.ended, .ended] { told += 1 }
      device.executor.runUntilIdle()
      let image = try StoreImage(device.disk)
      #expect(
        image.operations.isEmpty && image.failedOperations.count == device.store.failedOperations.count,
        "after \(jobs) jobs")
    }
    #expect(told > 0)
  }

  @Test func failureUnreportedAtCrashIsReportedAfterRestart() throws {
    var leftBehind = 0
    for seed in 0..<60 {
      var device = try Device(seed: UInt64(seed))
      let built = try device.refuse(buildingAfter: seed % 8)
      let image = try StoreImage(device.disk)
      #expect(image.failedOperations.contains(device.refused))
      let isLeftBehind = image.operations.contains { $0.id == built.id }
      if isLeftBehind { leftBehind += 1 }
      try device.startAgain()
      device.executor.runUntilIdle()
      #expect(device.store.pendingOperations.isEmpty, "seed \(seed)")
      let isTold = device.store.failedOperations.contains { $0.id == built.id }
      #expect(isTold == (isLeftBehind || image.failedOperations.contains(built.id)), "seed \(seed)")
      #expect(try StoreImage(device.disk).operations.isEmpty)
    }
    #expect(leftBehind > 0)
  }
}
