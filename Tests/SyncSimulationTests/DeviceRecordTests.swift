// Tests of what the simulation knows of the server and of devices.

import Determinism
import SyncProtocol
import Testing
import WireFormat

@testable import SyncSimulation

@Suite struct DeviceRecordTests {
  /// This happens when a file is on its way to a queue that its device has not made yet.
  @Test func endsNoMembershipOfUnbornQueue() throws {
    let world = try begunWorld(faults: [])
    defer { world.close() }
    let (user, unborn) = (world.devices[0].user, world.randomQueue())
    for queue in [unborn, world.apps[0].photos] { try world.endMembership(of: user, queue) }
    #expect(!world.server.history.isThere(unborn))
    #expect(
      world.server.history.isThere(world.apps[0].photos)
        && !world.server.history.isMember(user, of: world.apps[0].photos))
  }

  /// A late copy of its request comes when the server has forgotten that it applied the operation.
  @Test func appliedOutcomeSurvivesUnknownOfLateCopy() {
    var history = QueueHistory()
    let (first, second) = (OperationID(UUIDValue(high: 0, low: 1)), OperationID(UUIDValue(high: 0, low: 2)))
    let outcomes = [(first, OperationOutcome.Status.applied), (first, .unknown), (second, .unknown)]
    for (time, (operation, status)) in outcomes.enumerated() {
      let time = Timestamp(millisecondsSince1970: Int64(time))
      history.note(OperationOutcome(operation: operation, status: status, at: 1, time: time), [], of: nil)
    }
    #expect(history.outcomes[first]?.status == .applied && history.outcomes[second]?.status == .unknown)
  }

  /// The operator goes back to a copy, and then to the server that was given up for it.
  @Test func knowsEveryHistoryOfQueue() throws {
    let world = try begunWorld(faults: [.failback])
    defer { world.close() }
    let (server, queue) = (world.server!, world.apps[0].photos)
    let copy = try #require(server.copy())
    try world.changeMembers(of: queue, OperationChanges(members: [.unfollow(world.devices[0].user)]))
    let (first, members) = (server.name, server.history.state.queues[queue]?.members.count)
    try server.goBack(to: copy, isAnnounced: true)
    #expect(server.name != first && server.history.isMember(world.devices[0].user, of: queue))
    #expect(server.history.branches(of: queue, in: first).map(\.members.count) == [members])
    try server.goBack(to: try #require(server.givenUp.first), isAnnounced: true)
    #expect(!server.history.isMember(world.devices[0].user, of: queue) && world.losses == 2)
    #expect(server.referee.model.histories.count == 2 && world.cameBack.count == 1)
    #expect(server.history.branches(of: queue).count == 3 && world.oracles.violation == nil)
  }

  @Test func readsWholeAnswersOfOneThatBrokeOff() {
    let whole = "{\"data\":{\"delta\":[{\"queue\":\"a\",\"refusal\":{\"reason\":\"RESET\"}}"
    let cut = whole + ",{\"queue\":\"b\",\"page\":{\"objects\":[{\"id\":\"c\"},{\"i"
    #expect(Array(cut.utf8).wholeAnswers == Array((whole + "]}}").utf8))
    #expect(Array("{\"data\":{\"del".utf8).wholeAnswers.isEmpty)
  }

  private func begunWorld(faults: Set<Fault>) throws -> World {
    var plan = Plan(seed: 1, steps: 0)
    plan.faults = faults
    let world = World(plan, isTraced: false, Remains())
    try world.begin()
    return world
  }
}
