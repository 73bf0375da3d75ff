// What must hold, whatever happens. The first promise that is broken ends the run.
// What nobody promises is said operation by operation: `World.isTakenBack`, `mayMiss`, `isShared`, `isGone`, and where a
// device hears something (`Device.hear`).

import WireFormat

final class Oracles: @unchecked Sendable {
  unowned let world: World
  private(set) var violation: Violation?

  init(world: World) { self.world = world }

  func report(_ message: String) {
    guard violation == nil else { return }
    violation = Violation(message, step: world.trace.step)
    world.trace("VIOLATION \(message)")
  }

  func name(_ operation: UUIDValue) -> String { world.operations[operation]?.name ?? operation.short }
}
