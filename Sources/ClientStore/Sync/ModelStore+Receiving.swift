// Takes in the server's answers: pages, outcomes and refusals, those of one request in one transaction.

import Determinism
package import SyncProtocol
package import WireFormat

extension ModelStore {
  /// Stores the answers of a delta, each of another queue, in one transaction. Ignores an answer if the place of its
  /// queue has changed since the request. `history`: the server's history that the answers name; nil if they name none.
  ///
  /// Returns the queues in which the server has lost an outcome that it had told.
  @discardableResult
  package func receive(
    _ answers: [(queue: QueueID, answer: ArrivedAnswer)], in history: HistoryID? = nil
  ) async throws -> Set<QueueID> {
    let current = answers.filter { place(of: $0.queue) == $0.answer.from }
    guard !current.isEmpty else { return [] }
    try refreshOutbox()
    let isIndexed = memory.withLock { $0.looksForObjects }
    var objects: [QueueID: ArrivedObjects] = [:]
    for case (let queue, .page(let arrived)) in current {
      let touched =
        arrived.page.end == nil || arrived.from.position == nil ? [] : memory.withLock { $0.outbox.objects(in: queue) }
      let staged = try await writer.staged(touched, in: queue)
      // Without a copy of a large page, if nothing is staged.
      objects[queue] = ArrivedObjects(staged.isEmpty ? arrived.page.objects : staged + arrived.page.objects)
      if isIndexed { objects[queue]?.index() }
    }
    let steps = memory.withLock { [objects] memory in
      current.compactMap { queue, answer in
        switch answer {
        case .refusal(let arrived): memory.step(arrived, in: queue)
        case .page(let arrived): memory.step(arrived, in: queue, objects[queue] ?? ArrivedObjects(arrived.page.objects))
        }
      }
    }
    try await advance(steps, in: history)
    return Set(steps.filter { $0.settlement.outcomes.contains { $0.outcome == nil } }.map(\.queue))
  }

  /// Stores the outcomes of a commit. `history` is the server's history that the answer named.
  package func receive(
    _ decided: CommitAnswer.Decided, from place: QueuePlace, in queue: QueueID, history: HistoryID? = nil
  ) async throws {
    try await receive([DecidedCommit(queue: queue, from: place, decided: decided)], history: history)
  }

  /// Stores the outcomes of commits of several queues, in one transaction.
  package func receive(_ commits: [DecidedCommit], history: HistoryID?) async throws {
    let commits = commits.filter { place(of: $0.queue) == $0.from }
    guard !commits.isEmpty else { return }
    try refreshOutbox()
    try await advance(memory.withLock { memory in commits.compactMap { memory.step($0) } }, in: history)
    // A new history was heard meanwhile, and the operations are sent again in it.
    guard history == nil || history == self.history else { return }
    for commit in commits {
      let missing = commit.decided.waiting.flatMap(\.files)
      if !missing.isEmpty { uploadAgain(try await writer.bringAgain(missing, in: commit.queue)) }
    }
    // At the end, because the calls before may throw. Then the operations are sent again, and get the same answer.
    memory.withLock { memory in
      for waiting in commits.flatMap(\.decided.waiting) {
        guard let number = memory.outbox.number(of: waiting.operation) else { continue }
        memory.outbox.update(number) { $0.isWaiting = true }
      }
    }
  }

  /// Reads the objects that could not be read after the step before. Throws if that fails, so that nothing is decided.
  private func refreshOutbox() throws {
    try memory.withLock { try $0.outbox.refreshObjects(reader.object) }
  }

  private func advance(_ steps: [QueueStep], in history: HistoryID?) async throws {
    guard !steps.isEmpty else { return }
    guard !steps.contains(where: { $0.queue == .zero }) else {
      throw StoreError(.refused, "No queue has the id zero: it stands for objects that never leave the device.")
    }
    let goneAt =
      steps.contains(where: \.endsRights) ? Timestamp(millisecondsSince1970: environment.nowMilliseconds()) : nil
    let complete = memory.withLock { memory in steps.map { memory.complete($0, goneAt: goneAt) } }
    let results = try await writer.advance(complete, in: history) { didAdvance(complete, $0) }
    for (step, result) in zip(complete, results) { didChangeFiles(of: step, result) }
    startSaving()
    // The home queue may have named such a queue meanwhile. Then the role that it says holds.
    let roles = steps.filter { $0.role != nil }
    if memory.withLock({ memory in roles.contains { memory.sync.named.contains($0.queue) } }) {
      _ = try await memberships()
    }
  }

  /// Takes steps into memory that are on disk.
  private func didAdvance(_ steps: [QueueStep], _ results: [QueueStep.Result]) {
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
}

/// The answer to the operations of one queue, and the place of the queue when they were sent.
package struct DecidedCommit: Sendable {
  package var queue: QueueID
  package var from: QueuePlace
  package var decided: CommitAnswer.Decided

  package init(queue: QueueID, from: QueuePlace, decided: CommitAnswer.Decided) {
    (self.queue, self.from, self.decided) = (queue, from, decided)
  }
}

extension StoreMemory {
  /// The step for the answer to a commit; nil if it says nothing new.
  fileprivate func step(_ commit: DecidedCommit) -> QueueStep? {
    let (queue, place, decided) = (commit.queue, commit.from, commit.decided)
    var step = QueueStep(queue, from: place, to: place)
    step.role = sync.news(decided.role, in: queue)
    if place.load == .unread { (step.place.load, step.place.grant) = (.loading, decided.grant) }
    outbox.decide(
      &step.settlement, in: queue, outcomes: decided.outcomes, cursor: place.settling(in: sync.history))
    step.retiring = outbox.retiring(step.settlement, at: .zero)
    let isNews = step.place != place || step.role != nil
    return isNews || !step.settlement.outcomes.isEmpty || !step.settlement.leaving.isEmpty ? step : nil
  }

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

  /// The objects that the pending operations of a queue touch.
  fileprivate func objects(in queue: QueueID) -> [UUIDValue] {
    let pending = (queues[queue]?.numbers ?? []).compactMap { operations[$0] }
    return Array(Set(pending.flatMap { $0.changes.objects.map(\.object) }))
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
