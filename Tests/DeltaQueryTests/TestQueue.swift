// A server with one queue. Tests commit to the queue, and read it without a store.

import Determinism
import Foundation
import GraphQL
import ModelSupport
import MomentsModels
import SampleIDs
import SyncServer
import TestSupport

/// `@unchecked Sendable`: no property changes.
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

  /// Stands for a transport: takes the body of a request of this user, and returns the body of the answer.
  func post(_ body: [UInt8], by user: UserID = .anna) async -> [UInt8] {
    await service.answer(body, by: user).body
  }

  /// Commits the changes that an operation with these effects would make.
  func commit(_ effects: (inout OperationContext) throws -> Void) async throws {
    var context = OperationContext(user: .anna, now: .zero, view: NothingInView(queue: id))
    try effects(&context)
    try await commit(context.changes)
  }

  func commit(_ changes: OperationChanges) async throws {
    let operation = RuntimeEnvironment.$current.withValue(environment) { OperationID.new() }
    let mutation = CommitRequest.Mutation(
      operation: operation, firstSent: Timestamp(millisecondsSince1970: 4_000_000_000_000),
      changes: try changes.encoded())
    let answer = try await service.commit(
      CommitRequest(queue: id, grant: try await grant(), mutations: [mutation]), by: Self.asker)
    guard case .decided(let decided) = answer.result, decided.outcomes.map(\.status) == [.applied] else {
      throw NotApplied(answer: answer)
    }
  }

  private static let asker = Asker(.anna, schema: MomentsSchema.name)

  /// Anna's grant. The first call bears the queue.
  private func grant() async throws -> GrantID {
    let answer = try await service.commit(.birth(of: id), by: Self.asker)
    switch answer.result {
    case .decided(let born): return born.grant
    case .refused(.stale(let grant)): return grant
    case .refused: throw NotApplied(answer: answer)
    }
  }

  struct NotApplied: Error {
    var answer: CommitAnswer
  }

  /// The `index`th photo of the moment. Photos with higher numbers are newer.
  func photo(_ index: Int) -> Photo {
    let file = FileReference(
      hash: ContentHash(words: (UInt64(index), 0, 0, 0)), size: 1, mime: "image/jpeg", name: "\(index).jpg")
    return Photo(
      moment: moment.id, owner: .zero, file: file, takenAt: Timestamp(millisecondsSince1970: Int64(1_000 + index)))
  }

  func member(_ index: Int) -> Member {
    Member(moment: moment.id, user: UserID(high: 7, low: UInt64(index)), name: "Member \(index)")
  }
}

/// A view in which every object exists in the queue, with empty content.
private struct NothingInView: ObjectView {
  var queue: QueueID

  func object(_ id: UUIDValue, type: String) -> ViewedObject? { ViewedObject(queue: queue, content: []) }
}

extension UserID {
  static var anna: Self { Self(high: 0xA, low: 1) }
  static var ben: Self { Self(high: 0xB, low: 1) }
}
