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
    let complete = memory.withLock { memory in steps.map { memory.complete($0, goneAt: goneAt) } }
    let results = try await writer.advance(complete, in: history) { results in
      show(complete, results)
      for (step, result) in zip(complete, results) { takeFiles(of: step, result) }
    }
    for (step, result) in zip(complete, results) { moveFiles(of: step, result) }
    startSaving()
    // The home queue may have named such a queue meanwhile. Then the role that it says holds.
    let roles = steps.filter { $0.role != nil }
    if memory.withLock({ memory in roles.contains { memory.sync.named.contains($0.queue) } }) {
      _ = try await memberships()
    }
    return results
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
  /// Completes a step, just before it is written, with facts that only the memory has.
  fileprivate func complete(_ step: QueueStep, goneAt: Timestamp?) -> QueueStep {
    var step = step
    step.named = outbox.filesNamed(by: step.settlement)
    if step.endsRights { step.goneAt = goneAt }
    return step
  }

  fileprivate mutating func didAdvance(_ step: QueueStep, _ result: QueueStep.Result) {
    let queue = step.queue
    sync.move(queue, to: result.place)
    guard !result.hasFailed else { return }
    if let role = step.role { sync.setRole(role, in: queue) }
    if let tombstones = result.tombstones { outbox.keep(tombstones, of: queue) }
    didSettle(step.settlement, in: queue)
    if step.place.load == .ended { didChange(failWhatCameTooLate(in: queue)) }
    if !step.settlement.failedOperations.isEmpty || step.place.load == .ended { didChange(failWhatWasLeftBehind()) }
    if step.mayTouchAnything {
      outbox.doubtObjects(of: queue)
      logForLists(changed: queue, isGone: step.dropsObjects)
      didChange { _ in true }
    }
    // The page may be the preview of an invitation.
    if sync.invited.contains(queue) { didChangeInvitations() } else { didChange([]) }
  }
}

extension Outbox {
  /// The files that fields of newly decided operations name, except those that the server has waited for.
  fileprivate func filesNamed(by settlement: Settlement) -> Set<ContentHash> {
    var hashes: Set<ContentHash> = []
    for case (let number, let outcome?) in settlement.outcomes where !outcome.isFailure {
      guard let changes = operations[number]?.changes, changes.namesFiles else { continue }
      hashes.formUnion(changes.objects.flatMap(\.files).flatMap(\.hashes).filter { !changes.files.contains($0) })
    }
    return hashes
  }
}

extension QueueStep {
  fileprivate var dropsObjects: Bool {
    if case .drop = objects { true } else { false }
  }

  /// Whether objects may have changed that the settlement does not name. Else only the arrived ones have.
  fileprivate var mayTouchAnything: Bool {
    switch objects {
    case .none, .stage: false
    case .reveal: !isSinglePage
    case .drop: true
    }
  }
}
