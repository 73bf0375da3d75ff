// When what is typed becomes an operation. Time is a number that the tests pass in.

import Testing

@testable import ModelRuntimeUI

@Suite struct EditPauseTests {
  /// Runs the pause against a clock: edits at these times, and returns the times at which they are performed.
  private func performed(editingAt edits: [Int64], endingAt ends: [Int64] = []) -> [Int64] {
    var (pause, wake, performed) = (EditPause(), Int64?.none, [Int64]())
    func carryOut(_ action: EditPause.Action?, at now: Int64) {
      switch action {
      case .wake(let milliseconds):
        #expect(wake == nil, "two tasks wait for one pause")
        wake = now + milliseconds
      case .perform: performed.append(now)
      case nil: break
      }
    }
    for now in 0...20_000 as ClosedRange<Int64> {
      if edits.contains(now) { carryOut(pause.edited(at: now), at: now) }
      if ends.contains(now) { carryOut(pause.end(), at: now) }
      if wake == now {
        wake = nil
        carryOut(pause.woke(at: now), at: now)
      }
    }
    #expect(wake == nil, "a task waits for nothing")
    return performed
  }

  @Test(
    arguments: [
      ([], []),
      ([0], [500]),
      ([0, 100, 200, 300], [800]),
      // The last letter comes just before the pause is over, and just after.
      ([0, 499], [999]),
      ([0, 501], [500, 1_001]),
      ([0, 5_000], [500, 5_500]),
    ] as [([Int64], [Int64])])
  func oneOperationForEachPause(edits: [Int64], expected: [Int64]) {
    #expect(performed(editingAt: edits) == expected)
  }

  @Test func typingWithoutAPauseIsPerformedNowAndThen() {
    let edits = Array(stride(from: 0 as Int64, through: 12_000, by: 100))
    let performed = performed(editingAt: edits)
    #expect(performed.last == 12_500)
    let gaps = zip([0] + performed, performed).map { $1 - $0 }
    #expect(gaps.allSatisfy { $0 <= EditPause.longestMilliseconds + 100 } && performed.count == 3)
  }

  @Test(
    arguments: [
      ([0], [200], [200]),
      // Nothing waits: nothing is performed.
      ([], [200], []),
      ([0], [700], [500]),
      // The wait of the first edit is still under way when the second comes.
      ([0, 300], [200], [200, 800]),
      ([0], [200, 200], [200]),
    ] as [([Int64], [Int64], [Int64])])
  func endPerformsAtOnce(edits: [Int64], ends: [Int64], expected: [Int64]) {
    #expect(performed(editingAt: edits, endingAt: ends) == expected)
  }

  @Test func clockSetBackDelaysByOnePause() {
    var pause = EditPause()
    #expect(pause.edited(at: 1_000_000) == .wake(afterMilliseconds: 500))
    #expect(pause.woke(at: 500) == .wake(afterMilliseconds: 500))
    #expect(pause.woke(at: 1_000) == .perform)
  }
}
