// Tests of what the simulation believes that a device has heard, and so may act on.

import ClientSync
import Determinism
import SyncProtocol
import Testing
import WireFormat

@testable import SyncSimulation

@Suite struct DeviceRecordTests {
  private static let (old, new) = (HistoryID(UUIDValue(high: 0, low: 1)), HistoryID(UUIDValue(high: 0, low: 2)))

  /// Each answer: the server's history that its request named, that of the answer, and whether the client uses it.
  @Test(arguments: [
    [(nil, old, true), (old, old, true), (old, new, false), (new, new, true), (old, old, false), (new, new, true)],
    [(nil, old, true), (nil, new, false), (nil, old, true)],
  ])
  func hearsNothingOfAFormerHistory(answers: [(HistoryID?, HistoryID, Bool)]) {
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
      exchange.heard = [Heard(queue: world.apps[0].photos, history: Self.old, time: 0, what: .isMember)]
      let isSpoilt = Interference.spoil(answer, to: exchange, in: world).body != answer.body
      #expect(exchange.heard.isEmpty == isSpoilt)
      if isSpoilt { spoiltCount += 1 }
    }
    #expect((1..<1_000).contains(spoiltCount))
  }

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

  /// A device goes by answers about a queue. It goes by the home queue if it has not read the queue, or creates it
  /// again.
  @Test func goesByTheHomeQueueBeforeItHasReadAQueue() {
    let (home, queue) = (QueueID(UUIDValue(high: 0, low: 2)), QueueID(UUIDValue(high: 0, low: 1)))
    let naming = { (history: HistoryID) in
      Heard(queue: home, history: history, time: 0, what: .isUpToDate, named: [queue])
    }
    let reading = { (history: HistoryID) in Heard(queue: queue, history: history, time: 0, what: .isMember) }
    var record = DeviceRecord()
    #expect(record.membershipHistory(of: queue) == nil)
    record.noteMember(naming(Self.old))
    #expect(record.membershipHistory(of: queue) == Self.old)
    record.noteMember(reading(Self.old))
    record.noteMember(naming(Self.new))
    #expect(record.membershipHistory(of: queue) == Self.old)
    record.unborn.insert(queue)
    #expect(record.membershipHistory(of: queue) == Self.new)
    record.noteMember(reading(Self.new))
    record.noteMember(naming(Self.old))
    #expect(record.membershipHistory(of: queue) == Self.new)
  }

  @Test func hearsWhichQueuesTheHomeQueueNames() throws {
    let world = try begunWorld(faults: [])
    defer { world.close() }
    let device = world.devices[0]
    try world.pass(60_000)
    #expect(device.record.namedIn == [world.apps[0].photos: world.server.name, world.apps[0].inbox: world.server.name])
    let later = HistoryID(UUIDValue(high: 0, low: 3))
    device.record.namedIn = device.record.namedIn.mapValues { _ in later }
    try world.endMembership(of: device.user, world.apps[0].inbox)
    try world.pass(60_000)
    #expect(device.record.namedIn == [world.apps[0].photos: world.server.name, world.apps[0].inbox: later])
  }

  /// The member who had taken its user in does so again after a restore: the device may hear of that after the refusal.
  @Test(arguments: [false, true])
  func notesOperationsRefusedBeforeMembershipWasHeard(isTold: Bool) throws {
    let world = try begunWorld(faults: [])
    defer { world.close() }
    let device = world.devices[0]
    try world.pass(60_000)
    let life = try #require(device.life)
    let queue = world.randomQueue()
    let hear = { (what: Heard.What) in
      let exchange = Exchange(number: 1, device: device, body: []) { _ in }
      (exchange.named, exchange.heard) = (
        world.server.name, [Heard(queue: queue, history: world.server.name, time: 0, what: what)]
      )
      device.hear(
        TransportAnswer(status: 200, protocolVersion: "1", history: world.server.name, body: []), to: exchange)
    }
    world.albums.append(World.Album(queue: queue, app: 0, creator: device.user, photos: []))
    try RuntimeEnvironment.$current.withValue(life.environment) {
      let screen = try Screen(device, album: world.albums.count - 1, world)
      SimulatedUser(world: world, device: device, screen: screen).create()
    }
    let performed = try #require(device.record.performed.last)
    if isTold { hear(.isMember) }
    hear(.isNoMember)
    hear(.isMember)
    #expect(device.record.untold == (isTold ? [] : [performed]))
  }

  private func begunWorld(faults: Set<Fault>) throws -> World {
    var plan = Plan(seed: 1, steps: 0)
    plan.faults = faults
    let world = World(plan, isTraced: false, Remains())
    try world.begin()
    return world
  }
}
