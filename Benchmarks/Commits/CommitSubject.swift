// A way to commit that is measured, and the sample requests that all ways commit.

import Foundation
import SyncProtocol
import SyncServer
import Synchronization
import WireFormat

protocol CommitSubject: Sendable {
  var name: String { get }
  var aim: Double? { get }
  /// Mean number of transactions per sync of the disk so far; nil if it is not known.
  var perSync: Double? { get }
  /// Runs before the first round. Afterwards the queues and the type of the objects exist.
  func prepare() async throws
  /// Makes `count` commits, spread over all clients.
  func commit(_ count: Int) async throws
  func end() async throws
}

extension CommitSubject {
  var aim: Double? { nil }
  var perSync: Double? { nil }
  func end() {}
}

enum Samples {
  static func queue(_ client: Int) -> QueueID {
    QueueID(UUIDValue(high: 0x0A11_0000_0000_4000, low: 1 << 63 | UInt64(client) + 1))
  }
  static func user(_ client: Int) -> UserID {
    UserID(UUIDValue(high: 0x0B22_0000_0000_4000, low: UInt64(client) + 1))
  }
  /// By the app without a name, as requests in these benchmarks are.
  static func asker(_ client: Int) -> Asker { Asker(user(client), schema: "") }

  /// A random id, as devices make them; it is bound to no queue.
  static func id() -> UUIDValue { UUIDValue(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max)) }

  /// 60 bytes of content.
  static let content: [UInt8] = {
    var content = RecordWriter(capacity: 64)
    content.string(2, String(repeating: "x", count: 58))
    return content.bytes
  }()

  /// Makes an object. Without a grant that is the root, whose commit bears the queue.
  static func request(_ client: Int, under grant: GrantID?) throws -> CommitRequest {
    let patch = try PatchBuilder().patch(filling: content)
    let queue = queue(client)
    let object = grant == nil ? queue.root : UUIDValue.bound(to: queue, chosen: .random(in: 0 ... .max))
    let change = ObjectChange(object, .create(type: "note", patch))
    let mutation = CommitRequest.Mutation(
      operation: OperationID(id()), firstSent: Timestamp(millisecondsSince1970: 4_000_000_000_000),
      changes: try OperationChanges(objects: [change]).encoded())
    return CommitRequest(queue: queue, grant: grant, mutations: [mutation])
  }

  struct Refused: Error {
    var what: String
    init(_ what: String) { self.what = what }
  }

  /// Returns the grant of the sender.
  @discardableResult
  static func check(_ answer: CommitAnswer) throws -> GrantID {
    guard case .decided(let decided) = answer.result, decided.outcomes.map(\.status) == [.applied] else {
      throw Refused("an answer: \(answer)")
    }
    return decided.grant
  }
}

/// The grant of each client that has borne its queue.
final class Grants: Sendable {
  private let grants = Mutex<[Int: GrantID]>([:])

  subscript(client: Int) -> GrantID? {
    get { grants.withLock { $0[client] } }
    set { grants.withLock { $0[client] = newValue } }
  }
}

extension CommitSubject {
  /// Calls `body` `count` times in all: each client one call after the other, all clients at once.
  func atOnce(_ count: Int, _ body: @escaping @Sendable (_ client: Int) async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for client in 0..<CommitBench.clients {
        group.addTask { for _ in 0..<(count / CommitBench.clients) { try await body(client) } }
      }
      try await group.waitForAll()
    }
  }
}
