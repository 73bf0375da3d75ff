// Measures subjects in turns, so that other load of the machine hits all of them alike.

import CAllocations

/// One thing to measure: it does `operations` operations and returns a number that depends on all of them.
struct Subject {
  let name: String
  let operations: Int
  let run: () throws -> Int
}

/// The cost of one operation.
struct Measurement {
  /// The median of all rounds.
  var nanoseconds: Double
  var allocations: Double
}

/// Runs all subjects in each round. The checksum keeps the optimiser from removing their work.
func measureInTurns(_ subjects: [Subject], rounds: Int) throws -> (of: [String: Measurement], checksum: Int) {
  var times = [String: [Double]]()
  var allocations = [String: Double]()
  var checksum = 0
  for round in 0..<rounds {
    for subject in subjects {
      let before = allocation_count()
      let elapsed = try ContinuousClock().measure { checksum &+= try subject.run() }
      let allotted = allocation_count() - before
      // The first round fills caches and tables.
      guard round > 0 else { continue }
      times[subject.name, default: []].append(elapsed / .nanoseconds(subject.operations))
      allocations[subject.name] = Double(allotted) / Double(subject.operations)
    }
  }
  let measured = subjects.map { subject in
    let sorted = times[subject.name, default: []].sorted()
    let median = sorted.isEmpty ? .nan : sorted[sorted.count / 2]
    return (subject.name, Measurement(nanoseconds: median, allocations: allocations[subject.name] ?? .nan))
  }
  return (Dictionary(uniqueKeysWithValues: measured), checksum)
}
