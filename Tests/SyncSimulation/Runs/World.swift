// A world: devices, a server, the network between them, and one seed that decides everything.

import ClientStore
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
  /// Files that the server has lost without a word, or by upkeep before their time. No answer tells a device, until the
  /// file comes again or a loss is announced.
  var notBroughtAgain: Set<FileKey> = []
  /// Files that the server has had at some time.
  var everThere: Set<FileKey> = []
  var albums: [Album] = []
  /// Every message that was written, in order.
  var messages: [UUIDValue] = []
  /// Every link that was made on a device, in order.
  var links: [InvitationLink] = []
  /// By the id of its object: how often a link was used.
  var linkUses: [UUIDValue: LinkUses] = [:]
  /// Whether no faults happen now.
  var isQuiet = true
  /// How often the server went back to an earlier copy of itself.
  var losses = 0
  /// Whether it did so without a word.
  var isSilent = false
  /// Operations that were lost, and that the server has again because the operator went back once more. Their devices
  /// may have reported them meanwhile.
  var cameBack: Set<OperationID> = []
  /// Faults so far, of all kinds.
  private(set) var faultCount = 0
  /// Whether every queue has been changed since the faults have stopped.
  var isStirred = false
  /// Operations that two devices have, because one was made from a copy of the other.
  var shared: Set<OperationID> = []
  var hasClone = false
  /// Whether the server has forgotten outcomes. It may then apply again what a clone sends after its twin.
  var hasForgotten = false
  /// Whether the server's time may have gone on by more than 7 days at once, or was set.
  var serverClockWasSet = false
  /// How many days of the server's time have passed at once.
  var daysPassed: Int64 = 0
  /// Queues that were born at some time, in any history.
  var born: Set<QueueID> = []
  /// The name of the device whose disk may fail now.
  var failing: String?
  private(set) var counts = RunCounts()
  var trace: Trace
  let remains: Remains

  let users: [UserID] = (0..<3).map { UserID(high: 0xA11 &+ UInt64($0), low: 1) }
  /// Takes the other users in and out. Has no device.
  let owner = UserID(high: 0xA00, low: 1)
  let apps: [SimulatedApp]

  /// A queue and the photos that were ever made in it.
  struct Album {
    var queue: QueueID
    /// The number of its app.
    var app: Int
    /// The devices on which it was made; none for those that are made by the world's owner.
    var makers: Set<String> = []
    var photos: [UUIDValue]
    /// Whom its identity names; nobody if its id is random.
    var people: Set<UserID> = []
    /// Whether all users of the app share it.
    var isCommon = false
  }

  init(_ plan: Plan, isTraced: Bool, _ remains: Remains) {
    self.plan = plan
    self.remains = remains
    apps = plan.hasTwoApps ? [.albums, .wallet] : [.albums]
    random = SeededRandom(seed: plan.seed)
    trace = Trace(isKept: isTraced)
    network = SimulatedNetwork(world: self)
    oracles = Oracles(world: self)
    server = SimulatedServer(world: self)
    albums = apps.map { app in
      let photos = (1...3).map { UUIDValue.object($0, in: app.photos) }
      return Album(queue: app.photos, app: app.number, photos: photos, isCommon: true)
    }
    remains.watch(self, "the world")
    remains.watch(network, "the network")
    remains.watch(server, "the server")
  }

  /// A seed for one purpose. Two processes with the same random numbers would make the same ids.
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

  /// Adds a line for people, which also goes into the sum by which two runs are compared.
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

  /// Turns every error, and every report of an oracle, into a violation.
  private func guarded(_ body: () throws -> Void) throws(Violation) {
    do { try body() } catch let violation as Violation { throw violation } catch {
      throw Violation("an error that nobody expects: \(error)", step: trace.step)
    }
    if let violation = oracles.violation { throw violation }
  }

  func begin() throws {
    try server.start()
    for app in apps {
      let followers = Set(plan.users(of: app.number)).sorted().map { users[$0] }
      for queue in [app.photos, app.inbox] {
        let root = try AlbumRoot.creation(of: queue)
        try changeMembers(of: queue, OperationChanges(objects: [root], members: followers.map { .follow($0) }))
      }
    }
    for app in apps {
      for (number, user) in plan.users(of: app.number).enumerated() {
        let device = Device(world: self, name: "\(["d", "w"][app.number])\(number)", user: users[user], app: app)
        devices.append(device)
        try device.start()
      }
    }
  }

  /// Commits changes as `owner`, who is there from the beginning and has no device.
  func changeMembers(of queue: QueueID, _ changes: OperationChanges) throws {
    try commit(changes, to: queue, by: owner)
  }

  /// Commits changes for a user, without a device. They were first sent at the newest time that the server has told, so
  /// that no outcome of them is forgotten.
  func commit(_ changes: OperationChanges, to queue: QueueID, by user: UserID, schema: String? = nil) throws {
    let mutation = CommitRequest.Mutation(
      operation: randomOperation(), firstSent: Timestamp(millisecondsSince1970: server.referee.newestEver),
      changes: try changes.encoded())
    try server.commit(CommitRequest(queue: queue, mutations: [mutation]), by: user, schema: schema)
  }

  /// Notes on all devices of a user that the user has left a queue. Until it is named again, the user finds no album
  /// there.
  func noteLeft(_ user: UserID, _ queue: QueueID) {
    for device in devices where device.user == user { device.record.noteLeft(queue, device.now) }
  }
}
