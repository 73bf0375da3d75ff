// A server's database with one large queue, or many small ones, filled by commits.

import Foundation
import SyncProtocol
import SyncServer
import WireFormat

struct SampleQueue {
  static let id = QueueID(UUIDValue(high: 0x4000, low: 1 << 63 | 1))
  static let user = UserID(UUIDValue(high: 0xA, low: 1))
  /// Number of objects in all queues together.
  let count: Int
  let queues: [QueueID]
  let folder: URL

  var database: String { folder.appending(path: "server.sqlite").path }

  init(count: Int, queues: Int = 1) async throws {
    self.count = count
    self.queues = (0..<UInt64(queues)).map {
      QueueID(UUIDValue(high: Self.id.rawValue.high, low: Self.id.rawValue.low + $0))
    }
    folder = FileManager.default.temporaryDirectory.appending(path: "initial-sync-\(getpid())-\(count)-\(queues)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let storage = try SQLiteStorage(path: database)
    let service = SyncService(storage: storage)
    let asker = Asker(Self.user, schema: NothingSchema.name)
    for (number, queue) in self.queues.enumerated() {
      guard case .decided(let born) = try await service.commit(Self.birth(of: queue), by: asker).result else {
        throw Refused()
      }
      let range = number * count / queues..<(number + 1) * count / queues
      for start in stride(from: range.lowerBound, to: range.upperBound, by: ProtocolLimits.mutations) {
        let mutations = try (start..<min(start + ProtocolLimits.mutations, range.upperBound)).map {
          try Self.mutation($0, in: queue)
        }
        let answer = try await service.commit(
          CommitRequest(queue: queue, grant: born.grant, mutations: mutations), by: asker)
        guard case .decided(let decided) = answer.result, decided.outcomes.allSatisfy({ $0.status == .applied }) else {
          throw Refused()
        }
      }
    }
    try storage.close()
  }

  struct Refused: Error {}

  func remove() { try? FileManager.default.removeItem(at: folder) }

  /// Bears a queue without its root: the mutation that would create it is void.
  private static func birth(of queue: QueueID) throws -> CommitRequest {
    let root = OperationChanges(objects: [ObjectChange(queue.root, .create(type: "photo", .none))])
    let void = CommitRequest.Mutation(
      operation: OperationID(UUIDValue(high: 0x0C, low: 1)), firstSent: .zero, changes: try root.encoded(), isVoid: true
    )
    return CommitRequest(queue: queue, mutations: [void])
  }

  static func mutation(_ index: Int, in queue: QueueID) throws -> CommitRequest.Mutation {
    var content = RecordWriter(capacity: 220)
    content.string(2, "photo \(index) " + String(repeating: "x", count: max(185 - "\(index)".utf8.count, 0)))
    let patch = try PatchBuilder().patch(filling: content.bytes)
    // Ids come in no order, as from devices.
    let id = UUIDValue.bound(to: queue, chosen: UInt64(index) &* 0x9E37_79B9_7F4A_7C15)
    let change = ObjectChange(id, .create(type: "photo", patch), newestBy: Int64(index))
    return CommitRequest.Mutation(
      operation: OperationID(UUIDValue(high: 0x0B, low: UInt64(index))),
      firstSent: Timestamp(millisecondsSince1970: 4_000_000_000_000),
      changes: try OperationChanges(objects: [change]).encoded())
  }
}
