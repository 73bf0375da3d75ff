// Home queues: the memberships of a user, as objects that are synced like any other.

import Determinism
import SyncProtocol
import WireFormat

extension SyncService {
  /// Brings home queues up to date with memberships that have changed, whoever changed them. Idempotent: to be called
  /// again after a failure, and when the server starts.
  public func performDuties() async throws {
    var last: Int64 = 0
    var failure: (any Error)?
    while true {
      let duties = try await storage.read { [last] in try $0.duties(after: last, limit: 100) }
      guard let newest = duties.last?.number else { break }
      last = newest
      do { try await perform(duties) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  func perform(_ duties: [HomeDuty]) async throws {
    var failure: (any Error)?
    for duty in duties {
      // One that fails must not keep the others waiting.
      do { try await perform(duty) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Tries again until nothing is left to do: the duties are written down, so a crash does not lose them. Without its
  /// sleep, which fails where the process ends, it would try without a pause.
  func retryDuties(afterMilliseconds firstPause: Int64 = 30_000) async {
    guard await retry.begin() else { return }
    environment.spawn { [self] in
      var pause = firstPause
      repeat {
        guard (try? await environment.sleep(milliseconds: pause)) != nil else { return }
        pause = 30_000
        await retry.beginRound()
      } while await !retry.end(afterAll: (try? await performDuties()) != nil)
    }
  }

  /// Does nothing where somebody else has done it meanwhile.
  private func perform(_ duty: HomeDuty) async throws {
    let home = SyncID.homeQueue(ofUser: duty.user)
    let (now, environment) = (now, environment)
    let isDone = try await write(to: home) { transaction in
      guard try transaction.removeDuty(duty) else { return false }
      var queue =
        try transaction.queue(home)
        ?? {
          var admission = QueueAdmission(home, duty.user, transaction)
          return try admission.bear(transaction, at: now, environment).0
        }()
      let object = SyncID.membership(ofUser: duty.user, inQueue: duty.queue)
      let live = try transaction.membership(of: duty.user, in: duty.queue).map { membership in
        ObjectState.Live(
          type: QueueMembership.type, content: try QueueMembership(duty, membership).encoded(),
          newestBy: membership.since.millisecondsSince1970, createdBy: membership.by)
      }
      let head = queue.head
      try queue.put(live, as: object, in: home, transaction)
      if queue.head != head { try transaction.put(queue, as: home) }
      return true
    }
    if isDone { await wake(home) }
  }

  /// A user's home queue is born when its owner first asks for it.
  func bearHome(_ queue: UUIDValue, of user: UUIDValue) async throws {
    guard queue == SyncID.homeQueue(ofUser: user) else { return }
    guard try await storage.read({ try $0.queue(queue) }) == nil else { return }
    let (now, environment) = (now, environment)
    try await storage.write(to: queue) { transaction in
      guard try transaction.queue(queue) == nil else { return }
      var admission = QueueAdmission(queue, user, transaction)
      _ = try admission.bear(transaction, at: now, environment)
    }
  }
}

extension QueueMembership {
  fileprivate init(_ duty: HomeDuty, _ membership: StoredMembership) {
    self.init(queue: duty.queue, role: membership.role, grant: membership.grant)
  }
}

extension SyncID {
  /// Whether a queue is there for a user at all: a home queue is for its own only, and the id zero stands for what never
  /// leaves a device.
  static func mayBeAsked(_ queue: UUIDValue, by user: UUIDValue) -> Bool {
    queue != .zero && (!queue.isMarkedAsHome || queue == homeQueue(ofUser: user))
  }

  /// Whether a commit of the user may make the queue: ids of version 8 are those of objects, and of home queues.
  static func mayBeBorn(_ queue: UUIDValue, of user: UUIDValue) -> Bool {
    queue.isVersion4 || queue == homeQueue(ofUser: user)
  }
}

/// One retry at a time, however many commits have failed.
actor DutyRetry {
  private var isUnderWay = false
  /// Something failed since the round began, which may have looked for it too early.
  private var isAskedAgain = false

  /// Whether the caller is the one to retry.
  func begin() -> Bool {
    isAskedAgain = true
    defer { isUnderWay = true }
    return !isUnderWay
  }

  func beginRound() { isAskedAgain = false }

  /// Whether that was the last round: everything was done, and nothing has failed meanwhile.
  func end(afterAll: Bool) -> Bool {
    isUnderWay = !afterAll || isAskedAgain
    return !isUnderWay
  }
}
