// Plans about restored servers. A restore takes something back only if things happened since the backup, and chance
// alone brings that about too seldom.

import TestSupport

extension Plan {
  /// How many of a hundred worlds are about restores.
  private static let share: UInt64 = 30

  /// Draws from a stream of its own, so that a world without restores has the same other steps.
  mutating func becomeAboutRestores(_ without: Set<Fault>) {
    var random = SeededRandom(seed: seed &+ 0x4E57_04E5)
    guard random.chance(Self.share) else { return }
    isAboutRestores = true
    leavesMembersOut = random.chance(50)
    faults.formUnion(Set([.restore, .membership, .queues, .dependencies, .delay]).subtracting(without))
    // Less is promised after a silent restore.
    faults.remove(.silentRestore)
    for index in steps.indices where [.fault(.restore), .fault(.silentRestore)].contains(steps[index].kind) {
      steps[index].kind = .act
    }
    let rounds = max(1, steps.count / 45)
    let length = steps.count / rounds
    guard length >= 12 else { return }
    for round in 0..<rounds {
      let begin = round * length
      let backup = begin + 2 + random.below(length / 5)
      let restore = backup + 4 + random.below(begin + length - backup - 4)
      put(.restore, at: [backup, restore])
      // Somebody leaves before the backup and joins after it. Sometimes a membership changes while devices notice the
      // restore.
      put(.membership, at: [begin, begin + 1, backup + 1, backup + 3])
      if random.chance(50), restore + 2 < steps.count { put(.membership, at: [restore + 1 + random.below(2)]) }
    }
  }

  /// Ends albums after the backup that has them, so that the restore takes the end back and nothing else.
  mutating func endWhatABackupHas() {
    let places = steps.indices.filter { steps[$0].kind == .fault(.restore) }
    for (number, place) in places.enumerated() where isAboutRestores && number.isMultiple(of: 2) {
      for index in [place - 1, place + 2] where steps.indices.contains(index) && !places.contains(index) {
        steps[index].kind = .fault(.ends)
      }
    }
  }

  private mutating func put(_ fault: Fault, at places: [Int]) {
    for place in places where steps.indices.contains(place) && steps[place].kind != .fault(.restore) {
      steps[place].kind = .fault(fault)
    }
  }
}
