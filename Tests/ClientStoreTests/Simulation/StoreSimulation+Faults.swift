// Steps on a disk that is full or fails, and what the store promises then.

import ModelSupport
import StoreTestSupport
import TestSupport

extension StoreSimulation {
  static let faultNames =
    ["disk full", "I/O error"].flatMap { fault in
      ["saving", "settling", "marking sent", "opening"].map { "\(fault) while \($0)" }
    } + ["closed by an error"]

  /// The store refuses operations that a full disk has no room for, and goes on. After any other error it accepts
  /// nothing more until it is opened again.
  func failSaving() throws -> String {
    // Often a batch is on its way to the disk already.
    if random.chance(50) { try act() }
    for _ in 0..<random.below(3) { executor.runOne() }
    let name = startFailing(within: 12)
    for _ in 0...random.below(3) { if random.chance(30) { tell(try cancel()) } else { try act() } }
    var isClosed = false
    do {
      try executor.run { [store] in try await store.waitUntilSaved() }
    } catch is StoreError {
      isClosed = true
    }
    let isHit = stopFailing()
    try noteFailures()
    isFaulty = false
    if isClosed { try reopenAfterError() }
    // A fault that no call has met does not count.
    return isHit ? "\(name) while saving" : "idle"
  }

  func failSettling() throws -> String {
    var outcomes: [OperationOutcome] = []
    if random.chance(50), let sent = try send() {
      outcomes = try server.commit(sent) { _ in random.chance(20) }
    }
    return try failStep("settling") {
      if outcomes.isEmpty { _ = try pull(atMost: .max) } else { try take(outcomes) }
    }
  }

  func failMarkingSent() throws -> String {
    if store.undecided(in: queue).isEmpty { tell(try create()) }
    _ = try barrier()
    return try failStep("marking sent") { _ = try send() }
  }

  /// Invariant 3: a step that fails leaves the disk as it was. The next check does the same for the memory.
  private func failStep(_ step: String, _ work: () throws -> Void) throws -> String {
    // Saves everything first, so that nothing else is written meanwhile.
    _ = try barrier()
    let before = try StoreImage(disk)
    let doubts = oracle.doubts
    let name = startFailing(within: 6)
    try work()
    let isHit = stopFailing()
    isFaulty = false
    let after = try StoreImage(disk)
    if oracle.doubts > doubts, after != before {
      let difference = "found \(after.summary), before \(before.summary)"
      throw Violation(description: "invariant 3: \(step) failed and left something on disk: \(difference)")
    }
    return isHit ? "\(name) while \(step)" : "idle"
  }

  private func reopenAfterError() throws {
    oracle.noteClosed()
    count("closed by an error")
    try check()
    try performWhileClosed()
    _ = try restart()
  }

  private func performWhileClosed() throws {
    guard case .failed = store.perform(EditNotes(notes: [], edits: [])).state else {
      throw Violation(description: "a closed store took an operation")
    }
  }

  /// Makes one of the next calls to the disk fail, and perhaps all that follow. Returns the name of the fault.
  private func startFailing(within calls: Int) -> String {
    isFaulty = true
    let isFull = random.chance(50)
    let call: FaultDisk.Call = isFull ? .write : random.pick([.any, .any, .write, .sync])
    let number = 1 + random.below(call == .sync ? 2 : calls)
    tell("\(isFull ? "disk full" : "I/O error") at \(call) \(number)")
    disk.fail(call, at: number, lasting: random.chance(30), isFull ? .diskFull : .inputOutput)
    return isFull ? "disk full" : "I/O error"
  }

  private func stopFailing() -> Bool {
    let isHit = disk.failures > 0
    isDoubtful = isDoubtful || isHit && disk.calls(.sync) > 0
    disk.heal()
    return isHit
  }
}
