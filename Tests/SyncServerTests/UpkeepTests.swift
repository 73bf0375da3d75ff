// Tests of what a server forgets and when, also with a wrong clock.

import Determinism
import Foundation
import SyncProtocol
import SyncServer
import TestSupport
import Testing
import WireFormat

@Suite struct UpkeepTests {
  private let folder: TemporaryFolder
  private let time = SettableTime()
  private let service: SyncService
  private static let day = UpkeepRules.day

  init() throws {
    folder = try TemporaryFolder()
    service = try time.service(folder)
  }

  @discardableResult
  private func commit(
    _ mutations: [CommitRequest.Mutation], to service: SyncService? = nil
  ) async throws -> [OperationOutcome.Status] {
    let request = CommitRequest(queue: .queue, mutations: mutations)
    return try await (service ?? self.service).commit(request, by: .anna).result.decided?.outcomes.map(\.status) ?? []
  }

  private func page(after cursor: Int64) async throws -> DeltaAnswer.Result? {
    try await service.delta(DeltaRequest(queues: [.init(queue: .queue, cursor: cursor)]), by: .anna).first?.result
  }

  /// The revisions of the objects of a page; nil if the cursor is refused.
  private func revisions(after cursor: Int64) async throws -> [Int64]? {
    guard case .page(let page)? = try await page(after: cursor) else { return nil }
    return page.objects.map(\.revision)
  }

  private func isReset(_ result: DeltaAnswer.Result?) -> Bool {
    if case .refused(.reset)? = result { true } else { false }
  }

  @Test func tombstonesGoAfterTheirTime() async throws {
    try await commit([.init(1, .create(1, "a")), .init(2, .create(2, "b")), .init(3, .delete(1))])
    try await service.performUpkeep(UpkeepRules())
    time.pass(days: 29)
    try await service.performUpkeep(UpkeepRules())
    #expect(!isReset(try await page(after: 0)))
    try await commit([.init(4, .delete(2))])
    time.pass(days: 2)
    try await service.performUpkeep(UpkeepRules())
    // The second tombstone is two days old, so it is kept. A client that has read the first one is served.
    #expect(isReset(try await page(after: 3)))
    #expect(try await revisions(after: 4) == [5])
  }

  /// One transaction removes two rows here.
  @Test func allOldTombstonesGo() async throws {
    for number in 1...5 as ClosedRange<UInt64> {
      try await commit([.init(number, .create(number, "a")), .init(10 + number, .delete(number))])
    }
    try await service.performUpkeep(UpkeepRules())
    time.pass(days: 31)
    try await service.performUpkeep(UpkeepRules())
    #expect(isReset(try await page(after: 10)))
    #expect(try await revisions(after: 11) == [], "this client has read all deletes")
  }

  @Test func queueWithoutDeletesIsNeverReset() async throws {
    try await commit([.init(1, .create(1, "a"))])
    for _ in 0..<5 {
      try await service.performUpkeep(UpkeepRules())
      time.pass(days: 40)
    }
    #expect(!isReset(try await page(after: 0)))
  }

  @Test func outcomesGoAfterAYear() async throws {
    let create = CommitRequest.Mutation(1, .create(1, "a"), firstSent: SettableTime.start + 60_000)
    #expect(try await commit([create]) == [.applied])
    time.pass(days: 364)
    try await service.performUpkeep(UpkeepRules())
    #expect(try await commit([create]) == [.applied])
    time.pass(days: 2)
    try await service.performUpkeep(UpkeepRules())
    // The operation may have been applied, so it is not applied again.
    #expect(try await commit([create]) == [.unknown])
  }

  @Test func aClockThatGoesBackForgetsNothingEarly() async throws {
    try await commit([.init(1, .create(1, "a"))])
    try await service.performUpkeep(UpkeepRules())
    // The clock goes back by two years while the server is down.
    time.pass(days: -730)
    let again = try time.service(folder)
    try await again.begin()
    let late = CommitRequest.Mutation(2, .create(2, "b"))
    let answer = try await again.commit(CommitRequest(queue: .queue, mutations: [late]), by: .anna)
    #expect(answer.time.millisecondsSince1970 >= SettableTime.start)
    // The clock is right again. Operations that were decided meanwhile are young.
    time.pass(days: 730)
    try await again.performUpkeep(UpkeepRules())
    #expect(try await commit([late], to: again) == [.applied])
  }

  /// The clock is set back after outcomes were forgotten. Without this rule, no operation with the time that the server
  /// tells would be applied (seed 1126 of the simulation).
  @Test func serverTimeNeverPrecedesForgottenOutcomes() async throws {
    try await commit([.init(1, .create(1, "a"))])
    let ahead = Timestamp(millisecondsSince1970: SettableTime.start + 60_000)
    try await service.forgetOutcomes(in: .queue, before: ahead)
    time.pass(days: -2_000)
    let again = try time.service(folder)
    try await again.begin()
    let empty = try await again.commit(CommitRequest(queue: .queue, mutations: []), by: .anna)
    #expect(empty.time >= ahead)
    var create = CommitRequest.Mutation(2, .create(2, "b"))
    create.firstSent = empty.time
    #expect(try await commit([create], to: again) == [.applied])
  }

  /// The clock runs ahead during upkeep, and is right again after a restart. What a round forgets goes by the time that
  /// it has stored; otherwise no operation would be applied for a long time.
  @Test func upkeepForgetsNothingByATimeThatItHasNotStored() async throws {
    try await commit([.init(1, .create(1, "a"))])
    time.daysAReading = 400
    try await service.performUpkeep(UpkeepRules())
    time.daysAReading = 0
    time.pass(days: -10_000)
    let again = try time.service(folder)
    try await again.begin()
    var create = CommitRequest.Mutation(2, .create(2, "b"))
    create.firstSent = try await again.commit(CommitRequest(queue: .queue, mutations: []), by: .anna).time
    #expect(try await commit([create], to: again) == [.applied])
  }

  /// The clock goes back after the server has told a time, which is not noted because nothing was written yet. The
  /// outcome of an operation with that time must be kept accordingly.
  @Test func keepsOutcomeByTheTimeOfItsOperation() async throws {
    let create = CommitRequest.Mutation(1, .create(1, "a"), firstSent: SettableTime.start + 60_000)
    time.pass(days: -730)
    let again = try time.service(folder)
    try await commit([create], to: again)
    time.pass(days: 731)
    try await again.performUpkeep(UpkeepRules())
    #expect(
      try await commit([create], to: again) == [.applied], "the stored outcome; decided again it would have no effect")
  }

  /// Outcomes with times in the future, more than a step of upkeep looks at, stand before an old outcome.
  @Test func futureOutcomesDoNotDelayForgettingOldOnes() async throws {
    for start: UInt64 in [0, 500, 1_000] {
      let ahead = (1...500).map { (number: UInt64) in
        CommitRequest.Mutation(start + number, .set(9, "none"), firstSent: 1 << 53)
      }
      try await commit(ahead)
    }
    let create = CommitRequest.Mutation(5_000, .create(1, "a"), firstSent: SettableTime.start + 60_000)
    #expect(try await commit([create]) == [.applied])
    time.pass(days: 366)
    try await service.performUpkeep(UpkeepRules())
    #expect(try await commit([create]) == [.unknown])
  }

  /// As when the server is told to stop.
  @Test func cancelledUpkeepEnds() async throws {
    try await commit([.init(1, .create(1, "a"))])
    await withTaskGroup(of: Void.self) { group in
      group.cancelAll()
      group.addTask { [service] in
        await #expect(throws: CancellationError.self) { try await service.performUpkeep(UpkeepRules()) }
      }
    }
  }

  /// A client cannot make the server keep an outcome for ever.
  @Test func outcomesDatedFarAheadGoToo() async throws {
    let ahead = CommitRequest.Mutation(1, .set(9, "none"), firstSent: 1 << 53)
    #expect(try await commit([ahead]) == [.noEffect])
    time.pass(days: 364)
    try await service.performUpkeep(UpkeepRules())
    #expect(try await commit([ahead, .init(2, .create(9, "a"))]).first == .noEffect, "it is still known")
    time.pass(days: 402)
    try await service.performUpkeep(UpkeepRules())
    #expect(try await commit([ahead]) == [.applied], "it was forgotten, and is decided again")
  }

  @Test func upkeepForgetsOldOutcomesAndKeepsYoungOnes() async throws {
    for number in 1...2_500 as ClosedRange<UInt64> {
      let mutation = CommitRequest.Mutation(number, .set(9, "none"), firstSent: SettableTime.start)
      try await commit([mutation])
    }
    time.pass(days: 366)
    try await commit([.init(3_000, .create(1, "young"))])
    try await service.performUpkeep(UpkeepRules())
    let old = [1, 1_001, 2_500, 3_000].map { (number: UInt64) in
      CommitRequest.Mutation(number, .create(number, "again"), firstSent: SettableTime.start + 60_000)
    }
    #expect(try await commit(old) == [.unknown, .unknown, .unknown, .applied])
  }
}

/// A clock that a test sets. `@unchecked Sendable`: `lock` guards `now`.
final class SettableTime: @unchecked Sendable {
  static let start: Int64 = 1_700_000_000_000
  private let lock = NSLock()
  private var now = start
  private var step: Int64 = 0

  /// By how many days the clock runs ahead at each reading.
  var daysAReading: Int64 {
    get { lock.withLock { step } }
    set { lock.withLock { step = newValue } }
  }

  func pass(days: Int64) { lock.withLock { now += days * UpkeepRules.day } }

  var environment: RuntimeEnvironment {
    let numbers = RuntimeEnvironment.seeded(1)
    return RuntimeEnvironment(
      clock: { self.read() }, randomness: numbers.randomBits, spawning: numbers.spawn, sleeping: { _ in })
  }

  private func read() -> Int64 {
    lock.withLock {
      now += step * UpkeepRules.day
      return now
    }
  }

  func service(_ folder: TemporaryFolder) throws -> SyncService {
    let storage = try SQLiteStorage(path: folder.url("server.sqlite").path)
    return RuntimeEnvironment.$current.withValue(environment) {
      SyncService(storage: storage, history: storage.history, pageBytes: ProtocolLimits.pageBytes, rowsAtOnce: 2)
    }
  }
}
