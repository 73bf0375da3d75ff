// Salvaging makes a new store from a damaged one. Pending operations go on or are reported; the damaged files stay.

import Foundation
import GRDB
import ModelSupport
import SampleIDs
import StoreTestSupport
import TestSupport
import Testing

@testable import ClientStore

@Suite struct SalvageTests {
  /// The files of a store with pending operations, operations among the failed operations and objects that never leave
  /// the device.
  private func sample(seed: UInt64) async throws -> (files: Damage.Files, image: StoreImage) {
    let disk = FaultDisk()
    let workload = Workload(seed: seed, disk: disk)
    let steps: [Workload.Step] = [
      .create, .createLong, .send, .answer, .page, .create, .sketch, .sketch, .change, .refuse, .create, .send,
    ]
    for step in steps { try await workload.run(step) }
    workload.close()
    return (disk.files, try StoreImage(disk))
  }

  private func place(_ files: Damage.Files) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("store.sqlite", bytes: files.database)
    if !files.log.isEmpty { try folder.write("store.sqlite-wal", bytes: files.log) }
    return folder
  }

  private func open(_ folder: TemporaryFolder) throws -> ModelStore {
    try ModelStore(at: folder.url.path, schema: WorkloadSchema.self, user: Workload.user)
  }

  private func salvage(_ folder: TemporaryFolder) throws -> Salvage {
    try ModelStore.salvage(at: folder.url.path, schema: WorkloadSchema.self, user: Workload.user)
  }

  @Test func salvageOfSoundStoreDropsOnlyConfirmedObjects() async throws {
    let (files, image) = try await sample(seed: 3)
    let folder = try place(files)
    let before = try open(folder).sketches()
    let salvage = try salvage(folder)
    #expect(salvage.problems == [])
    #expect(salvage.operations == image.operations.count)
    #expect(salvage.failedOperations == image.failedOperations.count)
    let store = try open(folder)
    #expect(store.operations.map(\.bytes) == image.operations.map(\.changes))
    #expect(store.failedOperations.map(\.id) == image.failedOperations)
    #expect(try store.sketches() == before)
    let place = store.place(of: QueueID.queue(2))
    #expect(place.cursor == 0 && place.position == nil && place.seen == nil, "everything is asked for again")
    #expect(folder.exists("damaged-1/store.sqlite"))
  }

  /// Zeroes each page in turn. All pending operations go on, or the loss is reported as failed or as a problem.
  @Test func zeroedPageLosesNoOperationUnreported() async throws {
    let (files, image) = try await sample(seed: 4)
    let pending = Set(image.operations.map(\.id))
    var carried: Set<Int> = []
    for page in 0..<(files.database.count / 4096) {
      var damaged = files
      damaged.database.replaceSubrange(page * 4096..<(page + 1) * 4096, with: repeatElement(0, count: 4096))
      let folder = try place(damaged)
      let salvage: Salvage
      do { salvage = try self.salvage(folder) } catch {
        Issue.record(error, "page \(page)")
        continue
      }
      let store = try open(folder)
      let kept = Set(store.pendingOperations.map(\.id)).intersection(pending)
      carried.insert(kept.count)
      #expect(
        kept == pending || salvage.failedOperations > image.failedOperations.count || !salvage.problems.isEmpty,
        "page \(page)")
      // The changes of an operation that goes on are complete.
      let changes = Dictionary(uniqueKeysWithValues: image.operations.map { ($0.id, $0.changes) })
      for operation in store.operations {
        #expect(operation.bytes == changes[operation.id], "page \(page)")
      }
      #expect(try Data(contentsOf: folder.url("damaged-1/store.sqlite")) == Data(damaged.database))
      store.create(Sketch(zeroWithID: .new(in: nil)))
      try await store.waitUntilSaved()
    }
    #expect(carried.contains(pending.count))
  }

  @Test func fileThatIsNoDatabaseBecomesEmptyStore() throws {
    let folder = try TemporaryFolder()
    try folder.write("store.sqlite", bytes: Array(repeating: 0x5A, count: 20_000))
    #expect { _ = try open(folder) } throws: { error in
      (error as? StoreError).map { $0.code == .damaged && $0.message.contains("salvage") } ?? false
    }
    let salvage = try salvage(folder)
    #expect(!salvage.problems.isEmpty)
    #expect(try open(folder).pendingOperations.isEmpty)
    #expect(folder.exists("damaged-1/store.sqlite"))
  }

  @Test func refusesToSalvageStoreOfAnotherUser() async throws {
    let folder = try place(try await sample(seed: 3).files)
    let before = try Data(contentsOf: folder.url("store.sqlite"))
    #expect {
      _ = try ModelStore.salvage(at: folder.url.path, schema: WorkloadSchema.self, user: UserID(.zero))
    } throws: { ($0 as? StoreError)?.code == .foreign }
    #expect(try Data(contentsOf: folder.url("store.sqlite")) == before)
    #expect { _ = try ModelStore.salvage(at: "/nowhere", schema: WorkloadSchema.self, user: Workload.user) } throws: {
      ($0 as? StoreError)?.code == .foreign
    }
  }

  @Test func opensAfterCrashBetweenRenamesOfSalvage() async throws {
    let (files, image) = try await sample(seed: 3)
    for hasMoved in [false, true] {
      let folder = try place(files)
      _ = try salvage(folder)
      // Restores the files as they were before the last rename.
      let new = try Data(contentsOf: folder.url("store.sqlite"))
      try new.write(to: folder.url("salvaged.sqlite"))
      try folder.remove("store.sqlite")
      try folder.write("store.sqlite-wal", bytes: Array(repeating: 1, count: 4_000))
      if !hasMoved {
        // Before the first rename the damaged database is still in place, and a second salvage starts again.
        try folder.write("store.sqlite", bytes: files.database)
        try folder.remove("store.sqlite-wal")
        _ = try salvage(folder)
      }
      let store = try open(folder)
      #expect(store.pendingOperations.map(\.id) == image.operations.map(\.id), "moved: \(hasMoved)")
      #expect(!folder.exists("salvaged.sqlite"))
    }
  }

  @Test func keepsSyncStateAndRetiredOperations() async throws {
    let folder = try place(try await sample(seed: 3).files)
    let path = folder.url("store.sqlite").path
    try await DatabaseQueue(path: path).write { database in
      try database.execute(
        sql: """
          UPDATE operation SET firstSent = 5 + number, voided = number % 2, attempt = 2, hidden = number % 2;
          UPDATE operation SET outcome = 'applied', outcomeAt = 4, outcomeTime = 77 WHERE number % 3 = 0;
          INSERT INTO retired SELECT number, id, queue, type, parameters, changes, performedAt, sum, firstSent,
            attempt, dependencies, 88 FROM operation WHERE number % 3 = 1;
          DELETE FROM operation WHERE id IN (SELECT id FROM retired);
          UPDATE failed SET firstSent = 6, attempt = 3, dependencies = operation;
          """)
    }
    // Leaves out the numbers of queues and types, which salvaging assigns anew.
    let read = {
      try DatabaseQueue(path: path).read { database in
        try ["operation", "retired", "failed"].map { table in
          try Row.fetchAll(
            database,
            sql: """
              SELECT \(table).*, type.name, queue.id FROM \(table)
              JOIN type ON type.number = type JOIN queue ON queue.number = queue ORDER BY \(table).number
              """
          ).map { row in row.filter { $0.0 != "queue" && $0.0 != "type" }.map { "\($0.0): \($0.1)" } }
        }
      }
    }
    let before = try read()
    #expect(before.map(\.isEmpty) == [false, false, false])
    #expect(try salvage(folder).problems == [])
    #expect(try read() == before)
  }

  /// A store of another version is neither opened nor salvaged, and keeps its content.
  @Test(arguments: [(1, StoreError.Code.olderVersion), (99, .newerVersion)])
  func aStoreOfAnotherVersionIsRefusedAndNotTouched(version: Int, code: StoreError.Code) async throws {
    let (files, image) = try await sample(seed: 3)
    let folder = try place(files)
    let database = try DatabaseQueue(path: folder.url("store.sqlite").path)
    try await database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = \(version)") }
    #expect { _ = try open(folder) } throws: { ($0 as? StoreError)?.code == code }
    #expect { _ = try salvage(folder) } throws: { ($0 as? StoreError)?.code == code }
    #expect(try StoreImage(folder: folder.url.path) == image)
    let found = try await database.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
    #expect(found == version)
  }

  @Test func refusesForeignDatabaseAndLeavesItUnchanged() throws {
    let folder = try TemporaryFolder()
    let path = folder.url("store.sqlite").path
    let other = try DatabaseQueue(path: path)
    try other.write { try $0.execute(sql: "CREATE TABLE theirs (value); INSERT INTO theirs VALUES (1)") }
    try other.close()
    let before = try Data(contentsOf: folder.url("store.sqlite"))
    #expect { _ = try open(folder) } throws: { ($0 as? StoreError)?.code == .foreign }
    #expect(try Data(contentsOf: folder.url("store.sqlite")) == before)
    #expect(!folder.exists("store.sqlite-wal"))
  }
}

extension ModelStore {
  fileprivate var operations: [OutboxEntry] {
    memory.withLock { memory in memory.outbox.numbers.compactMap { memory.outbox.operations[$0] } }
  }

  fileprivate func sketches() throws -> [String] { try objects(Sketch.self).map { "\($0.id) \($0.text)" } }
}
