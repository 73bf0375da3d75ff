// Home queues: each has the memberships of one user as objects, which are synced like any others.

import Determinism
import SyncProtocol
import WireFormat

extension SyncService {
  /// Brings home queues up to date with all changed memberships. Idempotent: to be called when the server starts, and
  /// again after a failure. Tries all duties before it throws.
  package func performDuties() async throws {
    var last: HomeDuty?
    var failure: (any Error)?
    repeat {
      let duties = try await storage.read { [last] in try $0.duties(after: last, limit: 100) }
      last = duties.last
      do { try await perform(duties) } catch { failure = error }
    } while last != nil
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
    let object = SyncID.membership(of: duty.queue, inHome: home)
    let keys: [RowKey] = [.duty(duty), .queue, .membership(of: duty.user, in: duty.queue), .object(object)]
    let isDone = try await decide(on: home, reading: keys) { work in
      guard try work.isThere(.duty(duty)) else { return false }
      work.write(.dutyDone(duty))
      var queue: StoredQueue
      if let known = try work.queue() {
        queue = known
      } else {
        var admission = QueueAdmission(asker)
        queue = try admission.bear(&work, at: now, environment)
      }
      let live = try work.membership(of: duty.user, in: duty.queue).map { membership in
        ObjectState.Live(
          type: QueueMembership.type, content: try QueueMembership(duty, membership).encoded(),
          newestBy: membership.since.millisecondsSince1970,
          system: SystemFields(createdBy: membership.by, at: now))
      }
      let head = queue.head
      try queue.put(live, as: object, &work)
      if queue.head != head { work.write(.queue(queue)) }
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
    let isBorn = try await decide(on: queue, reading: [.queue]) { work in
      guard try work.queue() == nil, try room.allowsQueue(of: asker.user, work) else { return false }
      var admission = QueueAdmission(asker)
      _ = try admission.bear(&work, at: now, environment)
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
