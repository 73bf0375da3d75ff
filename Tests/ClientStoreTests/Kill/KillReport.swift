// Counts over many kills, and their text.

struct KillReport {
  var kills = 0
  var diedOpening = 0
  var operations = 0
  /// The times from performing to `waitUntilSaved()`, in nanoseconds.
  var savedAfter: [UInt64] = []
  private(set) var fates: [KillScript.Fate: Int] = [:]
  private(set) var lost: [Window] = []

  /// The operations that one kill took, because they had been performed and not saved, and the age of the oldest one.
  struct Window {
    var operations = 0
    var nanoseconds: UInt64 = 0
  }

  var saved: Int { savedAfter.count }

  mutating func add(_ verdict: KillScript.Verdict, killedAt time: UInt64) {
    var window = Window()
    for (operation, fate) in verdict.fates {
      fates[fate, default: 0] += 1
      guard fate == .lost, let start = operation.performedAtNanoseconds else { continue }
      window.operations += 1
      window.nanoseconds = max(window.nanoseconds, time > start ? time - start : 0)
    }
    lost.append(window)
  }

  var text: String {
    let counts = KillScript.Fate.allCases.map { "\($0) \(fates[$0] ?? 0)" }.joined(separator: ", ")
    let operations = lost.map { Double($0.operations) }
    let times = lost.map { Double($0.nanoseconds) / 1e6 }
    return """
      \(kills) kills, \(diedOpening) of them while the store was opened; \(self.operations) operations performed, \
      \(saved) of them seen to be saved
      found after a kill, each as often as it was found: \(counts)
      the unsaved window at a kill: operations \(spread(operations, digits: 0)); milliseconds \(spread(times))
      milliseconds from performing to waitUntilSaved(): \(spread(savedAfter.map { Double($0) / 1e6 }))
      """
  }

  private func spread(_ values: [Double], digits: Int = 1) -> String {
    let values = values.sorted()
    guard let largest = values.last else { return "none" }
    func text(_ value: Double) -> String {
      let scale = digits == 0 ? 1.0 : 10
      let rounded = (value * scale).rounded() / scale
      return digits == 0 ? "\(Int(rounded))" : "\(rounded)"
    }
    let (middle, high) = (values[values.count / 2], values[values.count * 99 / 100])
    return "median \(text(middle)), 99 % \(text(high)), largest \(text(largest))"
  }
}
