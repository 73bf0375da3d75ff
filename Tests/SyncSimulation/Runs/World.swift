// A world: devices, a server, the network between them, and one seed that decides everything.

import Determinism
import SampleIDs
import SyncProtocol
import SyncServer
import TestSupport
import WireFormat

/// Everything happens on one thread, in an order that the plan decides: the same plan, the same run.
final class World: @unchecked Sendable {
  let plan: Plan
  var seed: UInt64 { plan.seed }
  let time = VirtualTime()
  var random: SeededRandom
  private(set) var network: SimulatedNetwork!
  private(set) var server: SimulatedServer!
  private(set) var oracles: Oracles!
  var devices: [Device] = []
  var operations = PerformedOperations()
  var files = PhotoFiles()
  /// Files that an operator has lost without a restore, or let upkeep take before their time: no device has to know.
  var notBroughtAgain: Set<FilePlace> = []
  /// Files that the server has had at some time.
  var everThere: Set<FilePlace> = []
  var albums: [Album] = []
  /// Every message that was written, in order.
  var messages: [UUIDValue] = []
  /// No fault comes from now on.
  var isQuiet = true
  /// Queues that a silent restore took back.
  var silent: Set<UUIDValue> = []
  /// The newest outcomes that only a history knew which a silent restore took back, by operation.
  var takenBack: [UUIDValue: OperationOutcome] = [:]
  /// Operations that a server refused before a silent restore took back why.
  var refusedBefore: Set<UUIDValue> = []
  var restores = 0
  /// Faults so far, of all kinds.
  private(set) var faultCount = 0
  /// Every queue has been changed since the faults have stopped.
  var isStirred = false
  /// The server's time has gone on for as long as operations stay retired.
  var hasEndedWaiting = false
  /// Operations that two devices have, since one was made from a copy of the other.
  var shared: Set<UUIDValue> = []
  var hasClone = false
  /// The server has forgotten outcomes: it may apply again what a clone sends after its twin.
  var hasForgotten = false
  /// The server's time may have gone on by more than 7 days at once.
  var serverClockWasSet = false
  /// Days of the server's time that have passed at once.
  var daysPassed: Int64 = 0
  /// Of each queue: everybody who was ever its owner, in any history.
  var owners: [UUIDValue: Set<UUIDValue>] = [:]
  /// The device whose disk may fail just now.
  var failing: String?
  private(set) var counts = RunCounts()
  var trace: Trace
  let remains: Remains

  let users: [UUIDValue] = (0..<3).map { UUIDValue(high: 0xA11 &+ UInt64($0), low: 1) }
  /// Takes the users in and out; has no device.
  let owner = UUIDValue(high: 0xA00, low: 1)
  let photos = UUIDValue.queue(0xF070)
  let inbox = UUIDValue.queue(0x1B0)

  /// A queue and the photos that were ever made in it.
  struct Album {
    var queue: UUIDValue
    /// The user who made it; nil for those that are there from the beginning.
    var creator: UUIDValue?
    var photos: [UUIDValue]
  }

  init(_ plan: Plan, isTraced: Bool, _ remains: Remains) {
    self.plan = plan
    self.remains = remains
    random = SeededRandom(seed: plan.seed)
    trace = Trace(isKept: isTraced)
    network = SimulatedNetwork(world: self)
    oracles = Oracles(world: self)
    server = SimulatedServer(world: self)
    albums = [Album(queue: photos, creator: nil, photos: (1...3).map { .object($0, in: photos) })]
    for (part, name) in [(self, "the world"), (network, "the network"), (server, "the server")] as [(AnyObject, String)]
    {
      remains.watch(part, name)
    }
  }

  /// A seed of its own for whatever draws for itself: two processes with the same numbers would make the same ids.
  func seed(of name: String) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ seed
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    var random = SeededRandom(seed: hash)
    return random.next()
  }

  func has(_ fault: Fault) -> Bool { !isQuiet && plan.faults.contains(fault) }

  func count(_ name: String, _ number: Int = 1) { counts.note(name, number) }

  func fault(_ fault: Fault, _ what: String? = nil) {
    faultCount += 1
    counts.note("fault \(fault.rawValue)")
    if let what { counts.note(what) }
    trace("fault: \(what ?? fault.rawValue)")
  }

  /// For people, and for the sum by which two runs are compared.
  func trace(_ line: @autoclosure () -> String) { trace.note(time.now, line()) }

  func trace(message bytes: [UInt8], _ line: @autoclosure () -> String) {
    trace.note(time.now, message: bytes) { line() }
  }

  // MARK: the run

  /// Runs the whole plan; throws the violation that ends it.
  func run() throws(Violation) {
    try guarded { try self.begin() }
    isQuiet = false
    for step in plan.steps {
      trace.step = step.number
      try guarded { try self.take(step) }
    }
    trace.step = nil
    isQuiet = true
    try guarded { try self.becomeQuiet() }
    try guarded { try self.forgetFiles() }
    try guarded { try self.readFiles() }
    try guarded { try self.sweepFiles() }
    try guarded { try self.oracles.checkEnd() }
    trace("end")
  }

  /// Whatever is thrown, and whatever an oracle has to say, is a violation.
  private func guarded(_ body: () throws -> Void) throws(Violation) {
    do { try body() } catch let violation as Violation { throw violation } catch {
      throw Violation("an error that nobody expects: \(error)", step: trace.step)
    }
    if let violation = oracles.violation { throw violation }
  }

  func begin() throws {
    try server.start()
    let followers = Set(plan.users.prefix(plan.deviceCount)).sorted().map { users[$0] }
    for queue in [photos, inbox] {
      try changeMembers(of: queue, OperationChanges(members: followers.map { .follow($0) }))
    }
    for number in 0..<plan.deviceCount {
      let device = Device(world: self, name: "d\(number)", user: users[plan.users[number]])
      devices.append(device)
      try device.start()
    }
  }

  /// By a person who is there from the beginning and has no device.
  func changeMembers(of queue: UUIDValue, _ changes: OperationChanges) throws {
    let mutation = CommitRequest.Mutation(
      operation: UUIDValue(high: random.next(), low: random.next()),
      firstSent: Self.farAway, changes: try changes.encoded())
    try server.commit(CommitRequest(queue: queue, mutations: [mutation]), by: owner)
  }

  /// Later than any time of the server: what is first sent then is of no earlier membership, and is never forgotten.
  static let farAway = Timestamp(millisecondsSince1970: 1 << 53)

  /// A user who was taken out finds the album no more, unless it is named again.
  func noteLeft(_ user: UUIDValue, _ queue: UUIDValue) {
    for device in devices where device.user == user { device.record.noteLeft(queue, device.now) }
  }
}
