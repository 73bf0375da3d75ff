// A server and one queue of it: what is put there, and what a reader without a store gets to see.

import Determinism
import Foundation
import ModelRuntime
import MomentsModels
import SyncServer
import TestSupport

/// `@unchecked Sendable`: nothing of it changes.
final class TestQueue: @unchecked Sendable {
  let service: SyncService
  let moment: Moment
  private let folder: TemporaryFolder
  private let environment: RuntimeEnvironment

  init(seed: UInt64 = 1) throws {
    folder = try TemporaryFolder()
    environment = .seeded(seed)
    let storage = try SQLiteStorage(path: folder.url("server.sqlite").path)
    (service, moment) = RuntimeEnvironment.$current.withValue(environment) {
      (SyncService(storage: storage), Moment(title: "Hut to hut"))
    }
  }

  var id: QueueID { moment.id.queueID }

  /// What a transport would do: the body of a request of this user → the body of the answer.
  func post(_ body: [UInt8], by user: UserID = .anna) async -> [UInt8] {
    await service.answer(body, by: user.rawValue).body
  }

  /// Commits what an operation would change.
  func commit(_ effects: (inout OperationContext) throws -> Void) async throws {
    var context = OperationContext(user: .anna, now: .zero, view: NothingInView(queue: id))
    try effects(&context)
    try await commit(context.changes)
  }

  func commit(_ changes: OperationChanges) async throws {
    let operation = RuntimeEnvironment.$current.withValue(environment) { UUIDValue.random() }
    let mutation = CommitRequest.Mutation(
      operation: operation, firstSent: Timestamp(millisecondsSince1970: 4_000_000_000_000),
      changes: try changes.encoded())
    let answer = try await service.commit(
      CommitRequest(queue: id.rawValue, mutations: [mutation]), by: UserID.anna.rawValue)
    guard case .decided(let decided) = answer.result, decided.outcomes.map(\.status) == [.applied] else {
      throw NotApplied(answer: answer)
    }
  }

  struct NotApplied: Error {
    var answer: CommitAnswer
  }

  /// The `index`th photo of the moment, which later ones are newer than.
  func photo(_ index: Int) -> Photo {
    let file = FileReference(
      hash: ContentHash(words: (UInt64(index), 0, 0, 0)), size: 1, mime: "image/jpeg", name: "\(index).jpg")
    return Photo(
      moment: moment.id, owner: .zero, file: file, takenAt: Timestamp(millisecondsSince1970: Int64(1_000 + index)))
  }

  func member(_ index: Int) -> Member {
    Member(moment: moment.id, user: UserID(UUIDValue(high: 7, low: UInt64(index))), name: "Member \(index)")
  }
}

/// Objects of the queue whose bytes nobody looks at.
private struct NothingInView: ObjectView {
  var queue: QueueID

  func object(_ id: UUIDValue, type: String) -> ViewedObject? { ViewedObject(queue: queue, content: []) }
}

extension UserID {
  static var anna: Self { Self(UUIDValue(high: 0xA, low: 1)) }
  static var ben: Self { Self(UUIDValue(high: 0xB, low: 1)) }
}
