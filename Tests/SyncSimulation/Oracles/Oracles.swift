// The promises that must hold, whatever happens. The first one that is broken ends the run. What is not promised of an
// operation is said in one place: `World.isExcused`.

import ClientStore
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

  func name(_ operation: OperationID) -> String { world.operations[operation]?.name ?? operation.short }
}

extension ModelStore {
  /// The reasons of the failed operations.
  var reported: [OperationID: StoreError.Code] {
    Dictionary(failedOperations.map { ($0.id, $0.reason.code) }) { first, _ in first }
  }
}
