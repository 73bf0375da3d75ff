// A service on a database of its own, with short calls for requests of clients.

import Determinism
import Foundation
import GRDB
import SampleIDs
import StoreTestSupport
import SyncProtocol
import SyncServer
import TestSupport
import WireFormat

/// `@unchecked Sendable`: no property changes.
final class TestServer: @unchecked Sendable {
  let service: SyncService
  let storage: TestStorage

  init(
    seed: UInt64 = 1, sleeping: @escaping @Sendable (Int64) async throws -> Void = { _ in },
    invitations: InvitationLimit = .none, room: RoomLimit = .none, tasks: HeldTasks? = nil,
    clock: (@Sendable () -> Int64)? = nil
  ) throws {
    let seeded = RuntimeEnvironment.seeded(seed, sleeping: sleeping)
    let environment = RuntimeEnvironment(
      clock: clock ?? seeded.nowMilliseconds, randomness: seeded.randomBits, spawning: tasks?.spawn ?? seeded.spawn,
      sleeping: sleeping)
    let storage = try RuntimeEnvironment.$current.withValue(environment) { try TestStorage() }
    self.storage = storage
    service = RuntimeEnvironment.$current.withValue(environment) {
      SyncService(
        storage: storage, history: storage.history, invitations: invitations, room: room,
        pageBytes: ProtocolLimits.pageBytes, rowsAtOnce: 2, placesAtOnce: 3)
    }
  }

  /// Reads a number from the tables beside the server. The names of tables are those of SQLite.
  func number(_ sql: String) throws -> Int64 { try storage.number(sql) }

  /// Commits mutations under the user's grant, unless another one is named. Bears a queue that does not exist.
  @discardableResult
  func commit(
    _ mutations: [CommitRequest.Mutation], in queue: QueueID = .queue, by user: UserID = .anna, grant: GrantID? = nil
  ) async throws -> CommitAnswer.Result {
    try await service.commit(CommitRequest(queue: queue, grant: grant, mutations: mutations), by: user).result
  }

  /// Commits mutations without a grant, as a client that knows nothing of the queue but its id.
  func first(
    _ mutations: [CommitRequest.Mutation], in queue: QueueID = .queue, by user: UserID = .anna
  ) async throws -> CommitAnswer.Result {
    try await service.commit(CommitRequest(queue: queue, mutations: mutations), by: Asker(user)).result
  }

  /// Commits mutations and returns their statuses, nil for those without an outcome. Empty if the commit is refused.
  @discardableResult
  func statuses(
    _ mutations: [CommitRequest.Mutation], in queue: QueueID = .queue, by user: UserID = .anna
  ) async throws -> [OperationOutcome.Status?] {
    guard let decided = try await commit(mutations, in: queue, by: user).decided else { return [] }
    return mutations.map { mutation in
      decided.outcomes.first { $0.operation == mutation.operation }?.status
    }
  }

  func delta(
    _ queue: DeltaRequest.Queue, by user: UserID = .anna, limit: Int? = nil
  ) async throws -> DeltaAnswer.Result? {
    try await service.delta(DeltaRequest(queues: [queue], limit: limit), by: user).first?.result
  }

  /// Reads a page, without the members of the queue unless they are asked for. Nil if the request is refused.
  func page(
    _ queue: QueueID = .queue, after cursor: Int64? = nil, scan: ScanCursor? = nil, by user: UserID = .anna,
    limit: Int? = nil, awaiting: [OperationID] = [], withMembers: Bool = false
  ) async throws -> DeltaPage? {
    let place = DeltaRequest.Queue(queue: queue, cursor: cursor, scan: scan, awaiting: awaiting)
    guard var page = try await delta(place, by: user, limit: limit)?.page else { return nil }
    if !withMembers { page.objects.removeAll { $0.live?.type == MemberRecord.type } }
    return page
  }
}

extension CommitAnswer.Result {
  /// Nil if the commit is refused.
  var decided: CommitAnswer.Decided? { if case .decided(let decided) = self { decided } else { nil } }

  /// The refusal; nil if there is none.
  var refusal: QueueRefusal? { if case .refused(let refusal) = self { refusal } else { nil } }
}

extension DeltaAnswer.Result {
  var page: DeltaPage? { if case .page(let page) = self { page } else { nil } }
  var refusal: QueueRefusal? { if case .refused(let refusal) = self { refusal } else { nil } }
}

extension QueueRefusal {
  /// The outcomes that strangers are told.
  var outcomesOfRevoked: [OperationOutcome]? { if case .revoked(let outcomes, _) = self { outcomes } else { nil } }
  var outcomesOfEnded: [OperationOutcome]? { if case .ended(let outcomes, _) = self { outcomes } else { nil } }
}

extension UserID {
  static var anna: Self { Self(high: 0xA, low: 1) }
  static var ben: Self { Self(high: 0xB, low: 1) }
  static var cleo: Self { Self(high: 0xC, low: 1) }
}

extension QueueID {
  static var queue: Self { .queue(1) }
}

extension ObjectID {
  /// The id of an operation, a user, or anything else whose id needs no special form.
  static func number(_ number: UInt64) -> Self { Self(high: 0xF, low: number) }
}

extension UUIDValue {
  /// The root of `.queue`.
  static var root: Self { QueueID.queue.root }

  static func object(_ number: UInt64) -> Self { .object(number, in: .queue) }
}

extension CommitRequest.Mutation {
  init(
    _ operation: UInt64, _ changes: OperationChanges, firstSent: Int64 = 4_000_000_000_000, attempt: Int = 0,
    isVoid: Bool = false
  ) {
    self.init(
      operation: .number(operation), firstSent: Timestamp(millisecondsSince1970: firstSent), attempt: attempt,
      changes: (try? changes.encoded()) ?? [], isVoid: isVoid)
  }

  init(
    _ operation: UInt64, _ change: ObjectChange, firstSent: Int64 = 4_000_000_000_000, attempt: Int = 0,
    isVoid: Bool = false
  ) {
    self.init(
      operation, OperationChanges(objects: [change]), firstSent: firstSent, attempt: attempt, isVoid: isVoid)
  }
}

extension ObjectChange {
  /// Creates an object with a text in field 2.
  static func create(
    _ object: UInt64, _ text: String, type: String = "note", newestBy: Int64? = nil, _ revival: Revival = .none,
    in queue: QueueID = .queue
  ) -> Self {
    create(id: .object(object, in: queue), text, type: type, newestBy: newestBy, revival)
  }

  static func create(
    id: UUIDValue, _ text: String, type: String = "note", newestBy: Int64? = nil, _ revival: Revival = .none
  ) -> Self {
    var content = RecordWriter(capacity: 16)
    content.string(2, text)
    let patch = try! PatchBuilder().patch(filling: content.bytes)
    return Self(id, .create(type: type, patch, revival), newestBy: newestBy)
  }

  static func set(_ object: UInt64, _ text: String, if condition: Condition? = nil) -> Self {
    var patch = PatchBuilder()
    patch.set(2, text)
    return Self(.object(object), .patch(try! patch.patch()), condition: condition)
  }

  static func delete(_ object: UInt64) -> Self { Self(.object(object), .delete) }
}

extension ObjectChange.Condition {
  /// The condition that the object has this text in field 2, and nothing else.
  static func content(_ text: String) -> Self {
    var content = RecordWriter(capacity: 16)
    content.string(2, text)
    return .content(ContentHash(of: content.bytes))
  }
}
