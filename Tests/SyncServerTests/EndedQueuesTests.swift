// Tests of what is removed after the end of a queue, a few rows in each transaction.

import GRDB
import SampleIDs
import StoreTestSupport
import SyncProtocol
import SyncServer
import Testing
import WireFormat

@Suite(.onEachStorage) struct EndedQueuesTests {
  private let server: TestServer
  private let tasks = HeldTasks()
  private let file = ContentHash(words: (1, 2, 3, 4))

  /// Anna's queue with its root, three notes and a tombstone, and another queue with a note. A file belongs to each.
  init() async throws {
    server = try TestServer(tasks: tasks)
    let root = ObjectChange(.root, .create(type: "list", try PatchBuilder().patch(filling: [0x08, 1])))
    try await server.statuses(
      [.init(1, root)] + (2...5).map { .init($0, .create($0, "a")) } + [.init(6, .delete(5))])
    try await server.statuses([.init(7, .create(1, "a", in: Self.other))], in: Self.other)
    for (queue, note) in [(QueueID.queue, UUIDValue.object(2)), (Self.other, .object(1, in: Self.other))] {
      try server.storage.write(to: queue) { [file] in
        try $0.put(StoredFile(size: 3, since: Timestamp(millisecondsSince1970: 1), by: .anna), as: file, in: queue)
        try $0.write([.references(to: [file], from: note, tag: 0)], to: queue)
      }
    }
  }

  private static let other = QueueID.queue(500)

  private func end() async throws {
    #expect(try await server.statuses([.init(9, ObjectChange(.root, .delete))]) == [.applied])
  }

  /// How many objects of a queue are stored, with that of its member.
  private func objects(in queue: QueueID = .queue) throws -> Int {
    try server.storage.read { try $0.changes(in: queue).objects.count }
  }

  private func references() throws -> Int64 {
    try server.number("SELECT count(*) FROM fileReference")
  }

  private func storedFile(in queue: QueueID = .queue) throws -> StoredFile? {
    try server.storage.read { [file] in try $0.file(file, in: queue) }
  }

  @Test func objectsGoInTheBackground() async throws {
    #expect(try objects() == 6)
    try await end()
    #expect(try objects() == 6, "nobody waits until they are removed")
    await tasks.run()
    #expect(try objects() == 0)
    #expect(try references() == 1, "that of the other queue")
    #expect(try objects(in: Self.other) == 2)
  }

  @Test func upkeepRemovesWhatACrashHasLeft() async throws {
    try await end()
    try await server.service.performUpkeep(UpkeepRules())
    #expect(try objects() == 0)
    #expect(try objects(in: Self.other) == 2)
  }

  @Test func oneTransactionRemovesAFewRows() async throws {
    try await end()
    let isEmpty = try server.storage.write(to: .queue) { try $0.removeObjects(of: .queue, rows: 3) }
    #expect(!isEmpty)
    #expect(try objects() == 4, "and the name of a file")
  }

  /// One object may have 1 MiB.
  @Test func oneTransactionRemovesALimitedNumberOfBytes() async throws {
    let large = String(repeating: "x", count: 800_000)
    for number in 11...13 as ClosedRange<UInt64> { try await server.statuses([.init(number, .create(number, large))]) }
    try await end()
    var steps = 1
    while try !server.storage.write(to: .queue, { try $0.removeObjects(of: .queue, rows: 100) }) { steps += 1 }
    #expect(try objects() == 0)
    #expect(steps == 2, "the first step ends behind the second large object")
  }

  @Test func nothingOfAServedQueueIsRemoved() async throws {
    _ = try server.storage.write(to: .queue) { try $0.removeObjects(of: .queue, rows: 100) }
    #expect(try objects() == 6)
  }

  /// Also before the objects have gone.
  @Test func filesOfAnEndedQueueAreUnused() async throws {
    let before = try #require(try storedFile())
    #expect(before.isReferenced && before.since > .zero)
    try await end()
    let after = try #require(try storedFile())
    #expect(!after.isReferenced && after.since == .zero)
    #expect(try storedFile(in: Self.other)?.isReferenced == true)
  }
}
