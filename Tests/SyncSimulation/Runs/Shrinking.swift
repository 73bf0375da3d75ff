// Makes a failing plan small: fewer kinds of faults, then fewer steps, then fewer devices, while it still fails alike.

extension Simulation {
  /// The smallest plan found that breaks the same promise, after at most `runs` runs.
  package func shrunk(runs: Int = 400) -> Simulation {
    guard let violation else { return self }
    var shrinking = Shrinking(best: self, kind: violation.kind, runsLeft: runs)
    shrinking.dropFaults()
    shrinking.dropSteps()
    shrinking.dropDevice()
    shrinking.dropSteps()
    return shrinking.best
  }
}

private struct Shrinking {
  var best: Simulation
  let kind: String
  var runsLeft: Int

  /// Runs a smaller plan. If it breaks the same promise, it becomes the best one.
  private mutating func fails(_ plan: Plan) -> Bool {
    guard runsLeft > 0 else { return false }
    runsLeft -= 1
    let simulation = Simulation(plan)
    guard simulation.violation?.kind == kind else { return false }
    best = simulation
    return true
  }

  mutating func dropFaults() {
    for fault in Fault.allCases where best.plan.faults.contains(fault) { _ = fails(best.plan.without(fault)) }
  }

  /// Drops halves, quarters and so on, down to single steps.
  mutating func dropSteps() {
    if let last = best.violation?.step {
      _ = fails(best.plan.keeping(Set(best.plan.steps.map(\.number).filter { $0 <= last })))
    }
    var size = max(best.plan.steps.count / 2, 1)
    while true {
      var start = 0
      while start < best.plan.steps.count {
        let numbers = best.plan.steps.map(\.number)
        let kept = Set(numbers[..<start] + numbers[min(start + size, numbers.count)...])
        if !fails(best.plan.keeping(kept)) { start += size }
      }
      if size == 1 || runsLeft == 0 { return }
      size /= 2
    }
  }

  mutating func dropDevice() {
    guard best.plan.deviceCount > 2 else { return }
    var plan = best.plan
    plan.deviceCount = 2
    _ = fails(plan)
  }
}

extension Plan {
  /// The arguments that show this run again. `absent` are the faults that the whole plan had been told to leave out.
  package func arguments(whole: Plan, absent: Set<Fault> = []) -> String {
    var words = ["--seed \(seed)", "--steps \(whole.steps.count)"]
    let dropped = whole.faults.subtracting(faults).union(absent).map(\.rawValue).sorted()
    if !dropped.isEmpty { words.append("--without \(dropped.joined(separator: ","))") }
    if deviceCount != whole.deviceCount { words.append("--devices \(deviceCount)") }
    words.append("--only \(Self.ranges(steps.map(\.number)))")
    return words.joined(separator: " ")
  }

  /// `1,4-6` for 1, 4, 5, 6.
  static func ranges(_ numbers: [Int]) -> String {
    var ranges: [ClosedRange<Int>] = []
    for number in numbers {
      if let last = ranges.last, last.upperBound + 1 == number {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
    return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
      .joined(separator: ",")
  }
}
