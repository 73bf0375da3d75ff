// The digest of a queue stays in step with its rows, whatever a page replaces or deletes.

import GRDB
import ModelSupport
import MomentsModels
import SampleIDs
import StoreTestSupport
import TestSupport
import Testing

@testable import ClientStore

@Suite struct DigestTests {
  private let temporary: TemporaryStore
  private let server = HandServer()
  private let queue = QueueID.queue(2)

  init() throws { temporary = try TemporaryStore() }

  private func database() throws -> DatabaseQueue { try DatabaseQueue(path: temporary.folder + "/store.sqlite") }

  private func reveal(_ objects: [ObjectState], cursor: Int64) async throws {
    try await server.reveal(objects, upTo: cursor, to: temporary.store, in: queue)
  }

  private func digest() throws -> QueueDigest? {
    try database().read { database in
      try Row.fetchOne(database, sql: "SELECT live, sum FROM queue WHERE number > 0").map {
        QueueDigest(live: $0["live"], sum: UInt64(bitPattern: $0["sum"]))
      }
    }
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func digestMatchesRowsAfterEveryPage(seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    var expected: [UUIDValue: ObjectState] = [:]
    for cursor in 1...40 as ClosedRange<Int64> {
      let objects = (0..<12).map { _ in
        // Some ids come twice in a page, and some revisions are older than those in the store.
        let id = UUIDValue.object(.random(in: 0..<30, using: &random), in: queue)
        let size = [0, 1, 200, 9_000].randomElement(using: &random) ?? 0
        let content = [UInt8](repeating: .random(in: 0...255, using: &random), count: size)
        return ObjectState(
          id: id, revision: .random(in: max(cursor - 5, 0)...cursor, using: &random),
          live: Int.random(in: 0..<4, using: &random) == 0
            ? nil : .init(type: "photo", content: content, system: SystemFields(createdBy: temporary.user, at: .zero)))
      }
      for object in objects {
        // The store keeps no row of a deleted object, so an older revision of the object is accepted again.
        if let old = expected[object.id], old.revision > object.revision { continue }
        expected[object.id] = object.live == nil ? nil : object
      }
      try await reveal(objects, cursor: cursor)
      #expect(try digest() == QueueDigest(expected.values), "seed \(seed), page \(cursor)")
      #expect(temporary.store.place(of: queue).load == .loaded)
    }
    #expect(!expected.isEmpty)
  }

  @Test(arguments: ["content = 7", "revision = 'x'"])
  func rowWithWrongColumnTypeThrowsDamaged(change: String) async throws {
    let object = ObjectState(
      id: .object(3, in: queue), revision: 1,
      live: .init(type: "photo", content: [1], system: SystemFields(createdBy: temporary.user, at: .zero)))
    try await reveal([object], cursor: 1)
    try await database().write { try $0.execute(sql: "UPDATE object SET \(change)") }
    await #expect { try await reveal([object], cursor: 2) } throws: { ($0 as? StoreError)?.code == .damaged }
  }
}
