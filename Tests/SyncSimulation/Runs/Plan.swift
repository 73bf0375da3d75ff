// What happens in one world, drawn from its seed before it begins: a list that can be replayed and shortened.

import TestSupport

package struct Plan: Sendable {
  package var seed: UInt64
  package var faults: Set<Fault>
  /// At most three; the third may be a second device of the first user.
  package var deviceCount: Int
  var users: [Int]
  /// How many objects the server puts into a page.
  var pageObjects: Int
  package var steps: [Step]

  /// One thing that happens, with everything that chance decides in it.
  package struct Step: Sendable {
    /// Its place in the whole list, by which it is named.
    var number: Int
    var kind: Kind
    var seed: UInt64
  }

  enum Kind: Hashable, Sendable {
    case act
    case upload
    case wait
    case fault(Fault)
  }

  /// How many steps a seed has unless somebody says so. One in twenty has many: what needs the leftovers of much shows
  /// only there.
  package static func usualSteps(of seed: UInt64) -> Int {
    var random = SeededRandom(seed: seed &+ 0x5EED)
    return random.below(20) == 0 ? longSteps : 130
  }

  package static let longSteps = 500

  package init(seed: UInt64, steps: Int? = nil, without: Set<Fault> = []) {
    let count = steps ?? Self.usualSteps(of: seed)
    var random = SeededRandom(seed: seed &* 0x9E37_79B9 &+ 1)
    self.seed = seed
    faults = Set(Fault.allCases.filter { random.chance($0.share) }).subtracting(without)
    deviceCount = 2 + random.below(2)
    users = random.chance(30) ? [0, 1, 0] : [0, 1, 2]
    pageObjects = random.pick([1, 2, 3, 3, 8, 10_000])
    let weights: [(Kind, Int)] =
      [(.act, 230), (.upload, 12), (.wait, 60)] + Fault.allCases.map { (.fault($0), $0.weight) }
    let total = weights.reduce(0) { $0 + $1.1 }
    self.steps = []
    for number in 0..<count {
      var place = random.below(total)
      var kind = Kind.wait
      for (candidate, weight) in weights {
        place -= weight
        if place < 0 {
          kind = candidate
          break
        }
      }
      if case .fault(let fault) = kind, !faults.contains(fault) { kind = .act }
      self.steps.append(Step(number: number, kind: kind, seed: random.next()))
    }
  }

  /// Only the steps with these numbers.
  package func keeping(_ numbers: Set<Int>) -> Self {
    var plan = self
    plan.steps.removeAll { !numbers.contains($0.number) }
    return plan
  }

  package func without(_ fault: Fault) -> Self {
    var plan = self
    plan.faults.remove(fault)
    plan.steps.removeAll { $0.kind == .fault(fault) }
    return plan
  }
}
