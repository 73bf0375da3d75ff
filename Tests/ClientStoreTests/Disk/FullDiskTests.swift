// Batches that cannot be saved, because the disk is full, the database is locked or an object is damaged.

import GRDB
import ModelSupport
import SampleIDs
import StoreTestSupport
import Testing

@testable import ClientStore

@Suite struct FullDiskTests {
  private let disk = FaultDisk()
  private let tasks = HeldTasks()

  /// Opens the store. `former` is the store of the previous process, which is abandoned first.
  private func open(after former: ModelStore? = nil) throws -> ModelStore {
    former?.abandon()
    return try RuntimeEnvironment.$current.withValue(.seeded(1, spawning: tasks.spawn)) {
      try ModelStore(at: disk.folder, schema: WorkloadSchema.self, user: Workload.user)
    }
  }

  private func entry() -> Entry {
    var entry = Entry(zeroWithID: .new(in: .queue(2)))
    entry.box = QueueID.queue(2)
    return entry
  }

  @Test func cancelledEditStaysCancelledAfterFullDisk() async throws {
    let store = try open()
    let entry = entry()
    store.create(entry)
    await tasks.run()
    let edit = store.update(entry.id) { $0.text = "Summit" }
    await tasks.run()
    try await edit.waitUntilSaved()
    disk.fail(.write, at: 1, .diskFull)
    edit.cancel()
    await tasks.run()
    #expect(disk.failures == 1)
    #expect(try store.object(entry.id)?.text == "")
    // Now there is room. The next batch that is saved also removes the cancelled operation.
    disk.heal()
    store.create(self.entry())
    await tasks.run()
    try await store.waitUntilSaved()
    #expect(try open(after: store).object(entry.id)?.text == "")
  }

  /// The report was written a second time, and was there twice after the next start.
  @Test func retryThatCannotBeWrittenLeavesOneReport() async throws {
    let store = try open()
    let (server, queue) = (HandServer(), QueueID.queue(2))
    try await server.reveal(upTo: 0, to: store, in: queue)
    let creation = store.create(entry()).id
    await tasks.run()
    _ = try await store.send(in: queue)
    try await server.answer(.rejected("forbidden"), to: creation, at: 0, to: store, in: queue)
    let failed = try #require(store.failedOperations.first)
    disk.fail(.write, at: 1, .diskFull)
    await #expect(throws: StoreError.self) { try await store.retry(failed) }
    #expect(store.failedOperations.map(\.id) == [creation])
    disk.heal()
    store.create(entry())
    await tasks.run()
    try await store.waitUntilSaved()
    #expect(try open(after: store).failedOperations.map(\.id) == [creation])
  }

  @Test func reportIsNotSavedOnceItsOperationIsTriedAgain() async throws {
    let store = try open()
    disk.fail(.write, at: 1, .diskFull)
    let creation = store.create(entry()).id
    await tasks.run()
    let failed = try #require(store.failedOperations.first)
    disk.heal()
    try await store.retry(failed)
    store.create(entry())
    await tasks.run()
    try await store.waitUntilSaved()
    #expect(store.failedOperations.isEmpty)
    let next = try open(after: store)
    #expect(next.failedOperations.isEmpty && next.pendingOperations.contains { $0.id == creation })
  }

  @Test func refusesOperationsWhileDiskIsFullThenSavesAgain() async throws {
    let store = try open()
    let entry = entry()
    store.create(entry)
    await tasks.run()
    disk.fail(.write, at: 1, lasting: true, .diskFull)
    let edit = store.update(entry.id) { $0.text = "Summit" }
    await tasks.run()
    await #expect { try await edit.waitUntilSaved() } throws: { ($0 as? StoreError)?.code == .diskFull }
    #expect(store.failedOperations.map(\.reason.code) == [.diskFull])
    #expect(try store.object(entry.id)?.text == "", "what is not saved is not shown as if it were")
    disk.heal()
    let again = store.update(entry.id) { $0.text = "Summit" }
    await tasks.run()
    try await again.waitUntilSaved()
    #expect(
      try open(after: store).failedOperations.map(\.reason.code) == [.diskFull],
      "what did not happen is told after a restart")
  }

  @Test func editOfUnsavableCreateIsRefusedWithIt() async throws {
    let store = try open()
    let entry = entry()
    disk.fail(.write, at: 1, .diskFull)
    store.create(entry)
    // The first batch is already on its way to the disk, so it does not contain these operations.
    let batch = store.memory.withLock { $0.saves.takeBatch(of: $0.outbox) }
    let edit = store.update(entry.id) { $0.text = "Summit" }
    let other = self.entry()
    store.create(other)
    do {
      try await store.save(batch)
      Issue.record("the disk had room")
    } catch {
      store.memory.withLock { $0.didNotSave(batch, StoreError(reading: error)) }
    }
    #expect(store.failedOperations.map(\.reason.code) == [.diskFull, .dependency])
    await #expect { try await edit.waitUntilSaved() } throws: { ($0 as? StoreError)?.code == .dependency }
    disk.heal()
    await tasks.run()
    try await store.waitUntilSaved()
    #expect(try open(after: store).objects(Entry.self).map(\.id) == [other.id])
  }

  /// Another program locks the database for too long. The batch is saved later, and nothing is reported to the user.
  @Test func savesBatchLaterIfDatabaseIsLocked() async throws {
    let store = try open()
    let (first, second) = (entry(), entry())
    store.create(first)
    let batch = store.memory.withLock { $0.saves.takeBatch(of: $0.outbox) }
    let barrier = Task { try await store.waitUntilSaved() }
    while store.memory.withLock({ !$0.saves.isAwaited }) { await Task.yield() }
    store.create(second)
    let busy = DatabaseError(resultCode: .SQLITE_BUSY, message: "database is locked", sql: "BEGIN IMMEDIATE")
    let error = StoreError(reading: busy)
    #expect(error.code == .locked && !error.message.contains("BEGIN"))
    store.memory.withLock { $0.didNotSave(batch, error) }
    #expect(store.failedOperations.isEmpty && store.pendingOperations.count == 2)
    await tasks.run()
    try await barrier.value
    try await store.waitUntilSaved()
    #expect(try Set(open(after: store).objects(Entry.self).map(\.id)) == [first.id, second.id])
  }

  @Test func wrongSQLIsNotReportedAsDamage() {
    let wrong = DatabaseError(resultCode: .SQLITE_ERROR, message: "near \"SELEC\": syntax error")
    #expect(StoreError(reading: wrong).code == .inputOutput)
    for message in ["no such table: object", "table operation has no column named sum"] {
      #expect(StoreError(reading: DatabaseError(resultCode: .SQLITE_ERROR, message: message)).code == .damaged)
    }
  }

  @Test func refusesOnlyEditOfDamagedObject() async throws {
    let store = try open()
    let sketch = Sketch(zeroWithID: .new(in: nil))
    store.create(sketch)
    await tasks.run()
    let edit = store.perform(Scribble(sketch: sketch.id))
    try await DatabaseQueue(path: disk.folder + "/store.sqlite").write { database in
      try database.execute(sql: "UPDATE object SET content = x'FF'")
    }
    let entry = entry()
    store.create(entry)
    await tasks.run()
    await #expect { try await edit.waitUntilSaved() } throws: { ($0 as? StoreError)?.code == .refused }
    #expect(store.failedOperations.map(\.reason.code) == [.refused])
    #expect(store.pendingOperations.map(\.queue) == [entry.box])
    #expect(try open(after: store).failedOperations.map(\.reason.code) == [.refused])
  }

  @Test func cancelDuringSaveOfDeviceObjectComesTooLate() async throws {
    let store = try open()
    let sketch = Sketch(zeroWithID: .new(in: nil))
    store.create(sketch)
    await tasks.run()
    let edit = store.update(sketch.id) { $0.text = "a hut" }
    let batch = store.memory.withLock { $0.saves.takeBatch(of: $0.outbox) }
    edit.cancel()
    try await store.save(batch)
    #expect(try store.object(sketch.id)?.text == "a hut", "it came too late")
    try await edit.waitUntilConfirmed()
  }

  @Test func reportDismissedBeforeSaveStaysDismissed() async throws {
    let store = try open()
    disk.fail(.write, at: 1, .diskFull)
    let create = store.perform(Refused())
    await tasks.run()
    disk.heal()
    try await store.dismiss(create.id)
    store.create(entry())
    await tasks.run()
    #expect(store.failedOperations.isEmpty)
    #expect(try open(after: store).failedOperations.isEmpty)
  }
}

/// Changes a sketch without reading it.
private struct Scribble: ModelOperation {
  static let operationName = "sketch.scribble"
  static let fieldTable = FieldTable(projection: "sketch.scribble", Field(1, "sketch", \Self.sketch))
  var sketch: ObjectID<Sketch>

  func evaluate(in context: inout OperationContext) throws {
    var patch = PatchBuilder()
    patch.set(1, "scribbled")
    try context.edit(sketch, patch)
  }
}

/// An operation that cannot be evaluated.
private struct Refused: ModelOperation {
  static let operationName = "entry.refused"
  static let fieldTable = FieldTable(projection: "entry.refused", Field(1, "text", \Self.text))
  var text = ""

  func evaluate(in context: inout OperationContext) throws {
    throw OperationError(.noSuchObject, "Never.")
  }
}
