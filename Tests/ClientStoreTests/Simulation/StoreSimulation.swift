// Simulates one device and one server from one seed. After every step the store is compared with the oracle.

import ModelSupport
import SampleIDs
import StoreTestSupport
import TestSupport

/// A store on a disk that loses power and fails. A seed decides everything, so the same seed gives the same run.
final class StoreSimulation {
  let seed: UInt64
  let disk = FaultDisk()
  let user = UserID(high: 7, low: 7)
  let queue = QueueID.queue(1)
  var random: SeededRandom
  var executor: SeededExecutor
  /// Nil only before the store is opened and while it is being closed.
  var openStore: ModelStore?
  /// The lists of the open store.
  var lists: OpenLists?
  var oracle = Oracle()
  var server: SimulatedServer
  /// The handles of operations that were performed since the store was opened.
  var handles: [OperationID: OperationHandle] = [:]
  /// The notes that steps act on. A new note may replace one that is deleted.
  var notes: [NoteID] = []
  var noteCount: UInt64 = 0
  var lives: UInt64 = 0
  /// Whether the disk may fail just now, so that the store may report errors.
  var isFaulty = false
  var userActsMeanwhile = true
  /// Whether an error of the disk may have left bytes that can be read but were never synced.
  var isDoubtful = false
  private(set) var counts = SimulationCounts()
  private var step = "opening"
  /// Every step in words; nil unless the simulation is traced.
  private(set) var trace: [String]?

  var store: ModelStore { openStore! }

  init(seed: UInt64, isTraced: Bool = false) {
    self.seed = seed
    random = SeededRandom(seed: seed)
    executor = SeededExecutor(seed: seed)
    server = SimulatedServer(queue: queue)
    trace = isTraced ? [] : nil
  }

  /// Runs the steps and then drains the outbox. Throws a `Violation` that names the seed and the step.
  func run(steps: Int) throws {
    do {
      try open()
      for number in 0..<steps {
        step = "step \(number)"
        let name = try RuntimeEnvironment.$current.withValue(.seeded(seed &* 1_000 &+ UInt64(number))) {
          try pick(Self.events).run(self)
        }
        counts.note(name)
        step += ": \(name)"
        try check()
        trace?.append("\(step): \(summary)")
      }
      step = "the end"
      try drain()
      try checkListsAreWhole()
      try check()
      try checkDisk()
      noteFates()
      counts.add(server.counts)
    } catch {
      throw Violation(description: "seed \(seed), \(step): \(error)")
    }
  }

  func count(_ name: String) { counts.note(name) }

  /// Adds a word about the current step, for the trace and for errors.
  func tell(_ what: String) { step += " \(what)," }

  /// Lets the user do something as a part of a step.
  func act() throws {
    tell(try pick(Self.userEvents).run(self))
  }

  /// Counts the effects of this disk's power cuts on writes that were not synced.
  private func noteFates() {
    for file in FaultDisk.File.allCases {
      for fate in FaultDisk.Fate.allCases { counts.note("\(file) \(fate)", disk.count(file, fate)) }
    }
  }

  private var summary: String {
    let outbox = store.pendingOperations.map { "\($0.id.short) \($0.state)\($0.isVoided ? " voided" : "")" }
    let reported = store.failedOperations.map { "\($0.id.short) \($0.reason.code)" }
    return "[\(outbox.joined(separator: ", "))], cursor \(oracle.memory.cursor), reported \(reported)"
  }
}

// The events, and how often each one is drawn.
extension StoreSimulation {
  struct Event {
    var weight: Int
    /// Returns the name under which the event is counted.
    var run: @Sendable (StoreSimulation) throws -> String

    init(_ weight: Int, _ run: @escaping @Sendable (StoreSimulation) throws -> String) {
      (self.weight, self.run) = (weight, run)
    }
  }

  static let userEvents = [
    Event(12) { try $0.create() }, Event(22) { try $0.edit() }, Event(6) { try $0.editSeveral() },
    Event(5) { try $0.delete() }, Event(5) { try $0.cancel() }, Event(5) { try $0.draft() },
    Event(2) { try $0.refusal() },
  ]
  static let otherEvents = [
    Event(5) { try $0.barrier() }, Event(8) { $0.idle() }, Event(10) { try $0.commit() },
    Event(9) { try $0.others() }, Event(10) { try $0.pull() }, Event(3) { try $0.dismiss() },
    Event(1) { try $0.checkpoint() }, Event(1) { try $0.reset() }, Event(2) { $0.openLists() },
  ]
  static let faultEvents = [
    Event(2) { try $0.crash(.powerCut) }, Event(2) { try $0.crashInATransaction(.powerCut) },
    Event(1) { try $0.cutPowerWhileClosing() }, Event(1) { try $0.crash(.kill) },
    Event(2) { try $0.crashInATransaction(.kill) }, Event(1) { try $0.restart() }, Event(2) { try $0.failSaving() },
    Event(2) { try $0.failSettling() }, Event(1) { try $0.failMarkingSent() },
  ]
  private static let events = userEvents + otherEvents + faultEvents

  func pick(_ events: [Event]) -> Event {
    var number = random.below(events.reduce(0) { $0 + $1.weight })
    for event in events {
      number -= event.weight
      if number < 0 { return event }
    }
    preconditionFailure("the weights are their sum")
  }

  /// Every name that a run must count.
  static let eventNames = [
    "create", "create again", "edit", "edit several", "delete", "cancel unsent", "cancel sent", "draft", "refusal",
    "barrier", "idle", "commit", "commit, answer lost", "refused by the server", "others", "pull",
    "pull, not to its end", "reset", "dismiss", "checkpoint", "pending edit without its object",
    "pending create over an object", "lost what was not saved", "restart", "the user acts meanwhile",
  ]
  static let fateNames = ["database lost", "database whole", "database torn", "log lost", "log whole", "log torn"]
}
