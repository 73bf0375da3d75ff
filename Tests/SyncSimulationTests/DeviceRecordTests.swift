// What the simulation believes a device has heard, which is what the device may act on.

import ClientSync
import SyncProtocol
import Testing
import WireFormat

@testable import SyncSimulation

@Suite struct DeviceRecordTests {
  private static let (old, new) = (UUIDValue(high: 0, low: 1), UUIDValue(high: 0, low: 2))

  /// Each answer: the server's history that its request has named, that of the answer, and whether it is of use.
  @Test(arguments: [
    [(nil, old, true), (old, old, true), (old, new, false), (new, new, true), (old, old, false), (new, new, true)],
    [(nil, old, true), (nil, new, false), (nil, old, true)],
  ])
  func hearsNothingOfAFormerHistory(answers: [(UUIDValue?, UUIDValue, Bool)]) {
    var record = DeviceRecord()
    for (number, (named, answered, isOfUse)) in answers.enumerated() {
      #expect(record.hear(answered, named: named) == isOfUse, "answer \(number)")
    }
  }

  @Test func nothingIsHeardFromAnAnswerThatWasSpoilt() throws {
    let world = try begunWorld(faults: [.cut, .serverError])
    defer { world.close() }
    let answer = TransportAnswer(status: 200, protocolVersion: "1", history: Self.old, body: Array("{}".utf8))
    let exchange = Exchange(number: 1, device: world.devices[0], body: []) { _ in }
    world.isQuiet = false
    var spoiltCount = 0
    for _ in 0..<1_000 {
      exchange.heard = Heard(queue: world.photos, history: Self.old, time: 0, what: .isMember)
      let isSpoilt = Interference.spoil(answer, to: exchange, in: world).body != answer.body
      #expect((exchange.heard == nil) == isSpoilt)
      if isSpoilt { spoiltCount += 1 }
    }
    #expect((1..<1_000).contains(spoiltCount))
  }

  /// A file is on its way to a queue that its device has not made yet.
  @Test func nobodyIsTakenOutOfAQueueThatIsNotBorn() throws {
    let world = try begunWorld(faults: [])
    defer { world.close() }
    let (user, unborn) = (world.devices[0].user, world.randomQueue())
    for queue in [unborn, world.photos] { try world.endMembership(of: user, queue) }
    #expect(!world.server.history.isThere(unborn))
    #expect(world.server.history.isThere(world.photos) && !world.server.history.isMember(user, of: world.photos))
  }

  /// A late copy of its request comes when the server has forgotten that it applied the operation.
  @Test func whatWasAppliedStaysSoThoughALateCopyIsToldUnknown() {
    var history = QueueHistory()
    let outcomes = [(Self.old, OperationOutcome.Status.applied), (Self.old, .unknown), (Self.new, .unknown)]
    for (time, (operation, status)) in outcomes.enumerated() {
      let time = Timestamp(millisecondsSince1970: Int64(time))
      history.note(OperationOutcome(operation: operation, status: status, at: 1, time: time), [], of: nil)
    }
    #expect(history.outcomes[Self.old]?.status == .applied && history.outcomes[Self.new]?.status == .unknown)
  }

  private func begunWorld(faults: Set<Fault>) throws -> World {
    var plan = Plan(seed: 1, steps: 0)
    plan.faults = faults
    let world = World(plan, isTraced: false, Remains())
    try world.begin()
    return world
  }
}
