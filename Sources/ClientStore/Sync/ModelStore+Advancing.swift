// Writes steps of queues, and shows what they have changed.

import Determinism
import SyncProtocol
import WireFormat

extension ModelStore {
  /// Writes steps in one transaction, and shows them. Writes and returns nothing if the server has another history.
  @discardableResult
  func advance(_ steps: [QueueStep], in history: HistoryID?) async throws -> [QueueStep.Result] {
    guard !steps.isEmpty else { return [] }
    guard !steps.contains(where: { $0.queue == .zero }) else {
      throw StoreError(.refused, "No queue has the id zero: it stands for objects that never leave the device.")
    }
    let goneAt =
      steps.contains(where: \.endsRights) ? Timestamp(millisecondsSince1970: environment.nowMilliseconds()) : nil
    let complete = memory.withLock { memory in steps.map { memory.ledger.complete($0, goneAt: goneAt) } }
    let advanced = try await writer.advance(complete, in: history) { show(complete, $0) }
    for (step, advanced) in zip(complete, advanced) { moveFiles(of: step, advanced) }
    startSaving()
    // The home queue may have named such a queue meanwhile. Then the role that it says holds.
    let roles = steps.filter { $0.role != nil }
    if memory.withLock({ memory in roles.contains { memory.sync.named.contains($0.queue) } }) {
      _ = try await memberships()
    }
    return advanced.map(\.result)
  }

  /// Takes steps into memory that are on disk.
  private func show(_ steps: [QueueStep], _ results: [QueueStep.Result]) {
    assert(steps.count == results.count, "each step has its result")
    var steps = steps
    // An observer or a list may have come meanwhile, or an operation.
    if memory.withLock({ $0.looksForObjects }) {
      for index in steps.indices { steps[index].settlement.arrived.index() }
    }
    takeIn { memory in
      for (step, result) in zip(steps, results) { memory.didAdvance(step, result) }
    }
  }

  /// Changes memory by what is on disk already, and reads the objects that pending operations touch now, before anybody
  /// looks at them.
  func takeIn(_ body: (inout StoreMemory) -> Void) {
    memory.holding {
      let isStale = memory.withLock { memory in
        body(&memory)
        return !memory.outbox.overlay.stale.isEmpty
      }
      // An error here undoes nothing. An object that is not read now is read when needed.
      guard isStale else { return }
      try? reader.reading { confirmed in try memory.withLock { try $0.outbox.refreshObjects(confirmed) } }
    }
  }

  /// Reads the objects that could not be read after the step before. Throws if that fails, so that nothing is decided.
  func refreshOutbox() throws {
    try memory.withLock { try $0.outbox.refreshObjects(reader.object) }
  }
}

extension StoreMemory {
  fileprivate mutating func didAdvance(_ step: QueueStep, _ result: QueueStep.Result) {
    let queue = step.queue
    sync.move(queue, to: result.place)
    guard !result.hasFailed else { return }
    if let role = step.role { sync.setRole(role, in: queue) }
    if let tombstones = result.tombstones { outbox.keep(tombstones, of: queue) }
    didSettle(step.settlement, in: queue)
    if step.place.load == .ended { failWhatCameTooLate(in: queue) }
    if !step.settlement.failedOperations.isEmpty || step.place.load == .ended { failWhatWasLeftBehind() }
    if step.mayTouchAnything { outbox.doubtObjects(of: queue, isGone: step.dropsObjects) }
    // The page may be the preview of an invitation.
    if sync.invited.contains(queue) { observers.wake(.invitations, &effects) }
  }
}
