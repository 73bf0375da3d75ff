// Takes a user out of everything, as an operator has to when somebody deletes an account.

import Determinism
import SyncProtocol
package import WireFormat

/// What becomes of a queue of somebody who is forgotten.
package enum Farewell: Hashable, Sendable {
  /// The user was its last member: it ends, with its objects and files.
  case end(QueueID)
  /// The user leaves. Where nobody else owns it, the member who has been there for longest, of the highest role, does.
  /// A queue with an identity never ends: its last member leaves too.
  case leave(QueueID, newOwner: UserID?)
  /// The user's home queue: all of its objects go. It cannot end.
  case empty(QueueID)
}

/// Done by commits of the user's own, so that devices of others hear of it like of any other change, and the rules of
/// the server hold.
package struct Forgetting: Sendable {
  private let service: SyncService
  private let user: UserID

  private static let objectsAtOnce = 1_000

  package init(_ user: UserID, of service: SyncService) { (self.user, self.service) = (user, service) }

  /// What there is to do; home queues come last.
  package func farewells() async throws -> [Farewell] {
    try await service.storage.read { [user] snapshot in
      var (shared, homes): ([Farewell], [Farewell]) = ([], [])
      for id in try snapshot.allQueues(of: user) {
        if id.isMarkedAsHome {
          homes.append(.empty(id))
        } else {
          shared.append(Self.farewell(of: user, to: id, try snapshot.members(of: id)))
        }
      }
      return shared + homes
    }
  }

  private static func farewell(
    of user: UserID, to queue: QueueID, _ members: [UserID: StoredMembership]
  ) -> Farewell {
    let others = members.filter { $0.key != user }
    if others.isEmpty { return queue.isDerived ? .leave(queue, newOwner: nil) : .end(queue) }
    if members[user]?.role != .owner || others.values.contains(where: { $0.role == .owner }) {
      return .leave(queue, newOwner: nil)
    }
    let heir = others.min { left, right in
      (left.value.role.number, left.value.since, left.key) < (right.value.role.number, right.value.since, right.key)
    }
    return .leave(queue, newOwner: heir?.key)
  }

  /// Does it. With `withObjects`, what the user has created in queues that go on is deleted too. Throws `unavailable` if
  /// members change meanwhile: to be called again.
  package func perform(_ farewell: Farewell, withObjects: Bool) async throws {
    switch farewell {
    case .end(let queue):
      try await commit(OperationChanges(objects: [ObjectChange(queue.rawValue, .delete)]), to: queue)
    case .leave(let queue, let heir):
      if withObjects { try await deleteObjects(of: queue) { [user] in $0.system.createdBy == user } }
      let promotion = heir.map { [MemberChange($0, .role(.owner))] } ?? []
      try await commit(OperationChanges(members: promotion + [MemberChange(user, .unfollow)]), to: queue)
    case .empty(let queue): try await deleteObjects(of: queue) { _ in true }
    }
  }

  private func deleteObjects(
    of queue: QueueID, where isToGo: @escaping @Sendable (ObjectState.Live) -> Bool
  ) async throws {
    var cursor: Int64 = 0
    while true {
      let page = try await service.storage.read { [cursor] in
        try $0.changes(in: queue, after: cursor, rows: Self.objectsAtOnce)
      }
      let objects = page.objects.filter { object in
        // What begins so is the server's, and the root ends the queue.
        object.live.map { !$0.type.hasPrefix("sync.") && isToGo($0) } ?? false && object.id != queue.rawValue
      }
      if !objects.isEmpty {
        try await commit(
          OperationChanges(objects: objects.map { ObjectChange($0.id, .delete) }), to: queue, asWriter: true)
      }
      guard let last = page.objects.last, !page.isLast else { return }
      cursor = last.revision
    }
  }

  /// `asWriter`: where the user may only read, an owner does it.
  private func commit(_ changes: OperationChanges, to queue: QueueID, asWriter: Bool = false) async throws {
    let (stored, members) = try await service.storage.read { (try $0.queue(queue), try $0.members(of: queue)) }
    guard let stored, let own = members[user] else { return }
    let owner = members.filter { $0.value.role == .owner }.min { $0.key < $1.key }
    let (sender, membership) = asWriter && own.role == .reader ? owner ?? (user, own) : (user, own)
    let mutation = CommitRequest.Mutation(
      operation: RuntimeEnvironment.current.randomID(), firstSent: service.now, changes: try changes.encoded())
    let request = CommitRequest(queue: queue, grant: membership.grant, mutations: [mutation])
    let answer = try await service.commit(request, by: Asker(sender, schema: stored.schema))
    switch answer.result {
    case .refused: throw RequestError(.unavailable, "The members of \(queue) have changed meanwhile.")
    case .decided(let decided):
      guard let status = decided.outcomes.first?.status, [.applied, .noEffect].contains(status) else {
        throw RequestError(.unavailable, "\(queue) could not be changed now.")
      }
    }
  }
}

extension QueueSnapshot {
  /// All queues of a user, in all apps, in the order of their ids.
  package func allQueues(of user: UserID) throws -> [QueueID] {
    var queues: [QueueID] = []
    while true {
      let more = try self.queues(of: user, after: queues.last, limit: 1_000)
      if more.isEmpty { return queues }
      queues += more
    }
  }
}
