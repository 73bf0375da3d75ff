// Forgets what is old, and lets clients learn of it.

import SyncProtocol
public import WireFormat

/// How long a server keeps what it may forget, in milliseconds.
public struct UpkeepRules: Hashable, Sendable {
  public var tombstones: Int64 = 30 * day
  public var outcomes: Int64 = 365 * day
  /// Files that no live object names, since they came; also uploads that have not ended, since they went on.
  public var files: Int64 = 7 * day

  public static let day: Int64 = 86_400_000

  public init() {}
}

extension SyncService {
  /// To be called once, before anybody is served. What a stop or a crash left undone is done while others are served: it
  /// may be much, and a home queue that is behind for a while is what everybody sees between two transactions too.
  public func begin() async throws {
    clock.raise(to: try await storage.read { try $0.newestTime() })
    await retryDuties(afterMilliseconds: 0)
  }

  /// One round of forgetting, in steps that keep nobody waiting for long.
  public func performUpkeep(_ rules: UpkeepRules) async throws {
    try await noteTime()
    try await forgetOutcomes(olderThan: rules.outcomes)
    var last: UUIDValue?
    while true {
      let queues = try await storage.read { [last] in try $0.queues(after: last, limit: 100) }
      guard let newest = queues.last?.id else { return }
      last = newest
      for (id, queue) in queues { try await collectTombstones(in: id, queue, olderThan: rules.tombstones) }
    }
  }

  /// How far the clock is behind the newest time that was seen, in milliseconds: it was set ahead once, or back now.
  public var clockLag: Int64 { clock.lag }

  /// So that a clock that is set back while the server is down does no harm.
  public func noteTime() async throws {
    let now = clock.now
    try await storage.write(to: .zero) { try $0.put(newestTime: now) }
  }

  private func forgetOutcomes(olderThan milliseconds: Int64) async throws {
    let before = Timestamp(millisecondsSince1970: clock.now.millisecondsSince1970 - milliseconds)
    // From the oldest on, for as long as there are old ones.
    var step = try await forgetOutcomes(after: 0, before: before)
    while let last = step.last, step.hasForgotten { step = try await forgetOutcomes(after: last, before: before) }
    // And a part of all others: some may have a time of their clients that is far ahead, with old ones behind them.
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
    let found = try await storage.read { try $0.outcomes(after: number, limit: 1_000) }
    let old = found.filter { $0.time < before }
    for (queue, outcomes) in Dictionary(grouping: old, by: \.queue).sorted(by: { $0.key < $1.key }) {
      try await storage.write(to: queue) { transaction in
        if var stored = try transaction.queue(queue) {
          stored.retention = max(stored.retention, before)
          try transaction.put(stored, as: queue)
        }
        try transaction.removeOutcomes(outcomes.map(\.operation), in: queue)
      }
    }
    return (found.last?.number, !old.isEmpty)
  }

  /// Tombstones have no time: a mark a day says how far the queue had come.
  private func collectTombstones(
    in id: UUIDValue, _ queue: StoredQueue, olderThan milliseconds: Int64
  ) async throws {
    let now = clock.now
    let marks = try await storage.read { try $0.marks(of: id) }
    let lastTime = marks.first?.time.millisecondsSince1970 ?? 0
    if queue.head > marks.first?.head ?? 0, now.millisecondsSince1970 - lastTime >= UpkeepRules.day {
      try await storage.write(to: id) { try $0.put(QueueMark(head: queue.head, time: now), of: id) }
    }
    let before = Timestamp(millisecondsSince1970: now.millisecondsSince1970 - milliseconds)
    guard let old = marks.first(where: { $0.time <= before }) else { return }
    if let tombstone = try await storage.read({ try $0.newestTombstone(in: id, upTo: old.head) }) {
      try await collectTombstones(in: id, upTo: tombstone)
    }
    try await storage.write(to: id) { try $0.removeMarks(of: id, upTo: old.time) }
  }

  /// Forgets tombstones of a queue up to a revision: a client whose cursor is older loads the queue again.
  public func collectTombstones(in queue: UUIDValue, upTo revision: Int64) async throws {
    try await storage.write(to: queue) { transaction in
      guard var stored = try transaction.queue(queue), revision > stored.floor, revision <= stored.head else { return }
      stored.floor = revision
      try transaction.removeTombstones(in: queue, upTo: revision)
      try transaction.put(stored, as: queue)
    }
  }

  /// Forgets outcomes that were decided before a time: operations that were first sent before are never applied.
  public func forgetOutcomes(in queue: UUIDValue, before time: Timestamp) async throws {
    let newest = max(clock.now, time)
    try await storage.write(to: queue) { [clock] transaction in
      guard var stored = try transaction.queue(queue), time > stored.retention else { return }
      stored.retention = time
      // Or a server whose clock is set back would tell a time before, and apply nothing that is sent then.
      clock.raise(to: newest)
      try transaction.put(newestTime: newest)
      try transaction.removeOutcomes(in: queue, before: time)
      try transaction.put(stored, as: queue)
    }
  }
}

/// How far upkeep has come in its walk through all outcomes; it begins again after a restart.
actor OutcomeWalk {
  private(set) var place: Int64 = 0

  func go(to place: Int64) { self.place = place }
}
