// Upkeep: removes old outcomes and tombstones, and raises the `retention` and `floor` of queues, by which clients
// notice.

import SyncProtocol
package import WireFormat

/// How long the server keeps what upkeep removes, in milliseconds.
package struct UpkeepRules: Hashable, Sendable {
  package var tombstones: Int64 = 30 * day
  package var outcomes: Int64 = 365 * day
  /// Files that no live object names, since they arrived. Also unfinished uploads, since their last bytes arrived.
  package var files: Int64 = 7 * day

  /// That a user was seen with a version of an app.
  package var versions: Int64 = 365 * day

  package static let day: Int64 = 86_400_000

  package init() {}
}

extension SyncService {
  /// Starts the service. Any number of servers may have one database. To be called once, before anybody is served.
  /// Duties that a stop or a crash left are performed in the background: they may be many, and clients see home queues
  /// that are a little behind at other times too.
  package func begin() async throws {
    clock.raise(to: try await storage.read { try $0.newestTime() })
    await retryDuties(afterMilliseconds: 0)
  }

  /// Runs one round of upkeep, in short transactions that keep nobody waiting for long. Ends between two of them if its
  /// task is cancelled. Goes by one time, which is stored before anything is forgotten by it: after a restart with a
  /// clock that was set back, nothing may lie ahead of the clock.
  package func performUpkeep(_ rules: UpkeepRules) async throws {
    let now = try await storeTime()
    try await forgetOutcomes(olderThan: rules.outcomes, at: now)
    var last: QueueID?
    while true {
      let queues = try await storage.read { [last] in try $0.queues(after: last, limit: 100) }
      guard let newest = queues.last?.id else { break }
      last = newest
      for (id, queue) in queues {
        try Task.checkCancellation()
        // A crash may have left some of its objects.
        if queue.isEnded { try await removeObjects(of: id) }
        try await collectTombstones(in: id, queue, olderThan: rules.tombstones, at: now)
      }
    }
    let day = (now.millisecondsSince1970 - rules.versions) / UpkeepRules.day
    try await storage.write(to: .zero) { try $0.removeSeenVersions(before: day) }
  }

  /// How far the clock is behind the newest time that was seen, in milliseconds. More than 0 if the clock was ahead
  /// once, or has been set back.
  package var clockLag: Int64 { clock.lag }

  /// Stores the time, so that a clock that is set back while the server is down does no harm; and who was seen with
  /// which version of an app. Returns the newest time that is stored.
  @discardableResult package func storeTime() async throws -> Timestamp {
    try await storeSeenVersions()
    let now = clock.now
    let newest = try await storage.write(to: .zero) { transaction in
      try transaction.put(newestTime: now)
      return try transaction.newestTime()
    }
    // Another server of the same database may be ahead.
    clock.raise(to: newest)
    return newest
  }

  private func forgetOutcomes(olderThan milliseconds: Int64, at now: Timestamp) async throws {
    let before = Timestamp(millisecondsSince1970: now.millisecondsSince1970 - milliseconds)
    // From the oldest outcome on, as long as there are old ones.
    var step = try await forgetOutcomes(after: 0, before: before)
    while let last = step.last, step.hasForgotten { step = try await forgetOutcomes(after: last, before: before) }
    // Then a part of all others. An outcome can have a time far ahead, which its client sent, with old outcomes behind
    // it.
    for _ in 0..<Self.stepsOfTheWalk {
      step = try await forgetOutcomes(after: await walk.place, before: before)
      await walk.go(to: step.last ?? 0)
      if step.last == nil { return }
    }
  }

  private static let stepsOfTheWalk = 100

  private func forgetOutcomes(
    after number: Int64, before: Timestamp
  ) async throws -> (last: Int64?, hasForgotten: Bool) {
    try Task.checkCancellation()
    let found = try await storage.read { try $0.outcomes(after: number, limit: 1_000) }
    let old = found.filter { $0.time < before }
    for (queue, outcomes) in Dictionary(grouping: old, by: \.queue).sorted(by: { $0.key < $1.key }) {
      try await storage.write(to: queue) { transaction in
        if var stored = try transaction.queue(queue) {
          stored.retention = max(stored.retention, before)
          try transaction.write([.queue(stored)], to: queue)
        }
        try transaction.removeOutcomes(outcomes.map(\.operation), in: queue, before: before)
      }
    }
    return (found.last?.number, !old.isEmpty)
  }

  /// Collects the tombstones that are older than a span of time. They have no time of their own, so a daily mark notes
  /// the head of the queue.
  private func collectTombstones(
    in id: QueueID, _ queue: StoredQueue, olderThan milliseconds: Int64, at now: Timestamp
  ) async throws {
    let marks = try await storage.read { try $0.marks(of: id) }
    let lastTime = marks.first?.time.millisecondsSince1970 ?? 0
    if queue.head > marks.first?.head ?? 0, now.millisecondsSince1970 - lastTime >= UpkeepRules.day {
      try await storage.write(to: id) { try $0.put(QueueMark(head: queue.head, time: now), of: id) }
    }
    let before = Timestamp(millisecondsSince1970: now.millisecondsSince1970 - milliseconds)
    guard let old = marks.first(where: { $0.time <= before }) else { return }
    var last: Int64 = 0
    while true {
      try Task.checkCancellation()
      let tombstones = try await storage.read { [last, rowsAtOnce] in
        try $0.tombstones(in: id, after: last, upTo: old.head, limit: rowsAtOnce)
      }
      guard let newest = tombstones.last else { break }
      last = newest
      try await collectTombstones(in: id, upTo: newest)
    }
    try await storage.write(to: id) { try $0.removeMarks(of: id, upTo: old.time) }
  }

  /// Removes the tombstones of a queue up to a revision. A client whose cursor is older loads the queue again.
  package func collectTombstones(in queue: QueueID, upTo revision: Int64) async throws {
    try await storage.write(to: queue) { transaction in
      guard var stored = try transaction.queue(queue), revision > stored.floor, revision <= stored.head else { return }
      stored.floor = revision
      try transaction.removeTombstones(in: queue, upTo: revision)
      try transaction.write([.queue(stored)], to: queue)
    }
  }

  /// Removes the outcomes of a queue that were decided before a time. Operations that were first sent before it are
  /// never applied any more.
  package func forgetOutcomes(in queue: QueueID, before time: Timestamp) async throws {
    let newest = max(clock.now, time)
    try await storage.write(to: queue) { [clock] transaction in
      guard var stored = try transaction.queue(queue), time > stored.retention else { return }
      stored.retention = time
      // Otherwise a server whose clock is set back would tell clients an earlier time, and apply nothing that they send
      // with it.
      clock.raise(to: newest)
      try transaction.put(newestTime: newest)
      try transaction.removeOutcomes(in: queue, before: time)
      try transaction.write([.queue(stored)], to: queue)
    }
  }
}

/// The place that upkeep has reached in its walk through all outcomes. A restart begins the walk again.
actor OutcomeWalk {
  private(set) var place: Int64 = 0

  func go(to place: Int64) { self.place = place }
}
