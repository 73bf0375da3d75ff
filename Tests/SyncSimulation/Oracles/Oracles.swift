// What must hold, whatever happens. The first promise that is broken ends the run.
//
// Exceptions: after a silent restore only convergence is promised; a clone may apply again what its twin has sent, once
// the server has forgotten the outcome; a device that was revoked does not repair a restore.

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

  /// The oracles of operations do not ask about these any more.
  func isExcused(_ operation: Performed) -> Bool {
    world.isSilent || world.clonedAuthors.contains(operation.author)
  }

  func name(_ operation: UUIDValue) -> String { world.operations[operation]?.name ?? operation.short }
}
