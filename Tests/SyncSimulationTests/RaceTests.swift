// The races of sync, each staged: what comes late, twice, never, or in the other order.

import SyncProtocol
import Testing
import WireFormat

@testable import SyncSimulation

/// Every promise of the simulation is asked for as well.
@Suite struct RaceTests {
  /// The first request of a kind meets a fate, all others arrive.
  private func first(_ call: String, _ fate: ScriptedFate, in scenario: Scenario) {
    var isDone = false
    scenario.world.network.script = { exchange in
      guard !isDone, exchange.call == call else { return nil }
      isDone = true
      return fate
    }
  }

  @Test func answerLostAfterItWasApplied() throws {
    let scenario = try Scenario()
    first("Commit", .answerLost, in: scenario)
    let operation = try scenario.create(on: scenario.a)
    try scenario.pass(seconds: 2)
    #expect(scenario.outcome(of: operation) == .applied)
    #expect(scenario.isPending(operation, on: scenario.a))
    try scenario.comeToRest()
    #expect(!scenario.isPending(operation, on: scenario.a))
  }

  @Test func deltaShowsTheEffectBeforeTheAnswer() throws {
    let scenario = try Scenario()
    try scenario.create(on: scenario.a)
    try scenario.pass(seconds: 5)
    first("Commit", .answerLate(600_000), in: scenario)
    let like = try scenario.like(on: scenario.a)
    try scenario.pass(seconds: 300)
    #expect(!scenario.isPending(like, on: scenario.a))
    #expect(try scenario.shown(on: scenario.a)?.likes == 1)
    try scenario.pass(seconds: 400)
    #expect(try scenario.shown(on: scenario.a)?.likes == 1)
    try scenario.comeToRest()
  }

  @Test func answerBeforeTheDelta() throws {
    let scenario = try Scenario()
    let create = try scenario.create(on: scenario.a)
    scenario.world.network.script = { $0.call == "Delta" ? .lost : nil }
    try scenario.pass(seconds: 3)
    #expect(scenario.outcome(of: create) == .applied)
    #expect(scenario.isPending(create, on: scenario.a))
    #expect(try scenario.shown(on: scenario.a) != nil)
    try scenario.comeToRest()
  }

  @Test func changedAgainBetweenPages() throws {
    let scenario = try Scenario(pageObjects: 1)
    for number in 1...6 { try scenario.create(.init(UUIDValue(high: 0x77, low: UInt64(number))), on: scenario.a) }
    let first = ObjectID<Photo>(UUIDValue(high: 0x77, low: 1))
    for _ in 0..<8 {
      try scenario.pass(seconds: 0.05)
      if try scenario.shown(first, on: scenario.a) != nil { try scenario.like(first, on: scenario.a) }
      if try scenario.shown(first, on: scenario.b) != nil { try scenario.like(first, on: scenario.b) }
    }
    try scenario.comeToRest()
  }

  @Test func deletedDuringABootstrapOfManyPages() throws {
    let scenario = try Scenario(pageObjects: 1)
    let ids = (1...6).map { ObjectID<Photo>(UUIDValue(high: 0x77, low: $0)) }
    scenario.b.stop(.kill)
    for id in ids { try scenario.create(id, on: scenario.a) }
    try scenario.pass(seconds: 20)
    scenario.world.start(scenario.b)
    for id in ids {
      try scenario.pass(seconds: 0.06)
      try scenario.delete(id, on: scenario.a)
    }
    try scenario.comeToRest()
    for id in ids { #expect(try scenario.shown(id, on: scenario.b) == nil) }
  }

  @Test func editedWhileInFlight() throws {
    let scenario = try Scenario()
    first("Commit", .answerLost, in: scenario)
    try scenario.create(on: scenario.a)
    try scenario.pass(seconds: 1)
    let like = try scenario.like(on: scenario.a)
    try scenario.comeToRest()
    #expect(scenario.outcome(of: like) == .applied)
    #expect(try scenario.shown(on: scenario.b)?.likes == 1)
  }

  @Test(arguments: [true, false]) func cancelledWhileInFlight(isApplied: Bool) throws {
    let scenario = try Scenario()
    first("Commit", isApplied ? .answerLost : .lost, in: scenario)
    let create = try scenario.create(on: scenario.a)
    try scenario.pass(seconds: 1)
    let store = try #require(scenario.a.store)
    scenario.a.record.cancel(try #require(scenario.a.record.handle(create)), store)
    #expect(try scenario.shown(on: scenario.a) == nil)
    try scenario.comeToRest()
    #expect(scenario.outcome(of: create) == (isApplied ? .applied : .voided))
    #expect((try scenario.shown(on: scenario.a) != nil) == isApplied)
    #expect(scenario.reason(of: create, on: scenario.a) == (isApplied ? nil : .cancelled))
  }

  @Test func deviceCloned() throws {
    let scenario = try Scenario()
    scenario.world.network.script = { $0.call == "Commit" ? .lost : nil }
    let create = try scenario.create(on: scenario.a)
    try scenario.pass(seconds: 2)
    try scenario.world.clone(scenario.a)
    try scenario.comeToRest()
    let twin = scenario.world.devices[2]
    for device in [scenario.a, twin] { #expect(!scenario.isPending(create, on: device)) }
  }

  @Test func serverRestoredFromABackup() throws {
    let scenario = try Scenario()
    scenario.world.server.backUp()
    let create = try scenario.create(on: scenario.a)
    try scenario.pass(seconds: 10)
    #expect(!scenario.isPending(create, on: scenario.a))
    scenario.world.restores += 1
    try scenario.world.server.restore(announced: true)
    #expect(scenario.outcome(of: create) == nil)
    try scenario.comeToRest()
    #expect(scenario.outcome(of: create) == .applied)
    #expect(try scenario.shown(on: scenario.b) != nil)
  }

  @Test func cursorBelowTheFloor() throws {
    let scenario = try Scenario()
    try scenario.create(on: scenario.a)
    try scenario.pass(seconds: 10)
    scenario.b.stop(.kill)
    try scenario.delete(on: scenario.a)
    try scenario.pass(seconds: 10)
    let queue = scenario.world.photos
    try scenario.world.server.performNow { try await $0.collectTombstones(in: queue, upTo: 2) }
    scenario.world.start(scenario.b)
    try scenario.comeToRest()
    #expect(try scenario.shown(on: scenario.b) == nil)
  }

  @Test func revokedWithPendingOperations() throws {
    let scenario = try Scenario()
    try scenario.create(on: scenario.a)
    try scenario.pass(seconds: 10)
    scenario.world.network.script = { $0.device === scenario.b ? .lost : nil }
    let like = try scenario.like(on: scenario.b)
    try scenario.pass(seconds: 2)
    try scenario.world.changeMembers(of: scenario.world.photos, .init(unfollow: [scenario.b.user]))
    scenario.world.network.script = nil
    try scenario.pass(seconds: 200)
    #expect(scenario.reason(of: like, on: scenario.b) == .revoked)
    #expect(try scenario.shown(on: scenario.b) == nil)
    try scenario.comeToRest()
  }

  @Test func joinsAgain() throws {
    let scenario = try Scenario()
    try scenario.create(on: scenario.a)
    try scenario.pass(seconds: 10)
    // A request of the old membership arrives in the new one.
    first("Commit", .late(20_000), in: scenario)
    try scenario.like(on: scenario.b)
    try scenario.pass(seconds: 1)
    for changes in [OperationChanges(unfollow: [scenario.b.user]), OperationChanges(follow: [scenario.b.user])] {
      try scenario.world.changeMembers(of: scenario.world.photos, changes)
    }
    try scenario.comeToRest()
    #expect(try scenario.shown(on: scenario.b) != nil)
  }

  @Test func fileLostBetweenUploadAndCommit() throws {
    let scenario = try Scenario()
    let operation = try scenario.create(on: scenario.a, file: true)
    scenario.a.noteUploaded([.of(scenario.photo.rawValue)], in: .init(scenario.world.photos))
    try scenario.pass(seconds: 20)
    #expect(scenario.isPending(operation, on: scenario.a))
    #expect(scenario.outcome(of: operation) == nil)
    try scenario.comeToRest()
    #expect(scenario.outcome(of: operation) == .applied)
  }

  @Test func deletedAndCreatedAgainWhileOffline() throws {
    let scenario = try Scenario()
    try scenario.create(on: scenario.a)
    try scenario.pass(seconds: 10)
    scenario.world.network.script = { _ in .lost }
    try scenario.delete(on: scenario.a)
    let again = try scenario.create(on: scenario.a)
    try scenario.pass(seconds: 2)
    try scenario.comeToRest()
    // Delete wins over a create that does not say it revives.
    #expect(scenario.outcome(of: again) == .noEffect)
    #expect(scenario.reason(of: again, on: scenario.a) == .noEffect)
  }

  @Test func batchTooLarge() throws {
    let scenario = try Scenario()
    scenario.world.network.script = { exchange in
      exchange.body.mutations > 2 ? .answered(Interference.tooLarge) : nil
    }
    for number in 1...9 { try scenario.create(.init(UUIDValue(high: 0x77, low: UInt64(number))), on: scenario.a) }
    try scenario.pass(seconds: 200)
    #expect(scenario.a.store?.outbox.isEmpty == true)
    try scenario.comeToRest()
  }

  @Test func clocksTenYearsWrong() throws {
    let scenario = try Scenario()
    let tenYears: Int64 = 10 * 365 * 86_400_000
    first("Commit", .lost, in: scenario)
    try scenario.create(on: scenario.a)
    try scenario.pass(seconds: 1)
    scenario.a.clockOffset = -tenYears
    scenario.world.server.clockOffset = tenYears
    try scenario.like(on: scenario.a)
    try scenario.pass(seconds: 30)
    scenario.a.clockOffset = tenYears
    scenario.world.server.clockOffset = -tenYears
    try scenario.like(on: scenario.a)
    try scenario.comeToRest()
    #expect(try scenario.shown(on: scenario.b)?.likes == 2)
  }

  @Test func delayedCopyOfARefusedRequest() throws {
    let scenario = try Scenario()
    try scenario.create(on: scenario.a)
    try scenario.pass(seconds: 10)
    try scenario.world.changeMembers(
      of: scenario.world.photos, .init(roles: [.init(user: scenario.b.user, role: .reader)]))
    first("Commit", .twice(30_000), in: scenario)
    let like = try scenario.like(on: scenario.b)
    try scenario.pass(seconds: 10)
    #expect(scenario.outcome(of: like) == .rejected("forbidden"))
    try scenario.world.changeMembers(
      of: scenario.world.photos, .init(roles: [.init(user: scenario.b.user, role: .writer)]))
    try scenario.comeToRest()
    #expect(scenario.outcome(of: like) == .rejected("forbidden"))
    #expect(try scenario.shown(on: scenario.b)?.likes == 0)
  }

  @Test func awayLongerThanRetention() throws {
    let scenario = try Scenario()
    first("Commit", .answerLost, in: scenario)
    let create = try scenario.create(on: scenario.a)
    try scenario.pass(seconds: 1)
    scenario.a.stop(.kill)
    let queue = scenario.world.photos
    let now = SimulatedProcess.start + scenario.world.time.now
    try scenario.world.server.performNow {
      try await $0.forgetOutcomes(in: queue, before: Timestamp(millisecondsSince1970: now + 1_000))
    }
    scenario.world.start(scenario.a)
    try scenario.comeToRest()
    #expect(scenario.reason(of: create, on: scenario.a) == .unknownOutcome)
  }
}
