// Home queues: each has the memberships of one user as objects, which are synced like any others.

import Determinism
import SyncProtocol
import WireFormat

extension SyncService {
  /// Brings home queues up to date with all changed memberships. Idempotent: to be called when the server starts, and
  /// again after a failure. Tries all duties before it throws.
  package func performDuties() async throws {
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
      // A duty that fails must not keep the others waiting.
      do { try await perform(duty) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Starts a task that performs all duties, and tries again until none is left; only one such task runs at a time.
  /// Duties are stored, so a crash does not lose them. The task ends if its sleep fails, because the process is ending
  /// then.
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

  /// Writes a membership into its user's home queue, or deletes it there. Does nothing if the duty was done meanwhile.
  private func perform(_ duty: HomeDuty) async throws {
    let asker = Asker(duty.user, schema: duty.schema)
    let home = asker.home
    let (now, environment) = (now, environment)
    let isDone = try await write(to: home) { transaction in
      guard try transaction.removeDuty(duty) else { return false }
      var queue =
        try transaction.queue(home)
        ?? {
          var admission = QueueAdmission(home, asker, transaction)
          return try admission.bear(transaction, at: now, environment).0
        }()
      let object = SyncID.membership(of: duty.queue, inHome: home)
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

  /// Creates the home queue of a user, if `queue` is that and does not exist yet. It is born when its owner first asks
  /// for it, unless there is no room for one more queue.
  func bearHome(_ queue: QueueID, of asker: Asker) async throws {
    guard queue.isMarkedAsHome, queue == asker.home else { return }
    guard try await storage.read({ try $0.queue(queue) }) == nil else { return }
    let (now, environment, room) = (now, environment, room)
    let isBorn = try await write(to: queue) { transaction in
      guard try transaction.queue(queue) == nil, try room.allowsQueue(of: asker.user, transaction) else { return false }
      var admission = QueueAdmission(queue, asker, transaction)
      _ = try admission.bear(transaction, at: now, environment)
      return true
    }
    // Another device of the user may poll already.
    if isBorn { await wake(queue) }
  }
}

extension QueueMembership {
  fileprivate init(_ duty: HomeDuty, _ membership: StoredMembership) {
    self.init(queue: duty.queue, role: membership.role, grant: membership.grant)
  }
}

/// Allows one retry of duties at a time, however many commits have failed.
actor DutyRetry {
  private var isUnderWay = false
  /// Whether another commit failed since the round began. The round may have looked for duties before that.
  private var isAskedAgain = false

  /// Asks for another round. Returns whether the caller has to start the task.
  func begin() -> Bool {
    isAskedAgain = true
    defer { isUnderWay = true }
    return !isUnderWay
  }

  func beginRound() { isAskedAgain = false }

  /// Ends a round. Returns whether it was the last one: all duties were performed, and nothing has failed meanwhile.
  func end(afterAll: Bool) -> Bool {
    isUnderWay = !afterAll || isAskedAgain
    return !isUnderWay
  }
}
