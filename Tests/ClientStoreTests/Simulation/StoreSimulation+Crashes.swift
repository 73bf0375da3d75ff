// Ends of a process: power cuts, kills and ordinary ends, between transactions and inside them; and the next start.

import ModelSupport
import StoreTestSupport
import TestSupport

extension StoreSimulation {
  static let crashNames = [
    "power cut", "power cut in a transaction", "power cut while closing", "power cut while opening", "kill",
    "kill in a transaction",
  ]

  /// A kill keeps everything that was written. A power cut may lose what was not synced.
  enum Crash: String {
    case powerCut = "power cut"
    case kill = "kill"
  }

  /// Ends the process between two jobs. Jobs that still wait run on a disk that is off.
  func crash(_ crash: Crash) throws -> String {
    try endDoubt()
    tell(crash.rawValue)
    end(by: crash)
    try startAgain()
    return crash.rawValue
  }

  /// Ends the process during one of the next calls to the disk, whatever that belongs to.
  func crashInATransaction(_ crash: Crash) throws -> String {
    try endDoubt()
    isFaulty = true
    let points = 1 + random.below(12)
    tell("\(crash.rawValue) after \(points) points")
    end(by: crash, after: points)
    do {
      for _ in 0..<random.below(3) { try act() }
      switch random.below(3) {
      case 0: tell(try barrier())
      case 1: tell(try pull())
      default: tell(try commit())
      }
    } catch is StoreError {}
    let isInside = disk.isOff
    if !isInside { end(by: crash) }
    try startAgain()
    return isInside ? "\(crash.rawValue) in a transaction" : crash.rawValue
  }

  private func end(by crash: Crash) {
    switch crash {
    case .powerCut: disk.cut(seed: random.next())
    case .kill: disk.kill()
    }
  }

  private func end(by crash: Crash, after points: Int) {
    switch crash {
    case .powerCut: disk.cut(at: disk.points + points, seed: random.next())
    case .kill: disk.kill(at: disk.points + points)
    }
  }

  /// Cuts the power while the store is closed. An ordinary close moves everything from the log into the database.
  func cutPowerWhileClosing() throws -> String {
    try endDoubt()
    _ = try barrier()
    let points = 1 + random.below(9)
    tell("power cut \(points) points after closing")
    end(by: .powerCut, after: points)
    close()
    let isInside = disk.isOff
    if !isInside { end(by: .powerCut) }
    try startAgain()
    return isInside ? "power cut while closing" : "power cut"
  }

  func restart() throws -> String {
    if !oracle.isClosed { _ = try barrier() }
    try startAgain()
    return "restart"
  }

  /// Restarts a doubtful store. After a failed sync the system shows bytes that are not on disk, and closing the store
  /// in order writes them again. Nothing would help against a power cut before that.
  private func endDoubt() throws {
    if isDoubtful { _ = try restart() }
  }
}

// The next start.
extension StoreSimulation {
  /// Closes what is left of the process and opens the store again. It must hold all that was saved, and nothing torn.
  private func startAgain() throws {
    close()
    if disk.isOff { disk.restart() }
    isFaulty = false
    try open()
    let state = try oracle.explain(StoreImage(disk), queue)
    if oracle.startAgain(with: state) { count("lost what was not saved") }
  }

  private func close() {
    guard openStore != nil else { return }
    executor.runUntilIdle()
    noteSaved(store.pendingOperations)
    handles = [:]
    openStore?.abandon()
    (lists, openStore) = (nil, nil)
    isDoubtful = false
  }

  func open() throws {
    lives += 1
    if notes.isEmpty { notes = (0..<6).map { _ in newNote() } }
    if random.chance(lives == 1 ? 25 : 8) { try openInVain() }
    try openOnce()
    _ = try executor.run { [store] in try await store.isHistory(ServerPages.history) }
  }

  private func openOnce() throws {
    let executor = SeededExecutor(seed: seed &+ lives &* 7_919)
    let environment = RuntimeEnvironment.seeded(
      seed &+ lives, spawning: { executor.spawn($0) }, sleeping: { _ in await Task.yield() })
    openStore = try RuntimeEnvironment.$current.withValue(environment) {
      try ModelStore.$placedAtOnce.withValue([0, 2, 256][Int((seed &+ lives) % 3)]) {
        try ModelStore(at: disk.folder, schema: NotesSchema.self, user: user)
      }
    }
    self.executor = executor
    _ = openLists()
  }

  /// Opens the store while the disk is full, fails or loses power.
  private func openInVain() throws {
    let kind = random.below(3)
    switch kind {
    case 0: disk.fail(.write, at: 1 + random.below(12), lasting: random.chance(50), .diskFull)
    // No sync fails here, for the reason given at `endDoubt`.
    case 1: disk.fail(random.pick([.read, .open, .write, .size, .sharedMemory]), at: 1 + random.below(8))
    default: disk.cut(at: disk.points + 1 + random.below(20), seed: random.next())
    }
    tell("opening in vain \(kind)")
    do { try openOnce() } catch is StoreError {}
    openStore?.abandon()
    (lists, openStore) = (nil, nil)
    if kind == 2 {
      if disk.isOff { count("power cut while opening") }
      disk.cut(at: 0, seed: 0)
      if disk.isOff { disk.restart() }
    } else {
      if disk.failures > 0 { count(kind == 0 ? "disk full while opening" : "I/O error while opening") }
      disk.heal()
    }
  }
}
