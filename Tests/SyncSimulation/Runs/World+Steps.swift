// One step: something happens, and some time passes.

import ClientStore
import ModelTypes
import TestSupport
import WireFormat

extension World {
  func take(_ step: Plan.Step) throws {
    random = SeededRandom(seed: step.seed)
    switch step.kind {
    case .act:
      if let device = anyDevice() {
        answerInvitations(on: device)
        try act(on: device)
      }
    case .upload: try useFiles()
    case .wait: break
    case .fault(let fault): try inject(fault)
    }
    try passSome()
  }

  /// Lets time pass: mostly little, so that much happens at once, and sometimes so much that everything settles. One
  /// step of five ends while tasks are at work.
  func passSome() throws {
    let milliseconds: Int64 =
      switch random.below(100) {
      case 0..<35: 0
      case 35..<75: Int64(random.below(80))
      case 75..<90: Int64(random.below(1_500))
      case 90..<98: Int64(random.below(9_000))
      default: Int64(random.below(90_000))
      }
    try pass(milliseconds, jobs: random.chance(20) ? 1 + random.below(60) : .max)
  }

  /// A device that runs; nil if there is none.
  func anyDevice() -> Device? {
    let running = devices.filter(\.isRunning)
    return running.isEmpty ? nil : random.pick(running)
  }
}
