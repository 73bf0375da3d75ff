// The plan of a world: what happens in it, drawn from its seed before it begins. A plan can be replayed and shortened.

import TestSupport

package struct Plan: Sendable {
  package var seed: UInt64
  package var faults: Set<Fault>
  /// At most three; the third may be a second device of the first user.
  package var deviceCount: Int
  var users: [Int]
  /// How many objects the server puts into a page at most.
  var pageObjects: Int
  /// How many bytes of content the server puts into a page at most.
  var pageBytes: Int
  /// Whether the server writes transactions together that wait at the same time.
  var writesTogether: Bool
  /// Whether others always wait to write, so that the server decides a few mutations of a commit at a time.
  var isCrowded: Bool { seed % 3 == 0 }
  /// Whether the server serves a second app, which two of the users have too.
  var hasTwoApps: Bool { seed % 5 == 0 }
  /// Whether only owners take others into an album, and its founder stays. In other worlds writers take writers out, and
  /// the founder too, unless an owner.
  var foundersStay: Bool { seed % 2 == 0 }
  /// Whether it is about restored servers: members join and queues are born between backups and restores.
  var isAboutRestores = false
  /// Whether users who are out when the faults stop are not taken in again.
  var leavesMembersOut = false
  package var steps: [Step]

  /// One step, with the seed for everything that chance decides in it.
  package struct Step: Sendable {
    /// Its place in the whole plan, by which it is named.
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

  /// How many steps a seed has by default. One in twenty has many, because some mistakes need what many steps leave
  /// behind.
  package static func usualSteps(of seed: UInt64) -> Int {
    var random = SeededRandom(seed: seed &+ 0x5EED)
    return random.below(20) == 0 ? longSteps : 130
  }

  package static let longSteps = 500
  static let usualPageBytes = 1 << 20

  package init(seed: UInt64, steps: Int? = nil, without: Set<Fault> = []) {
    let count = steps ?? Self.usualSteps(of: seed)
    var random = SeededRandom(seed: seed &* 0x9E37_79B9 &+ 1)
    self.seed = seed
    faults = Set(Fault.allCases.filter { random.chance($0.share) }).subtracting(without)
    deviceCount = 2 + random.below(2)
    users = random.chance(30) ? [0, 1, 0] : [0, 1, 2]
    pageObjects = random.pick([1, 2, 3, 3, 8, 10_000])
    pageBytes = random.pick([60, 150, 600, Self.usualPageBytes, Self.usualPageBytes])
    writesTogether = random.chance(75)
    let weights: [(Kind, Int)] =
      [(.act, 65), (.upload, 12), (.wait, 60)] + Fault.allCases.map { (.fault($0), $0.weight) }
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
    if !without.contains(.restore) { becomeAboutRestores(without) }
    if faults.contains(.ends) { endWhatABackupHas() }
    if faults.contains(.manyOperations) { makeRoom(for: random.below(15)) }
  }

  /// Makes room for thousands of operations, which take their time: there are few steps, and pages are large.
  private mutating func makeRoom(for number: Int) {
    steps = Array(steps.prefix(40))
    pageObjects = 10_000
    for index in steps.indices where index >= number && steps[index].kind == .act {
      steps[index].kind = .fault(.manyOperations)
      return
    }
  }

  /// The users with a device of an app, one for each device.
  func users(of app: Int) -> [Int] { app == 0 ? Array(users.prefix(deviceCount)) : Array(users.prefix(2)) }

  /// The plan with these steps only.
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
