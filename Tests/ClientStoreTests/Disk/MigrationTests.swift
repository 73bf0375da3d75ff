// A store of version 1 becomes one of today and loses nothing: neither when it is opened nor when it is salvaged.

import Foundation
import GRDB
import ModelRuntime
import TestSupport
import Testing

@testable import ClientStore

@Suite struct MigrationTests {
  private let user = UserID(UUIDValue(high: 1, low: 1))
  private let box = QueueID(UUIDValue(high: 2, low: 2))
  /// A store of today with something of everything that version 1 could hold.
  private let today: TemporaryFolder

  init() async throws {
    today = try TemporaryFolder()
    let store = try open(today)
    try await fill(store)
    try await store.close()
  }

  private func open(_ folder: TemporaryFolder) throws -> ModelStore {
    try ModelStore(at: folder.url.path, schema: WorkloadSchema.self, user: user)
  }

  private func salvage(_ folder: TemporaryFolder) throws -> Salvage {
    try ModelStore.salvage(at: folder.url.path, schema: WorkloadSchema.self, user: user)
  }

  private func entry(_ number: UInt64) -> Entry {
    var entry = Entry(zeroWithID: ObjectID(UUIDValue(high: 3, low: number)))
    entry.box = box
    entry.text = "entry \(number)"
    return entry
  }

  /// Objects, and an operation in each of its states: one in attention as refused here, one as refused by the server,
  /// one decided, one sent, one sent and taken back, two only saved.
  private func fill(_ store: ModelStore) async throws {
    var sketch = Sketch(zeroWithID: ObjectID(UUIDValue(high: 4, low: 1)))
    sketch.text = "never leaves"
    store.create(sketch)
    let objects = try (1...3).map { try store.state(of: entry($0), revision: Int64($0)) }
    try await store.reveal(QueueDelta(queue: box.rawValue, objects: objects, cursor: 3))
    store.update(entry(9).id) { $0.text = "there is none" }
    let handles = (1...3).map { number in store.update(entry(number).id) { $0.text += ", edited" } }
    store.create(entry(4))
    try await store.saved()
    let refused = try #require(store.outgoing(in: box).last).id
    try await store.markSent(handles.map(\.id) + [refused])
    let outcomes = [
      OperationOutcome(operation: refused, status: .rejected("forbidden"), at: 3),
      OperationOutcome(operation: handles[0].id, status: .applied, at: 4),
    ]
    try await store.take(outcomes, in: box)
    handles[2].cancel()
    store.update(entry(1).id) { $0.tags.insert("unsent") }
    store.create(entry(5))
    try await store.saved()
  }

  /// Rows of plain SQL, each column as `name: value`.
  private func rows(_ sql: String, _ folder: TemporaryFolder) throws -> [[String]] {
    try DatabaseQueue(path: folder.url("store.sqlite").path).read { database in
      try Row.fetchAll(database, sql: sql).map { row in row.map { "\($0.0): \($0.1)" } }
    }
  }

  @Test func whatIsOpenedIsAllThere() throws {
    var image = try StoreImage(folder: today.url.path)
    #expect(image.operations.map(\.isSent) == [true, true, true, false, false])
    #expect(image.operations.map(\.outcome) == ["applied", nil, nil, nil, nil])
    #expect(image.operations.map(\.isVoided) == [false, false, true, false, false])
    #expect(image.attention.count == 2 && image.objects.count == 4)
    let folder = try Version1.copy(of: today.url)
    for opening in ["first", "second"] {
      let store = try open(folder)
      var migrated = try StoreImage(folder: folder.url.path)
      // Sync begins anew, and version 1 had no tail.
      (image.places, migrated.places, image.retired) = ([:], [:], [])
      #expect(migrated == image, "\(opening) opening")
      #expect(try migrated.problems(of: store) == [], "\(opening) opening")
      #expect(store.outgoing(in: box).map(\.firstSent) == [.zero, .zero, nil, nil])
    }
    #expect(try rows("PRAGMA user_version", folder) == [["user_version: 2"]])
    // What sync keeps in step with the server.
    let digests = "SELECT id, live, sum FROM queue ORDER BY number"
    #expect(try rows(digests, folder) == rows(digests, today))
  }

  /// Both have the same tables, whichever way they came to them.
  @Test func theTablesAreThoseOfANewStore() throws {
    let folder = try Version1.copy(of: today.url)
    _ = try open(folder)
    let columns = """
      SELECT tables.name AS "table", columns.name, columns.type, columns."notnull", columns.dflt_value
      FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns ORDER BY 1, 2
      """
    let (migrated, new) = try (rows(columns, folder), rows(columns, today))
    #expect(migrated == new && migrated.count > 50)
    let indexes = "SELECT name, tbl_name FROM sqlite_master WHERE type = 'index' ORDER BY 1"
    #expect(try rows(indexes, folder) == rows(indexes, today))
  }

  @Test func whatWasPendingGoesOn() async throws {
    let store = try open(Version1.copy(of: today.url))
    let pending = store.outbox
    let sent = try await store.markSent(store.outgoing(in: box).map(\.id))
    #expect(sent.map(\.isVoided) == [false, true, false, false])
    let outcomes = sent.map { operation in
      OperationOutcome(operation: operation.id, status: operation.isVoided ? .voided : .applied, at: 8)
    }
    try await store.reveal(QueueDelta(queue: box.rawValue, objects: [], cursor: 8, outcomes: outcomes))
    #expect(store.outbox.isEmpty && pending.count == 5)
    #expect(store.attention.map(\.reason.code) == [.refused, .rejected, .cancelled])
  }

  /// What it has of a queue may be out of date, and the queue may not be followed any more.
  @Test func whatIsThereOfAQueueIsLoadedAgain() async throws {
    let folder = try Version1.copy(of: today.url)
    let store = try open(folder)
    #expect(store.place(of: box).load == .reloading)
    #expect(try store.object(entry(3).id) != nil, "it is shown until then")
    try await store.receive(QueueRefusal.absent, from: store.place(of: box), in: box)
    #expect(store.place(of: box) == QueuePlace())
    let image = try StoreImage(folder: folder.url.path)
    #expect(image.objects.values.map(\.type) == [Sketch.modelName], "what the server does not know goes")
    #expect(image.operations.count == 5)
  }

  @Test func aSalvageOfVersion1TakesOverTheSame() throws {
    let image = try StoreImage(folder: today.url.path)
    let folder = try Version1.copy(of: today.url)
    let salvage = try salvage(folder)
    #expect(salvage.problems == [])
    #expect(salvage.operations == 5 && salvage.attention == 2 && salvage.deviceObjects == 1)
    let store = try open(folder)
    let salvaged = try StoreImage(folder: folder.url.path)
    #expect(salvaged.operations == image.operations)
    #expect(salvaged.attention == image.attention)
    #expect(try salvaged.problems(of: store) == [])
  }

  /// How far operations have come, and the tail.
  @Test func aSalvageOfVersion2TakesOverWhatSyncHasNoted() throws {
    try DatabaseQueue(path: today.url("store.sqlite").path).write { database in
      try database.execute(
        sql: """
          UPDATE operation SET firstSent = 5 + number, sentChanges = changes WHERE firstSent IS NOT NULL;
          UPDATE operation SET outcomeTime = 77 WHERE outcome IS NOT NULL;
          INSERT INTO retired SELECT number, id, queue, type, parameters, changes, performedAt, sum, firstSent,
            dependencies, 88, number % 3 FROM operation WHERE firstSent IS NOT NULL AND outcome IS NULL;
          DELETE FROM operation WHERE id IN (SELECT id FROM retired);
          """)
    }
    let noted = ["operation", "retired"].map { table in
      """
      SELECT \(table).*, type.name, queue.id FROM \(table) JOIN type ON type.number = type JOIN queue ON queue.number = queue
      ORDER BY \(table).number
      """
    }
    // The numbers of queues and types are given anew.
    let read = {
      try noted.flatMap { try rows($0, today) }.map { row in
        row.filter { !$0.hasPrefix("queue: ") && !$0.hasPrefix("type: ") }
      }
    }
    let before = try read()
    #expect(before.count == 5)
    let salvage = try salvage(today)
    #expect(salvage.operations == 3 && salvage.problems == [])
    #expect(try read() == before)
  }
}
